/* A number that was closed a moment ago: EBADF whatever it is used for. See machine.h, to which this belongs.
 *
 * The idea: at once, so that no other call can have been given it. Only calls that the contract lists: the rest sees what is cached
 * as open (exception (f)).
 */
#ifndef CLOSED_H
#define CLOSED_H

#include "machine.h"

static long closed_file(int number, int how)
{
    switch (how) {
    case 0: return write(number, "x", 1);
    case 1: return read(number, buffer, 1);
    case 2: return lseek(number, 0, SEEK_CUR);
    case 3: return fstat(number, &st);
    case 4: return close(number);
    case 5: return dup(number);
    case 6: return fcntl(number, F_GETFD);
    case 7: return fcntl(number, F_GETFL);
    case 8: return fsync(number);
    case 9: return ftruncate(number, 0);
    case 10: return pwrite(number, "x", 1, 0);
    case 11: return writev(number, &(struct iovec){(void *)"x", 1}, 1);
    case 12: return dup2(number, FIXED);
    case 13: return dprintf(number, "x");
    case 14: return fchmod(number, 0600);
    case 15: return fdopen(number, "w") ? 0 : -1;
    case 16: return readv(number, &(struct iovec){buffer, 1}, 1);
    case 17: return pread(number, buffer, 1, 0);
    case 18: return preadv(number, &(struct iovec){buffer, 1}, 1, 0);
    case 19: return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, number, 0) == MAP_FAILED ? -1 : 0;
    case 20: return fallocate(number, 0, 0, 1);
    case 21: return posix_fallocate(number, 0, 1);
    case 22: return posix_fadvise(number, 0, 1, POSIX_FADV_DONTNEED);
    case 23: return sync_file_range(number, 0, 1, SYNC_FILE_RANGE_WRITE);
    case 24: return readahead(number, 0, 1);
    case 25: return fdatasync(number);
    case 26: return syncfs(number);
    case 27: return fchown(number, 0, 0);
    case 28: return futimens(number, NULL);
    case 29: return flock(number, LOCK_SH | LOCK_NB);
    case 30: return lockf(number, F_TLOCK, 0);
    default: return fcntl(number, F_SETLK, &(struct flock){.l_type = F_RDLCK});
    }
}

static long closed_other(int number, int how)
{
    struct iovec v = {(void *)"x", 1};
    struct msghdr message = {.msg_iov = &v, .msg_iovlen = 1};
    struct termios term;
    int value;
    switch (how) {
    case 0: return openat(number, "a.tr", O_WRONLY | O_CREAT, 0644);
    case 1: return fstatat(number, "a.tr", &st, 0);
    case 2: return fstatat(number, "", &st, AT_EMPTY_PATH);
    case 3: return statx(number, "a.tr", 0, STATX_SIZE, &(struct statx){0});
    case 4: return faccessat(number, "a.tr", R_OK, 0);
    case 5: return unlinkat(number, "a.tr", 0);
    case 6: return renameat(number, "a.tr", AT_FDCWD, "b.tr");
    case 7: return renameat2(AT_FDCWD, "a.tr", number, "b.tr", 0);
    case 8: return linkat(AT_FDCWD, "a.tr", number, "b.tr", 0);
    case 9: return symlinkat("a.tr", number, "b.tr");
    case 10: return mkdirat(number, "new", 0755);
    case 11: return fchmodat(number, "a.tr", 0600, 0);
    case 12: return fchownat(number, "a.tr", 0, 0, 0);
    case 13: return utimensat(number, "a.tr", NULL, 0);
    case 14: return fchdir(number);
    case 15: return sendfile(1, number, NULL, 1);
    case 16: return splice(number, NULL, 1, NULL, 1, SPLICE_F_NONBLOCK);
    case 17: return tee(number, number, 1, SPLICE_F_NONBLOCK);
    case 18: return vmsplice(number, &v, 1, SPLICE_F_NONBLOCK);
    case 19: return copy_file_range(number, NULL, 1, NULL, 1, 0);
    case 20: return send(number, "x", 1, MSG_NOSIGNAL);
    case 21: return recv(number, buffer, 1, 0);
    case 22: return sendmsg(number, &message, MSG_NOSIGNAL);
    case 23: return recvmsg(number, &message, 0);
    case 24: return shutdown(number, SHUT_WR);
    case 25: return eventfd_write(number, 1);
    case 26: return ioctl(number, FIONREAD, &value);
    case 27: return isatty(number);
    case 28: return tcgetattr(number, &term);
    case 29: return fcntl(number, F_DUPFD, 0);
    case 30: return mkfifoat(number, "fifo", 0600);
    default: return accept(number, NULL, NULL);
    }
}

UNUSED static long shut_and_use(int slot, int how)
{
    int number = fd[slot];
    if (number < 0 || used_by_stream(number) || close(number) < 0)
        return -2;
    gone(slot);
    return how < 32 ? closed_file(number, how) : closed_other(number, how - 32);
}

#endif
