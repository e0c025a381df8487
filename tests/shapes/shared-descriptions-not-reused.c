/* A description that somebody else has too (sent through a socket, inherited) isn't used for the next open, whose offset is its own. */
//: file a.tr
#include <sys/socket.h>
#include <sys/wait.h>

#include "show.h"

static int passed(int number)
{
    int ends[2], new = -1;
    char byte = 'x', control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
    struct iovec v = {&byte, 1};
    struct msghdr message = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(c), &number, sizeof number);
    if (sendmsg(ends[0], &message, 0) == 1 && recvmsg(ends[1], &message, 0) == 1)
        memcpy(&new, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof new);
    close(ends[0]);
    close(ends[1]);
    return new;
}

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    int copy = OPENED(passed(out));
    SHOW(close(out));
    out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    SHOW(lseek(copy, 0, SEEK_CUR));
    SHOW(lseek(out, 0, SEEK_CUR));
    append(out, record(1));
    SHOW(lseek(copy, 0, SEEK_CUR));

    pid_t pid = fork();
    if (pid == 0) {
        close(out);
        int again = open("a.tr", O_WRONLY | O_APPEND);
        append(again, record(2));
        _exit(lseek(again, 0, SEEK_SET) != 0);
    }
    int status;
    waitpid(pid, &status, 0);
    SHOW(status);
    SHOW(lseek(out, 0, SEEK_CUR));
    append(out, record(3));
    show_file("a.tr");
}
