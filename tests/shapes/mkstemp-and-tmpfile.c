/* mkstemp, mkostemps, tmpfile: names that match, unlinked at once or renamed into place. */
//: env TRACESHIM_PATTERNS=/**
//: file named.tr managed
#include "show.h"

int main(void)
{
    for (int i = 0; i < 5; i++) {
        char name[] = "temporary-XXXXXX.tr", bare[] = "bare.tr.XXXXXX", wrong[] = "wrong";
        int out = OPENED(mkstemps(name, 3)), second = OPENED(mkostemp(bare, O_APPEND | O_CLOEXEC));
        append(out, record(i));
        append(second, record(i));
        show_fstat("mkstemps", out);
        SHOW(fcntl(second, F_GETFL));
        SHOW(rename(name, i % 2 ? "odd.tr" : "even.tr"));
        append(out, "after the rename\n");
        append(second, "more\n");
        SHOW(unlink(bare));
        append(second, "unlinked\n");
        show_fstat("mkostemp", second);
        SHOW(close(out) | close(second));
        SHOW(mkstemp(wrong));
        FILE *unnamed = OPENED(tmpfile());
        SHOW(fputs("a file without a name\n", unnamed) >= 0);
        rewind(unnamed);
        SHOW(fgetc(unnamed));
        show_fstat("tmpfile", fileno(unnamed));
        SHOW(fclose(unnamed));
        out = open("named.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        close(out);
    }
    show_file("odd.tr");
    show_file("even.tr");
    show_file("named.tr");
}
