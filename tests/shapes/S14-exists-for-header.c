/* S14: the header is written if access, stat or fopen("r") don't find the file: it exists from the first open on. */
//: file a.tr managed|write-through reason=UNSEEN|NONE opens>=90
//: calls a.tr <= 1270, not fewer
#include "show.h"

static int there(int how)
{
    struct stat info;
    FILE *in;
    switch (how) {
    case 0: return access("a.tr", F_OK) == 0;
    case 1: return stat("a.tr", &info) == 0 && info.st_size > 0;
    default:
        in = fopen("a.tr", "r");
        if (in)
            fclose(in);
        return in != NULL;
    }
}

int main(void)
{
    for (int i = 0; i < 90; i++) {
        int found = there(i % 3);
        FILE *out = fopen("a.tr", "a");
        if (!found)
            fprintf(out, "header by way %d\n", i % 3);
        fprintf(out, "%d found %d before, %d while open\n", i, found, there(2) && there(0));
        fclose(out);
        if (i % 30 == 29) {
            show_path("a.tr");
            SHOW(unlink("a.tr"));
            show_path("a.tr");
            int empty = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
            show_path("a.tr");
            SHOW(close(empty));
        }
    }
    show_file("a.tr");
}
