/* Several descriptors and streams on one file at once, appending and not, in turn: one order, each its own offset. */
//: file a.tr managed
#include "show.h"

int main(void)
{
    int append1 = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644)),
        append2 = OPENED(open("a.tr", O_RDWR | O_APPEND));
    FILE *stream = OPENED(fopen("a.tr", "a"));
    for (int i = 0; i < 20; i++) {
        append(append1, "first\n");
        append(append2, "second\n");
        fputs("stream\n", stream);
        if (i % 2)
            fflush(stream);
        append(append1, record(i));
        if (i % 5 == 0) {
            SHOW(lseek(append1, 0, SEEK_CUR));
            SHOW(lseek(append2, 0, SEEK_CUR));
            SHOW(ftell(stream));
            show_fstat("a.tr", append1);
        }
    }
    int plain = OPENED(open("a.tr", O_RDWR)), plain2 = OPENED(open("a.tr", O_WRONLY));
    SHOW(append(plain, "OVERWRITTEN FROM THE START"));
    SHOW(append(append1, "appended\n"));
    SHOW(append(plain2, "overwritten twice"));
    SHOW(lseek(plain, 0, SEEK_CUR));
    SHOW(append(plain, " and on"));
    SHOW(lseek(plain2, 0, SEEK_END));
    SHOW(append(plain2, "at the end by an offset\n"));
    SHOW(append(append2, "appended\n"));
    SHOW(append(plain2, "over what was appended\n"));
    show_file("a.tr");
    SHOW(close(append1) | close(append2) | close(plain) | close(plain2));
    SHOW(fclose(stream));
    show_file("a.tr");
}
