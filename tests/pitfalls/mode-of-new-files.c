/* The mode is an argument only where O_CREAT or O_TMPFILE ask for it: each call that makes a file, under two
 * umasks, and each that doesn't. */
//: file open.tr managed
//: file openat.tr managed
#include "show.h"

int main(void)
{
    for (int mask = 022; mask >= 0; mask -= 022) {
        umask((mode_t)mask);
        int by_open = open("open.tr", O_WRONLY | O_CREAT, 0666),
            by_openat = openat(AT_FDCWD, "openat.tr", O_WRONLY | O_CREAT | O_APPEND, 0602),
            by_open64 = open64("open64.tr", O_RDWR | O_CREAT, 04751), by_creat = creat("creat.tr", 0640);
        show_fstat("open", by_open);
        show_fstat("openat", by_openat);
        show_fstat("open64", by_open64);
        show_fstat("creat", by_creat);
        int unnamed = OPENED(open(".", O_TMPFILE | O_WRONLY, 0617));
        show_fstat("O_TMPFILE", unnamed);
        FILE *stream = OPENED(fopen("stream.tr", "w"));
        show_fstat("fopen", fileno(stream));
        SHOW(fclose(stream));
        SHOW(close(by_open) | close(by_openat) | close(by_open64) | close(by_creat) | close(unnamed));
        /* Without O_CREAT there is no third argument, and what exists keeps its mode. */
        by_open = OPENED(open("open.tr", O_WRONLY | O_APPEND));
        by_openat = OPENED(openat(AT_FDCWD, "openat.tr", O_WRONLY | O_TRUNC));
        append(by_open, record(0));
        append(by_openat, record(1));
        show_fstat("open", by_open);
        show_fstat("openat", by_openat);
        SHOW(close(by_open) | close(by_openat));
        SHOW(unlink("open.tr") | unlink("openat.tr") | unlink("open64.tr") | unlink("creat.tr") | unlink("stream.tr"));
    }
    int left = OPENED(open("open.tr", O_WRONLY | O_CREAT | O_EXCL, 0604));
    append(left, record(2));
}
