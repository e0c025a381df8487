/* dup2 onto the number of a descriptor that was closed (and is cached), and opens that reuse it: other files get no trace bytes. */
//: file a.tr managed
#include "show.h"

int main(void)
{
    int plain = OPENED(open("plain", O_RDWR | O_CREAT, 0644));
    for (int i = 0; i < 10; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        close(out);
        if (i % 2) {
            SHOW(dup2(plain, out) == out);
        } else {
            SHOW(dup3(plain, out, O_CLOEXEC) == out);
        }
        SHOW(append(out, "into the plain file\n"));
        int again = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(again, "again\n");
        SHOW(append(out, "into the plain file too\n"));
        close(again);
        SHOW(append(out, "and after the close of the other\n"));
        SHOW(lseek(out, 0, SEEK_CUR));
        close(out);
        SHOW(append(out, "closed"));
    }
    show_file("plain");
    show_file("a.tr");
}
