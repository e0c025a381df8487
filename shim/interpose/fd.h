/* What wrappers on descriptors share.
 *
 * The idea: each wrapper is the same three lines (find the handle, do the barrier, call the real function); here are two of them.
 */
#ifndef TRACESHIM_INTERPOSE_FD_H
#define TRACESHIM_INTERPOSE_FD_H

#include <sys/syscall.h>

#include "../tracefile/tracefile.h"

/* Before a real call on fd: false, with errno, when the program has closed it. */
static inline bool ready(int fd, enum cause cause)
{
    struct handle *h = tf_get(fd);
    return likely(!h) || tf_barrier(fd, h, cause, false) == 0;
}

/* The number for a real call that needs no barrier: -1, which is never open, when the program has closed it. */
static inline int open_number(int fd)
{
    struct handle *h = tf_get(fd);
    return unlikely(h && tf_closed(h)) ? -1 : fd;
}

/* EMFILE met because of our cached descriptors: they go, and the call is made again, as if for the first time. */
#define RELIEVED(fd, call)                                                    \
    do {                                                                      \
        int before = errno;                                                   \
        fd = call;                                                            \
        if (fd < 0 && (errno == EMFILE || errno == ENFILE) && tf_relieve()) { \
            errno = before;                                                   \
            fd = call;                                                        \
        }                                                                     \
    } while (0)

/* write(2) and close(2) as exported, for other wrappers. */
ssize_t shim_write(int fd, const void *p, size_t n);
int shim_close(int fd);
int shim_close_range(unsigned first, unsigned last, int flags);

/* close_range(2), also where libc has none. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
int shim_close_range(unsigned first, unsigned last, int flags);

/* Before setuid(2) and its like, made as the bare system call. */
void shim_leaving(uid_t uid);

#endif
