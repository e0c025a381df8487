/* A file that root has opened, and closed as somebody else: the next open is refused, as the kernel would. */
//: file a.tr
#include <sys/syscall.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0600));
    FILE *stream = OPENED(fopen("a.tr", "a"));
    append(out, record(0));
    int root = geteuid() == 0;
    if (root && seteuid(65534) != 0)
        return 1;
    SHOW(close(out));
    SHOW(fclose(stream));
    out = open("a.tr", O_WRONLY | O_APPEND);
    SHOW((out < 0) == root);
    stream = fopen("a.tr", "a");
    SHOW((stream == NULL) == root);
    if (root && seteuid(0) != 0)
        return 1;
    out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    append(out, record(1));
    SHOW(close(out));

    /* Past libc, which only changes this thread. */
    if (root && syscall(SYS_setresuid, -1, 65534, -1) != 0)
        return 1;
    out = open("a.tr", O_WRONLY | O_APPEND);
    SHOW((out < 0) == root);
    if (root && syscall(SYS_setresuid, -1, 0, -1) != 0)
        return 1;
    show_file("a.tr");
}
