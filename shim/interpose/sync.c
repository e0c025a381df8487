/* sync: bytes go to the medium. */
#define NAMES_sync
#include "export.h"

#include "fd.h"

static bool drained(int fd)
{
    struct handle *h = tf_get(fd);
    return likely(!h) || tf_barrier(fd, h, CAUSE_sync, true) == 0;
}

int fsync(int fd)
{
    return drained(fd) ? real_fsync(fd) : -1;
}

int fdatasync(int fd)
{
    return drained(fd) ? real_fdatasync(fd) : -1;
}

int syncfs(int fd)
{
    if (!drained(fd))
        return -1;
    tf_barrier_all(CAUSE_sync);
    return real_syncfs(fd);
}

void sync(void)
{
    tf_barrier_all(CAUSE_sync);
    real_sync();
}

int msync(void *addr, size_t length, int flags)
{
    tf_barrier_all(CAUSE_sync);
    return real_msync(addr, length, flags);
}
