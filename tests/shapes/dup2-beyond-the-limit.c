/* dup2 onto an open number that a lower limit has put out of reach: refused, and the number leads where it did. */
//: file a.tr
#include <sys/resource.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT, 0644));
    SHOW(dup2(out, 100));
    SHOW(setrlimit(RLIMIT_NOFILE, &(struct rlimit){20, 1024}));
    append(out, record(0));
    int other = OPENED(open("b.tr", O_RDWR | O_CREAT, 0644));
    SHOW(dup2(other, 100));
    SHOW(dup3(other, 100, O_CLOEXEC));
    append(out, record(1));
    SHOW(lseek(100, 0, SEEK_CUR));
    show_fstat("100", 100);
    append(100, record(2));
    SHOW(lseek(out, 0, SEEK_CUR));
    SHOW(close(100));
    append(out, record(3));
    show_file("a.tr");
}
