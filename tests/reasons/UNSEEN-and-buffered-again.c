/* Reason UNSEEN: a C stream of libc's reads the file; writes through while it is open, and buffered again after
 * it. */
//: file a.tr reason=UNSEEN|NONE
//: calls a.tr <= 150
#include "show.h"

int main(void)
{
    char line[256];
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int round = 0; round < 10; round++) {
        FILE *in = fopen("a.tr", "r");
        append(out, record(round));
        for (int i = 0; i < round; i++)
            say("%s", fgets(line, sizeof line, in) ? line : "nothing");
        fclose(in);
        for (int i = 0; i < 100; i++)
            append(out, "x\n");
    }
    show_file("a.tr");
}
