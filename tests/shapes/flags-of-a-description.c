/* F_GETFL after whoever has set the flags of a description: ioctl, a child that has ended or is alive, a vfork
 * child; and a description of the same file that was opened anew has its own. */
//: file a.tr
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "show.h"

static void look(const char *after, int fd)
{
    int flags = fcntl(fd, F_GETFL);
    say("%s: %s%s%s%s", after, flags & O_APPEND ? "append " : "", flags & O_NONBLOCK ? "nonblock " : "",
        flags & O_ASYNC ? "async " : "", (flags & O_ACCMODE) == O_RDWR ? "rdwr" : "");
    append(fd, "written after it\n");
    SHOW(lseek(fd, 0, SEEK_CUR));
}

static void by_a_child(int fd, int flags, int how)
{
    int status, ends[2], on = flags & O_NONBLOCK;
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    pid_t pid = how == 1 ? vfork() : fork();
    if (pid == 0) {
        char byte;
        if (how == 2 ? ioctl(fd, FIONBIO, &on) : fcntl(fd, F_SETFL, flags))
            _exit(1);
        if (how == 3 && (write(ends[1], "!", 1) != 1 || read(ends[1], &byte, 1) != 1))
            _exit(2);
        _exit(0);
    }
    if (how == 3) {
        char byte;
        SHOW(read(ends[0], &byte, 1));
        look("while the child is alive", fd);
        SHOW(write(ends[0], "!", 1));
    }
    waitpid(pid, &status, 0);
    say("child's status %x", status);
    close(ends[0]);
    close(ends[1]);
    look("after the child", fd);
}

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644)), on = 1, off = 0;
    look("at first", out);
    SHOW(ioctl(out, FIONBIO, &on));
    look("FIONBIO on", out);
    SHOW(ioctl(out, FIONBIO, &off));
    look("FIONBIO off", out);
    SHOW(fcntl(out, F_SETFL, O_NONBLOCK));
    look("F_SETFL", out);
    int copy = OPENED(dup(out));
    SHOW(fcntl(copy, F_SETFL, O_APPEND));
    look("F_SETFL of a copy", out);
    SHOW(close(copy));
    for (int how = 0; how < 4; how++) {
        say("way %d", how);
        by_a_child(out, O_NONBLOCK | (how % 2 ? 0 : O_APPEND), how);
        int other = OPENED(open("a.tr", O_RDWR | O_APPEND));
        look("a new one meanwhile", other);
        SHOW(close(other));
        by_a_child(out, O_APPEND, how);
        look("again", out);
    }
    by_a_child(out, O_NONBLOCK | O_APPEND, 0);
    SHOW(close(out));
    for (int i = 0; i < 3; i++) {
        out = OPENED(open("a.tr", O_RDWR | O_APPEND));
        look("opened anew", out);
        SHOW(ioctl(out, FIONBIO, &on));
        SHOW(close(out));
    }
    show_file("a.tr");
}
