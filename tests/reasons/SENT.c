/* Reason SENT: the descriptor went to another process, which writes to it; without O_APPEND both move one offset. */
//: file a.tr write-through reason=SENT
#include <sys/socket.h>
#include <sys/wait.h>

#include "show.h"

/* One byte, and with it a descriptor, or the room for one. */
static struct msghdr *message(int descriptor)
{
    static char byte, room[CMSG_SPACE(sizeof descriptor)];
    static struct iovec part = {&byte, 1};
    static struct msghdr m;
    m = (struct msghdr){.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&m);
    *header =
        (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof descriptor), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return &m;
}

static int other_process(int socket)
{
    int received;
    char byte;
    struct msghdr *m = message(-1);
    if (recvmsg(socket, m, 0) != 1)
        return 1;
    memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(m)), sizeof received);
    do
        append(received, "by another process\n");
    while (write(socket, "!", 1) == 1 && read(socket, &byte, 1) == 1);
    return 0;
}

int main(void)
{
    int ends[2];
    char byte;
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(other_process(ends[1]));
    }
    close(ends[1]);
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT, 0644));
    append(out, record(0));
    SHOW(sendmsg(ends[0], message(out), 0));
    for (int i = 1; i < 10 && read(ends[0], &byte, 1) == 1; i++) {
        append(out, record(i));
        SHOW(lseek(out, 0, SEEK_CUR));
        SHOW(write(ends[0], "!", 1));
    }
    SHOW(read(ends[0], &byte, 1));
    SHOW(close(ends[0]));
    waitpid(child, NULL, 0);
    show_file("a.tr");
}
