/* SCM_RIGHTS: a trace's descriptor is sent to another process and to ourselves; both go on with one offset. */
//: file a.tr
#include <sys/socket.h>
#include <sys/wait.h>

#include "show.h"

static int transfer(int through, int descriptor)
{
    char byte = 'x', control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (descriptor < 0) {
        if (recvmsg(through, &message, 0) != 1)
            return -1;
        memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
        return descriptor;
    }
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return (int)sendmsg(through, &message, 0);
}

int main(void)
{
    int pair[2];
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT, 0644));
    for (int i = 0; i < 4; i++) {
        append(out, record(i));
        SHOW(transfer(pair[0], out));
        pid_t child = fork();
        if (child == 0) {
            int received = transfer(pair[1], -1);
            SHOW(lseek(received, 0, SEEK_CUR));
            append(received, "by another process\n");
            _exit(0);
        }
        waitpid(child, NULL, 0);
        SHOW(lseek(out, 0, SEEK_CUR));
        append(out, "by us\n");
        SHOW(transfer(pair[0], out));
        int received = OPENED(transfer(pair[1], -1));
        append(received, "by us through a received one\n");
        SHOW(lseek(out, 0, SEEK_CUR));
        append(out, "by us again\n");
        SHOW(close(received));
    }
    show_file("a.tr");
}
