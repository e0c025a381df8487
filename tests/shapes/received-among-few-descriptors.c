/* A descriptor that comes in a message finds a free number, as it does natively, though cached ones fill the rest. */
//: file b.tr
#include <sys/resource.h>
#include <sys/socket.h>

#include "show.h"

int main(void)
{
    int ends[2], new = -1;
    char name[] = "b.tr", byte = 'x', control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0};
    struct iovec v = {&byte, 1};
    struct msghdr message = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    c->cmsg_len = CMSG_LEN(sizeof(int));
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(c), &ends[0], sizeof ends[0]);
    SHOW(sendmsg(ends[0], &message, 0));
    for (int i = 0; i < 3; i++) {
        name[0] = (char)('b' + i);
        int out = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        close(out);
    }
    int taken = open("/dev/null", O_RDONLY);
    SHOW(setrlimit(RLIMIT_NOFILE, &(struct rlimit){16, 16}));
    int all[7], count = 0; /* with 0 to 2, the ends, taken and three that are cached: 16 */
    for (; count < 7; count++)
        all[count] = dup(taken);
    SHOW(recvmsg(ends[1], &message, 0));
    SHOW(message.msg_controllen > 0);
    SHOW(message.msg_flags);
    if (message.msg_controllen > 0)
        memcpy(&new, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof new);
    SHOW(new >= 0);
    for (int i = 0; i < count; i++)
        close(all[i]);
    show_file("b.tr");
}
