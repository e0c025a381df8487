/* ftell, fseek, rewind, fgetpos and fsetpos on writing streams of each mode, with reopened files of different length. */
//: file a.tr managed
#include "show.h"

int main(void)
{
    const char *modes[] = {"w", "a", "a", "r+", "a", "w", "a"};
    for (int i = 0; i < 7; i++) {
        fpos_t position;
        FILE *out = OPENED(fopen("a.tr", modes[i]));
        say("mode %s", modes[i]);
        SHOW(ftell(out));
        SHOW(fputs(record(i), out) >= 0);
        SHOW(ftell(out));
        SHOW(fgetpos(out, &position));
        SHOW(fseek(out, 5, SEEK_SET));
        SHOW(ftell(out));
        SHOW(fputs("FIVE", out) >= 0);
        SHOW(ftell(out));
        SHOW(fflush(out));
        SHOW(ftell(out));
        SHOW(fsetpos(out, &position));
        SHOW(fputs("at the saved position\n", out) >= 0);
        rewind(out);
        SHOW(ftell(out));
        SHOW(fputs("R", out) >= 0);
        SHOW(fseek(out, -2, SEEK_END));
        SHOW(ftell(out));
        SHOW(fputs("zz", out) >= 0);
        SHOW(fseek(out, -1, SEEK_CUR));
        SHOW(ftell(out));
        SHOW(fseek(out, -100000, SEEK_END));
        SHOW(ferror(out));
        SHOW(fclose(out));
        show_file("a.tr");
    }
}
