/* Descriptors of things that are no files: sockets, pipes, queues, directories, terminals.
 *
 * What it is for: the descriptors we cache take numbers that the program may need, and the number that it gets may be
 * one that it had closed behind our back.
 *
 * The idea: the real call; when it finds no number free, the idle cached descriptors are closed and it is made once more.
 * What the table says of a number that was given out is out of date.
 *
 * Rules: none of these calls has done anything when it fails with EMFILE or ENFILE, which is why it may be repeated; a call
 * that has (dlopen, getaddrinfo) doesn't belong here. Those that create a name are barriers, as any path created.
 */
#define NAMES_number
#include "export.h"

#include "fd.h"

/* After a call that failed: whether it is worth repeating. errno stays as it was if not. */
static bool relieved(void)
{
    int error = errno;

    if ((error != EMFILE && error != ENFILE) || apart())
        return false;

    bool closed = tf_relieve();

    errno = error;
    return closed;
}

static int numbered(int fd)
{
    if (fd >= 0)
        tf_new_number(fd);
    return fd;
}

static int numbered_pair(int result, const int fds[2])
{
    if (result == 0) {
        tf_new_number(fds[0]);
        tf_new_number(fds[1]);
    }
    return result;
}

/* Before a call with these flags of open(2), which may create a name. */
static void creates(int flags)
{
    if ((flags & O_CREAT) != 0)
        tf_tell();
}

/* The value of a call, which is made again if it failed for want of a number; errno is then what the second one leaves, as
 * if there had been no first. */
#define TWICE(failure, call)                             \
    ({                                                   \
        int before = errno;                              \
        __typeof__(call) made = (call);                  \
        if (unlikely(made == (failure)) && relieved()) { \
            errno = before;                              \
            made = (call);                               \
        }                                                \
        made;                                            \
    })

/* ---- sockets and pipes ---- */

int socket(int domain, int type, int protocol)
{
    return numbered(TWICE(-1, real_socket(domain, type, protocol)));
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
    return numbered_pair(TWICE(-1, real_socketpair(domain, type, protocol, fds)), fds);
}

int accept(int fd, struct sockaddr *addr, socklen_t *length)
{
    return numbered(TWICE(-1, real_accept(open_number(fd), addr, length)));
}

int accept4(int fd, struct sockaddr *addr, socklen_t *length, int flags)
{
    return numbered(TWICE(-1, real_accept4(open_number(fd), addr, length, flags)));
}

int pipe(int fds[2])
{
    return numbered_pair(TWICE(-1, real_pipe(fds)), fds);
}

int pipe2(int fds[2], int flags)
{
    return numbered_pair(TWICE(-1, real_pipe2(fds, flags)), fds);
}

/* ---- events ---- */

int epoll_create(int size)
{
    return numbered(TWICE(-1, real_epoll_create(size)));
}

int epoll_create1(int flags)
{
    return numbered(TWICE(-1, real_epoll_create1(flags)));
}

int eventfd(unsigned int count, int flags)
{
    return numbered(TWICE(-1, real_eventfd(count, flags)));
}

int signalfd(int fd, const sigset_t *mask, int flags)
{
    return numbered(TWICE(-1, real_signalfd(open_number(fd), mask, flags)));
}

int timerfd_create(clockid_t clock, int flags)
{
    return numbered(TWICE(-1, real_timerfd_create(clock, flags)));
}

int inotify_init(void)
{
    return numbered(TWICE(-1, real_inotify_init()));
}

int inotify_init1(int flags)
{
    return numbered(TWICE(-1, real_inotify_init1(flags)));
}

int fanotify_init(unsigned int flags, unsigned int event_flags)
{
    return numbered(TWICE(-1, real_fanotify_init(flags, event_flags)));
}

/* ---- memory, semaphores, queues ---- */

int memfd_create(const char *name, unsigned int flags)
{
    return numbered(TWICE(-1, real_memfd_create(name, flags)));
}

int shm_open(const char *name, int flags, mode_t mode)
{
    creates(flags);
    return numbered(TWICE(-1, real_shm_open(name, flags, mode)));
}

sem_t *sem_open(const char *name, int flags, ...)
{
    mode_t mode = 0;
    unsigned int value = 0;

    if ((flags & O_CREAT) != 0) {
        va_list list;

        va_start(list, flags);
        mode = va_arg(list, mode_t);
        value = va_arg(list, unsigned int);
        va_end(list);
    }
    creates(flags);
    return TWICE(SEM_FAILED, real_sem_open(name, flags, mode, value));
}

mqd_t mq_open(const char *name, int flags, ...)
{
    mode_t mode = 0;
    struct mq_attr *attr = NULL;

    if ((flags & O_CREAT) != 0) {
        va_list list;

        va_start(list, flags);
        mode = va_arg(list, mode_t);
        attr = va_arg(list, struct mq_attr *);
        va_end(list);
    }
    creates(flags);
    return numbered(TWICE(-1, real_mq_open(name, flags, mode, attr)));
}

mqd_t __mq_open_2(const char *name, int flags)
{
    return numbered(TWICE(-1, real___mq_open_2(name, flags)));
}

/* ---- directories ---- */

DIR *opendir(const char *path)
{
    DIR *dir = TWICE(NULL, real_opendir(path));

    if (dir != NULL)
        tf_new_number(dirfd(dir));
    return dir;
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    return TWICE(-1, real_scandir(path, list, filter, compare));
}

int scandirat(int dir, const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **))
{
    return TWICE(-1, real_scandirat(open_number(dir), path, list, filter, compare));
}

/* ---- terminals ---- */

int posix_openpt(int flags)
{
    return numbered(TWICE(-1, real_posix_openpt(flags)));
}

int getpt(void)
{
    return numbered(TWICE(-1, real_getpt()));
}

int openpty(int *master, int *slave, char *name, const struct termios *term, const struct winsize *size)
{
    int result = TWICE(-1, real_openpty(master, slave, name, term, size));

    if (result == 0) {
        tf_new_number(*master);
        tf_new_number(*slave);
    }
    return result;
}

/* The fork inside is libc's own and runs the fork handlers, so that nothing is left to do for the child here. */
int forkpty(int *master, char *name, const struct termios *term, const struct winsize *size)
{
    pid_t pid = TWICE(-1, real_forkpty(master, name, term, size));

    if (pid > 0)
        tf_new_number(*master);
    return pid;
}

#if __GLIBC_PREREQ(2, 36)

/* ---- processes and mounts ---- */

int pidfd_open(pid_t pid, unsigned int flags)
{
    return numbered(TWICE(-1, real_pidfd_open(pid, flags)));
}

/* What comes may be a description of a trace file, this process's own among them: what goes through it isn't seen. */
int pidfd_getfd(int pidfd, int from, unsigned int flags)
{
    int error = errno;
    int fd = TWICE(-1, real_pidfd_getfd(open_number(pidfd), from, flags));

    if (fd >= 0 && !apart()) {
        int status = real_fcntl(fd, F_GETFL, NULL);
        struct handle *h = tf_get(from);

        tf_new_number(fd);
        tf_opened(fd, status < 0 ? O_RDWR : status, true);
        if (h && tf_same_file(fd, h)) /* one description, most likely */
            tf_stop(from, h, REASON_SENT);
        errno = error;
    }
    return fd;
}

int open_tree(int dir, const char *path, unsigned int flags)
{
    return numbered(TWICE(-1, real_open_tree(open_number(dir), path, flags)));
}

int fsopen(const char *type, unsigned int flags)
{
    return numbered(TWICE(-1, real_fsopen(type, flags)));
}

int fspick(int dir, const char *path, unsigned int flags)
{
    return numbered(TWICE(-1, real_fspick(open_number(dir), path, flags)));
}

int fsmount(int fd, unsigned int flags, unsigned int attributes)
{
    return numbered(TWICE(-1, real_fsmount(open_number(fd), flags, attributes)));
}

#endif
