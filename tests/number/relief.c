/* relief NAME: makes the call NAME when the trace files that the process has opened and closed
 * before would, were they still open, leave it no number: natively all are free. Prints
 * whether the call succeeds, and errno (EXDEV before the call).
 * Without an argument it prints the names it knows. */
#undef _FORTIFY_SOURCE
#include "../../shim/libc.h"

#include <string.h>

#define FILES 8

static int fds[2];

/* CALL(name, what is true when it succeeds) */
#define CALLS(CALL)                                                                              \
    CALL(socket, socket(AF_UNIX, SOCK_STREAM, 0) >= 0)                                           \
    CALL(socketpair, socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0)                              \
    CALL(pipe, pipe(fds) == 0)                                                                   \
    CALL(pipe2, pipe2(fds, O_CLOEXEC) == 0)                                                      \
    CALL(epoll_create, epoll_create(1) >= 0)                                                     \
    CALL(epoll_create1, epoll_create1(0) >= 0)                                                   \
    CALL(eventfd, eventfd(0, 0) >= 0)                                                            \
    CALL(signalfd, signalfd(-1, &(sigset_t){{0}}, 0) >= 0)                                       \
    CALL(timerfd_create, timerfd_create(CLOCK_MONOTONIC, 0) >= 0)                                \
    CALL(inotify_init, inotify_init() >= 0)                                                      \
    CALL(inotify_init1, inotify_init1(0) >= 0)                                                   \
    CALL(memfd_create, memfd_create("name", 0) >= 0)                                             \
    CALL(shm_open, shm_open(unique(), O_RDWR | O_CREAT, 0600) >= 0 && shm_unlink(unique()) == 0) \
    CALL(sem_open, sem_open(unique(), O_CREAT, 0600, 1) && sem_unlink(unique()) == 0)            \
    CALL(opendir, opendir(".") != NULL)                                                          \
    CALL(scandir, scandir(".", &(struct dirent **){NULL}, NULL, NULL) >= FILES)                  \
    CALL(scandirat, scandirat(AT_FDCWD, ".", &(struct dirent **){NULL}, NULL, NULL) >= FILES)    \
    CALL(posix_openpt, posix_openpt(O_RDWR | O_NOCTTY) >= 0)                                     \
    CALL(getpt, getpt() >= 0)                                                                    \
    CALL(open, open(".", O_RDONLY) >= 0)                                                         \
    CALL(openat, openat(AT_FDCWD, ".", O_RDONLY) >= 0)                                           \
    CALL(fopen, fopen("other", "w") != NULL)                                                     \
    CALL(mkstemp, mkstemp((char[]){"XXXXXX"}) >= 0)                                              \
    CALL(tmpfile, tmpfile() != NULL)                                                             \
    CALL(dup, dup(0) >= 0)                                                                       \
    CALL(fcntl, fcntl(0, F_DUPFD, 0) >= 0)                                                       \
    CALL(popen, popen("exit 0", "r") != NULL)

static const char *unique(void)
{
    static char name[40];

    snprintf(name, sizeof name, "/traceshim-relief-%d", (int)getpid());
    return name;
}

/* The highest number that was given out, and one more for the call itself to need. */
static int trace_files(void)
{
    int highest = 0;

    for (int i = 0; i < FILES; i++) {
        char path[20];
        int fd;

        snprintf(path, sizeof path, "%d.trace", i);
        fd = open(path, O_WRONLY | O_APPEND | O_CREAT, 0644);
        if (fd < 0 || write(fd, "line\n", 5) != 5 || close(fd) != 0)
            exit(2);
        if (fd > highest)
            highest = fd;
    }
    return highest;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
#define CALL(name, succeeds) puts(#name);
        CALLS(CALL)
#undef CALL
        return 0;
    }

    for (int fd = 3; fd < 256; fd++) /* what was inherited */
        close(fd);

    /* Natively the highest is 3, under the shim 3 + FILES - 1; the limit is the same. */
    int highest = trace_files();
    struct rlimit limit = {3 + FILES, 3 + FILES};

    if (highest >= 3 + FILES || setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 3;
    errno = EXDEV;
#define CALL(name, succeeds)                                \
    if (strcmp(argv[1], #name) == 0) {                      \
        int success = (succeeds), error = errno;            \
                                                            \
        return printf("%d errno %d\n", success, error) < 0; \
    }
    CALLS(CALL)
    return 4;
}
