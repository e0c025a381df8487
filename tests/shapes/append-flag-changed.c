/* F_SETFL turns O_APPEND on and off with bytes pending; O_NONBLOCK; F_SETFD; F_GETFL after it. */
//: file a.tr
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT, 0644));
    append(out, record(0));
    append(out, record(1));
    SHOW(fcntl(out, F_SETFL, O_APPEND));
    SHOW(fcntl(out, F_GETFL));
    SHOW(lseek(out, 5, SEEK_SET));
    SHOW(append(out, "appended"));
    SHOW(lseek(out, 0, SEEK_CUR));
    SHOW(fcntl(out, F_SETFL, O_NONBLOCK));
    SHOW(fcntl(out, F_GETFL));
    SHOW(lseek(out, 5, SEEK_SET));
    SHOW(append(out, "AT FIVE"));
    SHOW(lseek(out, 0, SEEK_CUR));
    SHOW(fcntl(out, F_SETFD, FD_CLOEXEC));
    SHOW(fcntl(out, F_GETFD));
    SHOW(close(out));
    for (int i = 0; i < 4; i++) {
        out = OPENED(open("a.tr", O_WRONLY | O_APPEND | (i % 2 ? O_CLOEXEC : 0)));
        SHOW(fcntl(out, F_GETFD));
        SHOW(fcntl(out, F_GETFL));
        append(out, record(i));
        if (i == 2)
            SHOW(fcntl(out, F_SETFL, 0));
        SHOW(fcntl(out, F_SETFD, i % 2 ? 0 : FD_CLOEXEC));
        append(out, "next\n");
        SHOW(lseek(out, 0, SEEK_CUR));
        SHOW(close(out));
    }
    show_file("a.tr");
}
