/* S22: write a temporary file, close, rename over the real one; both names match. */
//: file a.tr managed
//: calls a.tr <= 730, not fewer
#include "show.h"

int main(void)
{
    for (int i = 0; i < 30; i++) {
        FILE *out = fopen("a.tr", "a");
        fprintf(out, "appended before rename %d\n", i);
        fclose(out);
        FILE *next = fopen("next.tr", "w");
        fprintf(next, "snapshot %d\n%s", i, record(i));
        if (i % 2)
            fclose(next);
        else
            fflush(next);
        SHOW(rename("next.tr", "a.tr"));
        SHOW(access("next.tr", F_OK));
        if (i % 2 == 0) {
            fputs("written after the rename\n", next);
            fclose(next);
        }
        show_file("a.tr");
        show_path("a.tr");
    }
}
