/* A system call instruction of the program's own closes a trace's number, which then leads to another file: no trace bytes there. */
//: file a.tr
#include "direct.h"
#include "show.h"

int main(void)
{
    int plain = OPENED(open("plain", O_RDWR | O_CREAT, 0644));
    append(plain, "plain\n");
    for (int i = 0; i < 5; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (i % 2) {
            append(out, record(i));
            SHOW(fsync(out));
        }
        if (i < 3)
            SHOW(close(out));
        direct(SYS_dup3, plain, out, 0, 0);
        int again = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
        append(again, "to the trace\n");
        SHOW(close(again));
        SHOW(fdatasync(plain));
        show_file("plain");
        show_file("a.tr");
        direct(SYS_close, out, 0, 0, 0);
    }
    show_file("plain");
}
