/* pwrite on an O_APPEND descriptor appends (on Linux); on others it writes there; both leave the offset. pwritev2's flags. */
//: file a.tr
//: file b.tr
#include <sys/uio.h>

#include "show.h"

int main(void)
{
    struct iovec parts[2] = {{(char *)"one ", 4}, {(char *)"two\n", 4}};
    int a = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644)), b = OPENED(open("b.tr", O_RDWR | O_CREAT, 0644));
    int both[2] = {a, b};
    volatile int negative = -1;
    for (int i = 0; i < 2; i++) {
        int fd = both[i];
        append(fd, record(1));
        append(fd, record(2));
        SHOW(pwrite(fd, "PWRITE", 6, 3));
        SHOW(lseek(fd, 0, SEEK_CUR));
        SHOW(append(fd, "then appended\n"));
        SHOW(pwritev(fd, parts, 2, 0));
        SHOW(lseek(fd, 0, SEEK_CUR));
        SHOW(pwritev2(fd, parts, 2, 10, 0));
        SHOW(pwritev2(fd, parts, 2, -1, 0));
        SHOW(lseek(fd, 0, SEEK_CUR));
        SHOW(pwritev2(fd, parts, 2, 5, RWF_APPEND));
        SHOW(lseek(fd, 0, SEEK_CUR));
        SHOW(pwrite(fd, "x", 1, -1));
        SHOW(pwrite(fd, "x", 0, 0));
        SHOW(pwritev(fd, parts, negative, 0));
        SHOW(pwrite(fd, "FAR", 3, 9000));
        SHOW(lseek(fd, 0, SEEK_CUR));
        SHOW(append(fd, "and on\n"));
        show_fstat("it", fd);
    }
    show_file("a.tr");
    show_file("b.tr");
}
