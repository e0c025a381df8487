/* data: what a file holds is read, mapped, moved or resized.
 *
 * Before each, the bytes are in the file. A read from what is no regular file may have brought word that a trace file was
 * replaced: the next open of each path looks again.
 */
#define NAMES_data
#include "export.h"

#include "fd.h"

#define READS(fd, call)             \
    do {                            \
        if (!ready(fd, CAUSE_read)) \
            return -1;              \
        ssize_t got = call;         \
        tf_told(fd);                \
        return got;                 \
    } while (0)

ssize_t read(int fd, void *buf, size_t count)
{
    READS(fd, real_read(fd, buf, count));
}

ssize_t __read_chk(int fd, void *buf, size_t count, size_t size)
{
    READS(fd, real___read_chk(fd, buf, count, size));
}

ssize_t readv(int fd, const struct iovec *iov, int count)
{
    READS(fd, real_readv(fd, iov, count));
}

ssize_t pread(int fd, void *buf, size_t count, off_t offset)
{
    READS(fd, real_pread(fd, buf, count, offset));
}

ssize_t __pread_chk(int fd, void *buf, size_t count, off_t offset, size_t size)
{
    READS(fd, real___pread_chk(fd, buf, count, offset, size));
}

ssize_t preadv(int fd, const struct iovec *iov, int count, off_t offset)
{
    READS(fd, real_preadv(fd, iov, count, offset));
}

ssize_t preadv2(int fd, const struct iovec *iov, int count, off_t offset, int flags)
{
    READS(fd, real_preadv2(fd, iov, count, offset, flags));
}

ssize_t recv(int fd, void *buf, size_t count, int flags)
{
    READS(fd, real_recv(fd, buf, count, flags));
}

ssize_t __recv_chk(int fd, void *buf, size_t count, size_t size, int flags)
{
    READS(fd, real___recv_chk(fd, buf, count, size, flags));
}

ssize_t recvfrom(int fd, void *buf, size_t count, int flags, struct sockaddr *addr, socklen_t *length)
{
    READS(fd, real_recvfrom(fd, buf, count, flags, addr, length));
}

ssize_t __recvfrom_chk(int fd, void *buf, size_t count, size_t size, int flags, struct sockaddr *addr,
                       socklen_t *length)
{
    READS(fd, real___recvfrom_chk(fd, buf, count, size, flags, addr, length));
}

/* Descriptors that came in a message: new numbers, and maybe trace files that another process opened. */
static void received(const struct msghdr *message)
{
    struct msghdr *m = (struct msghdr *)message;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd;
            __builtin_memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            int flags = real_fcntl(fd, F_GETFL, NULL);
            tf_opened(fd, flags < 0 ? O_RDWR : flags, true);
        }
    }
}

/* A message may bring descriptors, and can't be received again when there was no room for them. */
static void make_room(int fd, const struct msghdr *message)
{
    int domain = 0, before = errno;
    socklen_t size = sizeof domain;
    if (!message || !message->msg_control || message->msg_controllen < CMSG_LEN(sizeof(int)))
        return;
    if (tf_anything_cached() && getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX)
        tf_evict_all(CAUSE_evict);
    errno = before;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    if (!ready(fd, CAUSE_read))
        return -1;
    make_room(fd, message);
    ssize_t n = real_recvmsg(fd, message, flags);
    if (n >= 0 && message->msg_controllen)
        received(message);
    tf_told(fd);
    return n;
}

int recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout)
{
    if (!ready(fd, CAUSE_read))
        return -1;
    if (messages && count > 0)
        make_room(fd, &messages[0].msg_hdr);
    int n = real_recvmmsg(fd, messages, count, flags, timeout);
    for (int i = 0; i < n; i++)
        if (messages[i].msg_hdr.msg_controllen)
            received(&messages[i].msg_hdr);
    tf_told(fd);
    return n;
}

void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
    struct handle *h = tf_get(fd);
    if (unlikely(h && !(flags & MAP_ANONYMOUS))) {
        if (tf_barrier(fd, h, CAUSE_data, false) < 0)
            return MAP_FAILED;
        void *at = real_mmap(addr, length, prot, flags, fd, offset);
        if (at != MAP_FAILED)
            tf_mapped(fd, at, length);
        return at;
    }
    void *at = real_mmap(addr, length, prot, flags, fd, offset);
    if (at != MAP_FAILED && !(flags & MAP_ANONYMOUS) && unlikely(tf_remembered(fd)))
        tf_mapped(fd, at, length);
    return at;
}

int munmap(void *addr, size_t length)
{
    int done = real_munmap(addr, length);
    if (done == 0)
        tf_unmapped(addr, length);
    return done;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count)
{
    if (!ready(in, CAUSE_data) || !ready(out, CAUSE_data))
        return -1;
    tf_tell_through(out);
    return real_sendfile(out, in, offset, count);
}

ssize_t copy_file_range(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t count, unsigned int flags)
{
    if (!ready(in, CAUSE_data) || !ready(out, CAUSE_data))
        return -1;
    return real_copy_file_range(in, in_offset, out, out_offset, count, flags);
}

ssize_t splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t count, unsigned int flags)
{
    if (!ready(in, CAUSE_data) || !ready(out, CAUSE_data))
        return -1;
    tf_tell_through(out);
    return real_splice(in, in_offset, out, out_offset, count, flags);
}

int ftruncate(int fd, off_t length)
{
    return ready(fd, CAUSE_truncate) ? real_ftruncate(fd, length) : -1;
}

int fallocate(int fd, int mode, off_t offset, off_t length)
{
    return ready(fd, CAUSE_data) ? real_fallocate(fd, mode, offset, length) : -1;
}

/* These two return the error and leave errno alone. */
static bool quietly_ready(int fd)
{
    int before = errno;
    bool is = ready(fd, CAUSE_data);
    errno = before;
    return is;
}

int posix_fallocate(int fd, off_t offset, off_t length)
{
    return quietly_ready(fd) ? real_posix_fallocate(fd, offset, length) : EBADF;
}

int posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
    return quietly_ready(fd) ? real_posix_fadvise(fd, offset, length, advice) : EBADF;
}

int sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags)
{
    return ready(fd, CAUSE_sync) ? real_sync_file_range(fd, offset, count, flags) : -1;
}

ssize_t readahead(int fd, off64_t offset, size_t count)
{
    return ready(fd, CAUSE_read) ? real_readahead(fd, offset, count) : -1;
}
