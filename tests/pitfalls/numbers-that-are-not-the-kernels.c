/* Fake descriptor numbers never work out: a trace's number is one of the kernel's, whoever asks, also past libc
 * and in a child. */
//: file a.tr
#include <poll.h>
#include <sys/select.h>
#include <sys/wait.h>

#include "direct.h"
#include "show.h"

int main(void)
{
    struct stat by_libc, by_kernel;
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    FILE *stream = OPENED(fopen("b.tr", "w"));
    int numbers[] = {out, fileno(stream), dup(out), fcntl(out, F_DUPFD, 50)};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char link[32], path[4096];
        int fd = numbers[i];
        SHOW(fstat(fd, &by_libc));
        SHOW(direct(SYS_fstat, fd, (long)&by_kernel, 0, 0));
        SHOW(by_libc.st_ino == by_kernel.st_ino && by_libc.st_dev == by_kernel.st_dev);
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        long n = readlink(link, path, sizeof path);
        SHOW(n > 5 && memcmp(path + n - 4, i == 1 ? "b.tr" : "a.tr", 4) == 0);
        struct pollfd one = {fd, POLLOUT, 0};
        SHOW(poll(&one, 1, 0) == 1 && one.revents == POLLOUT);
        fd_set set;
        FD_ZERO(&set);
        FD_SET(fd, &set);
        SHOW(select(fd + 1, NULL, &set, NULL, NULL));
        pid_t child = fork();
        if (child == 0) {
            char command[64];
            snprintf(command, sizeof command, "echo by a child >&%d", fd);
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
            _exit(9);
        }
        int status = -1;
        waitpid(child, &status, 0);
        say("status %d", status);
    }
    show_file("a.tr");
    show_file("b.tr");
}
