/* dup, dup2, dup3 and F_DUPFD of a managed descriptor share its offset and its pending bytes; each is closed on its own. */
//: file a.tr
//: file b.tr
#include "show.h"

int main(void)
{
    int a = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644)), b = OPENED(open("b.tr", O_RDWR | O_CREAT, 0644));
    for (int i = 0; i < 5; i++) {
        append(a, record(i));
        append(b, record(i));
    }
    int copies[6] = {OPENED(dup(b)),       OPENED(fcntl(b, F_DUPFD, 100)),  OPENED(fcntl(b, F_DUPFD_CLOEXEC, 200)),
                     OPENED(dup2(b, 300)), OPENED(dup3(b, 301, O_CLOEXEC)), OPENED(dup2(b, b))};
    for (int i = 0; i < 6; i++) {
        dprintf(copies[i], "by copy %d\n", i);
        SHOW(lseek(b, 0, SEEK_CUR));
        SHOW(fcntl(copies[i], F_GETFD));
        SHOW(fcntl(copies[i], F_GETFL));
    }
    SHOW(lseek(copies[1], 7, SEEK_SET));
    SHOW(append(b, "AT SEVEN"));
    SHOW(lseek(copies[3], 0, SEEK_CUR));
    for (int i = 0; i < 5; i++) {
        SHOW(close(copies[i]));
        SHOW(append(copies[i], "closed"));
        SHOW(append(b, "still open\n"));
    }
    SHOW(dup2(a, b));
    SHOW(append(b, "b's number leads to a.tr now\n"));
    show_file("b.tr");
    show_file("a.tr");
    SHOW(close(a));
    SHOW(append(b, "after close of a\n"));
    SHOW(close(b));
    SHOW(dup3(0, 0, 0));
    SHOW(dup3(0, 77, O_APPEND));
    SHOW(dup2(-1, 5));
    SHOW(dup2(0, -1));
    SHOW(dup2(0, 1 << 30));
    SHOW(dup(a));
    SHOW(fcntl(0, F_DUPFD, 1 << 30));
    show_file("a.tr");
    show_path("b.tr");
}
