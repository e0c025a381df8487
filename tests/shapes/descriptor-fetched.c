/* pidfd_getfd of one's own descriptor: two numbers that share an offset, as after dup. */
//: file a.tr
#include <sys/syscall.h>

#include "show.h"

#if __GLIBC_PREREQ(2, 36)
#include <sys/pidfd.h>
#else
#define pidfd_open(pid, flags)        (-1)
#define pidfd_getfd(pidfd, fd, flags) dup(fd)
#endif

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int fd = OPENED(open("a.tr", O_RDWR | O_CREAT | (i ? O_APPEND : 0), 0644));
        append(fd, record(i));
        int self = pidfd_open(getpid(), 0);
        int other = OPENED(pidfd_getfd(self, fd, 0));
        close(self);
        SHOW(lseek(other, 0, SEEK_CUR));
        append(fd, record(i));
        SHOW(lseek(other, 0, SEEK_CUR));
        append(other, "by the other\n");
        SHOW(lseek(fd, 0, SEEK_CUR));
        append(fd, record(i));
        SHOW(lseek(other, 5, SEEK_SET));
        SHOW(lseek(fd, 0, SEEK_CUR));
        append(fd, "five\n");
        SHOW(close(other));
        append(fd, record(i));
        SHOW(close(fd));
        show_file("a.tr");
    }
}
