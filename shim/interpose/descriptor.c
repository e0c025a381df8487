/* descriptor: a descriptor is copied, locked or controlled.
 *
 * The kernel goes first and the table follows; where a number is about to be replaced, what it stood for ends before.
 */
#define NAMES_descriptor
#include "export.h"

#include "fd.h"

/* `to` is a new name for what fd leads to. h: tf_get(fd) from before the call. chosen: by the program, not the kernel. */
static void copied(int fd, struct handle *h, int to, bool chosen)
{
    tf_new_number(to);
    if (h)
        tf_dup(to, h, chosen);
    else
        tf_dup_other(to, fd);
    if (tf_has_stream(to))
        tf_used_unseen(to);
}

int dup(int fd)
{
    struct handle *h = tf_get(fd);
    if (!ready(fd, CAUSE_descriptor))
        return -1;
    int to;
    RELIEVED(to, real_dup(fd));
    if (to >= 0)
        copied(fd, h, to, false);
    return to;
}

/* Whether something that we know ends at the number: dup2 to itself, from what isn't open or beyond the limit changes nothing. */
static bool replaces(int fd, int to)
{
    struct rlimit limit;
    if (fd == to || !tf_knows(to) || sys_fcntl(fd, F_GETFD, 0) < 0)
        return false;
    return sys_prlimit(RLIMIT_NOFILE, &limit) < 0 || (rlim_t)to < limit.rlim_cur;
}

/* Before dup2(fd, to): what `to` was is closed, if anything. */
static void tell_replaced(int fd, int to)
{
    if (tf_anything_pending() && fd != to && sys_fcntl(to, F_GETFD, 0) >= 0)
        tf_tell_close(to, tf_get(to));
}

int dup2(int fd, int to)
{
    struct handle *h = tf_get(fd);
    if (!ready(fd, CAUSE_descriptor))
        return -1;
    tell_replaced(fd, to);
    if (replaces(fd, to))
        tf_replace(to);
    int done = real_dup2(fd, to);
    if (done >= 0 && fd != to)
        copied(fd, h, to, true);
    return done;
}

int dup3(int fd, int to, int flags)
{
    struct handle *h = tf_get(fd);
    if (!ready(fd, CAUSE_descriptor))
        return -1;
    tell_replaced(fd, to);
    if (replaces(fd, to) && !(flags & ~O_CLOEXEC))
        tf_replace(to);
    int done = real_dup3(fd, to, flags);
    if (done >= 0)
        copied(fd, h, to, true);
    return done;
}

/* fcntl(2) on a descriptor that leads to a trace file. */
static int control(int fd, struct handle *h, int command, void *arg)
{
    int done;
    switch (command) {
    case F_GETFD: done = tf_cloexec(fd, h); return done >= 0 ? done : real_fcntl(fd, command, arg);
    case F_SETFD:
        if (tf_set_cloexec(fd, h, (int)(long)arg))
            return 0;
        return real_fcntl(fd, command, arg);
    case F_GETFL:
        done = tf_shown_flags(h);
        if (done == 0) {
            done = real_fcntl(fd, command, arg);
            if (done >= 0)
                tf_flags_shown(h, done);
        }
        return done;
    case F_SETFL:
        done = real_fcntl(fd, command, arg);
        if (done == 0)
            tf_set_flags(h, (int)(long)arg);
        return done;
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
    case F_SETLEASE: tf_stop(fd, h, REASON_LOCKED); return real_fcntl(fd, command, arg);
    default: return real_fcntl(fd, command, arg);
    }
}

int fcntl(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *arg = va_arg(list, void *);
    va_end(list);
    struct handle *h = tf_get(fd);
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW)
        tf_locking(arg && ((struct flock *)arg)->l_type != F_UNLCK, arg && ((struct flock *)arg)->l_type != F_WRLCK);
    bool harmless = command == F_GETFD || command == F_SETFD || command == F_GETFL;
    if (h && !harmless && !ready(fd, CAUSE_descriptor))
        return -1;
    if (h && tf_closed(h)) {
        errno = EBADF;
        return -1;
    }
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
        int to;
        RELIEVED(to, real_fcntl(fd, command, arg));
        if (to >= 0)
            copied(fd, h, to, false);
        return to;
    }
    return likely(!h) ? real_fcntl(fd, command, arg) : control(fd, h, command, arg);
}

static bool locking(int fd, bool takes, bool releases)
{
    struct handle *h = tf_get(fd);
    tf_locking(takes, releases);
    if (!h)
        return true;
    if (!ready(fd, CAUSE_lock))
        return false;
    tf_stop(fd, h, REASON_LOCKED);
    return true;
}

int lockf(int fd, int command, off_t length)
{
    return locking(fd, command == F_LOCK || command == F_TLOCK, command == F_ULOCK) ? real_lockf(fd, command, length)
                                                                                    : -1;
}

int flock(int fd, int operation)
{
    return locking(fd, operation & (LOCK_EX | LOCK_SH), !(operation & LOCK_EX)) ? real_flock(fd, operation) : -1;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    va_start(list, request);
    void *arg = va_arg(list, void *);
    va_end(list);
    if (!ready(fd, CAUSE_descriptor))
        return -1;
    int done = real_ioctl(fd, request, arg);
    struct handle *h = tf_get(fd);
    if (h && done == 0 && (request == FIOCLEX || request == FIONCLEX))
        tf_set_cloexec(fd, h, request == FIOCLEX ? FD_CLOEXEC : 0);
    else if (h && done == 0 && (request == FIONBIO || request == FIOASYNC))
        tf_set_flags(h, real_fcntl(fd, F_GETFL, NULL));
    return done;
}

/* A trace file is no terminal: languages ask at every open. */
static bool no_terminal(int fd)
{
    struct handle *h = tf_get(fd);
    if (!h || (tf_flags(h) & O_PATH))
        return false;
    errno = tf_closed(h) ? EBADF : ENOTTY;
    return true;
}

int isatty(int fd)
{
    return no_terminal(fd) ? 0 : real_isatty(fd);
}

int tcgetattr(int fd, struct termios *term)
{
    return no_terminal(fd) ? -1 : real_tcgetattr(fd, term);
}

int login_tty(int fd)
{
    for (int to = 0; to <= 2; to++)
        if (to != fd)
            tf_replace(to);
    return ready(fd, CAUSE_descriptor) ? real_login_tty(fd) : -1;
}
