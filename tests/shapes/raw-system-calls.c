/* syscall() with write, close, dup2, openat, lseek, fsync on a managed descriptor. */
//: file a.tr
#include <sys/syscall.h>

#include "show.h"

int main(void)
{
    char buffer[100];
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(syscall(SYS_write, out, "by syscall\n", 11));
    append(out, record(1));
    SHOW(syscall(SYS_lseek, out, 0, SEEK_CUR));
    SHOW(syscall(SYS_pread64, out, buffer, 30, 0));
    show_bytes("read", buffer, 30);
    SHOW(syscall(SYS_fsync, out));
    int plain = OPENED(open("plain", O_RDWR | O_CREAT, 0644));
    append(out, "before close\n");
    SHOW(syscall(SYS_close, out));
    SHOW(append(out, "closed"));
    show_file("a.tr");
    out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    append(out, "before dup3\n");
    SHOW(syscall(SYS_dup3, plain, out, 0) == out);
    SHOW(append(out, "into plain\n"));
    show_file("plain");
    show_file("a.tr");
    int raw = OPENED((int)syscall(SYS_openat, AT_FDCWD, "a.tr", O_WRONLY | O_APPEND, 0));
    append(raw, "by a descriptor that a raw call opened\n");
    SHOW(close(raw));
    SHOW(syscall(SYS_gettid) == getpid());
    SHOW(syscall(-1));
    show_file("a.tr");
}
