/* ioctl sets what fcntl asks for; and a descriptor that is only a path is no terminal in another way. */
//: file a.tr
#include <sys/ioctl.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644)), one = 1, none = 0;
    append(out, record(0));
    SHOW(ioctl(out, FIOCLEX));
    SHOW(fcntl(out, F_GETFD));
    SHOW(ioctl(out, FIONCLEX));
    SHOW(fcntl(out, F_GETFD));
    SHOW(ioctl(out, FIONBIO, &one));
    SHOW(fcntl(out, F_GETFL));
    close(out);
    out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    SHOW(fcntl(out, F_GETFL));
    SHOW(ioctl(out, FIONBIO, &none));
    SHOW(isatty(out));
    int path = OPENED(open("a.tr", O_PATH));
    SHOW(isatty(path));
    append(out, record(1));
    show_file("a.tr");
}
