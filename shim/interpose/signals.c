/* signals: another process is told something, or this one interrupts itself.
 *
 * Whoever is told may look at the traces: the bytes are in their files first. Where nothing is pending this costs one load.
 */
#define NAMES_signals
#include "export.h"

#include "fd.h"

#define TELLS(type, name, params, args) \
    type name params                    \
    {                                   \
        tf_tell();                      \
        return real_##name args;        \
    }
TELLS(int, kill, (pid_t pid, int signal), (pid, signal))
TELLS(int, killpg, (pid_t group, int signal), (group, signal))
TELLS(int, tgkill, (pid_t pid, pid_t tid, int signal), (pid, tid, signal))
TELLS(int, raise, (int signal), (signal))
TELLS(int, sigqueue, (pid_t pid, int signal, const union sigval value), (pid, signal, value))
TELLS(int, pthread_kill, (pthread_t thread, int signal), (thread, signal))
TELLS(int, pthread_sigqueue, (pthread_t thread, int signal, const union sigval value), (thread, signal, value))
#if __GLIBC_PREREQ(2, 36)
TELLS(int, pidfd_send_signal, (int pidfd, int signal, siginfo_t *info, unsigned int flags),
      (pidfd, signal, info, flags))
#endif
TELLS(ssize_t, send, (int fd, const void *buf, size_t count, int flags), (open_number(fd), buf, count, flags))
TELLS(ssize_t, sendto,
      (int fd, const void *buf, size_t count, int flags, const struct sockaddr *addr, socklen_t length),
      (open_number(fd), buf, count, flags, addr, length))
TELLS(int, shutdown, (int fd, int how), (open_number(fd), how))
TELLS(int, mq_send, (mqd_t queue, const char *message, size_t length, unsigned int priority),
      (queue, message, length, priority))
TELLS(int, mq_timedsend,
      (mqd_t queue, const char *message, size_t length, unsigned int priority, const struct timespec *timeout),
      (queue, message, length, priority, timeout))
TELLS(int, msgsnd, (int queue, const void *message, size_t length, int flags), (queue, message, length, flags))
TELLS(int, semop, (int set, struct sembuf *operations, size_t count), (set, operations, count))
TELLS(int, semtimedop, (int set, struct sembuf *operations, size_t count, const struct timespec *timeout),
      (set, operations, count, timeout))

/* It is a write of eight bytes, whatever it goes to. */
int eventfd_write(int fd, eventfd_t value)
{
    tf_tell();
    return ready(fd, CAUSE_descriptor) ? real_eventfd_write(fd, value) : -1;
}

/* A semaphore of this process's threads alone tells nobody else; runtimes post them for every lock. glibc keeps behind the count (8
 * bytes on 64-bit machines) which kind of futex it is: 0 for a private one (sem_init(3) with pshared 0). */
int sem_post(sem_t *semaphore)
{
    if (tf_anything_pending() && semaphore && ((const int *)(const void *)semaphore)[2] != 0)
        tf_tell_others();
    return real_sem_post(semaphore);
}

/* Descriptors in a message: the receiver shares their descriptions from now on. */
static void sending(const struct msghdr *message)
{
    struct msghdr *m = (struct msghdr *)message;
    if (!m || !m->msg_control)
        return;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            __builtin_memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            struct handle *h = tf_get(fd);
            if (h)
                tf_stop(fd, h, REASON_SENT);
        }
    }
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    sending(message);
    tf_tell();
    return real_sendmsg(open_number(fd), message, flags);
}

int sendmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags)
{
    for (unsigned i = 0; messages && i < count; i++)
        sending(&messages[i].msg_hdr);
    tf_tell();
    return real_sendmmsg(open_number(fd), messages, count, flags);
}

ssize_t tee(int in, int out, size_t count, unsigned int flags)
{
    tf_tell();
    return real_tee(open_number(in), open_number(out), count, flags);
}

ssize_t vmsplice(int fd, const struct iovec *iov, size_t count, unsigned int flags)
{
    tf_tell();
    return real_vmsplice(open_number(fd), iov, count, flags);
}

int semctl(int set, int number, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *arg = va_arg(list, void *);
    va_end(list);
    tf_tell();
    return real_semctl(set, number, command, arg);
}
