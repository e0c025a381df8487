/* S06: fopen("a"), several fprintf, fflush, fclose for every record. */
//: file a.tr managed opens=1002 real_opens<=2 drains<=4
//: calls a.tr <= 24
#include "show.h"

int main(void)
{
    FILE *out = OPENED(fopen("a.tr", "w"));
    SHOW(fputs("# header\n", out) >= 0);
    SHOW(fclose(out));
    for (int i = 0; i < 1000; i++) {
        out = fopen("a.tr", "a");
        if (!out || fprintf(out, "%d ", i) < 1 || fputs(record(i), out) < 0 || putc('\n', out) != '\n' ||
            fwrite("abc\n", 1, 4, out) != 4 || fflush(out) != 0 || ferror(out) || fclose(out) != 0)
            say("record %d: failed", i);
    }
    out = OPENED(fopen("a.tr", "a"));
    SHOW(ftell(out));
    SHOW(fprintf(out, "%s", "last\n"));
    SHOW(ftell(out));
    SHOW(fclose(out));
    show_file("a.tr");
    show_path("a.tr");
}
