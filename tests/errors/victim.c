/* Writes a trace by reopening it, says something on stdout and stderr, and ends with 3: what a bad setting must not change. */
#include "../lib/show.h"

int main(void)
{
    for (int i = 0; i < 50; i++) {
        FILE *out = fopen("a.tr", "a");
        fputs(record(i), out);
        fclose(out);
    }
    say("on stdout");
    fputs("on stderr\n", stderr);
    return 3;
}
