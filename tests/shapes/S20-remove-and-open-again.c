/* S20: remove and open again: a new inode gets only what is written from then on. The old one may still be open. */
//: file a.tr managed
//: calls a.tr <= 800, not fewer
#include "show.h"

int main(void)
{
    for (int round = 0; round < 20; round++) {
        FILE *out = fopen("a.tr", "a");
        fprintf(out, "round %d\n%s", round, record(round));
        fclose(out);
        out = fopen("a.tr", "a");
        fprintf(out, "second open of round %d\n", round);
        fflush(out);
        SHOW(round % 2 ? remove("a.tr") : unlink("a.tr"));
        SHOW(access("a.tr", F_OK));
        show_fstat("the removed one", fileno(out));
        fputs("to the removed file\n", out);
        SHOW(fflush(out));
        show_fstat("the removed one", fileno(out));
        FILE *next = fopen("a.tr", "a");
        fprintf(next, "new after round %d\n", round);
        fclose(next);
        fputs("to the removed file again\n", out);
        fclose(out);
        show_file("a.tr");
        if (round % 4 == 3)
            SHOW(unlinkat(AT_FDCWD, "a.tr", 0));
    }
    show_file("a.tr");
}
