/* More calls that the fuzzer makes: siblings of others, messages, descriptors of other kinds, walks. See machine.h, to which this
 * belongs. */
#ifndef CALLS_H
#define CALLS_H

#include "streams.h"

/* What fortified programs call; declared only where everything is fortified. */
extern int __open_2(const char *path, int flags);
extern int __openat_2(int dir, const char *path, int flags);
extern ssize_t __read_chk(int number, void *to, size_t n, size_t room);
extern ssize_t __pread_chk(int number, void *to, size_t n, off_t at, size_t room);
extern ssize_t __recv_chk(int number, void *to, size_t n, size_t room, int flags);
extern int __dprintf_chk(int number, int flag, const char *format, ...);
extern int __vdprintf_chk(int number, int flag, const char *format, va_list list);
extern int __fwprintf_chk(FILE *to, int flag, const wchar_t *format, ...);

UNUSED static int by_handle(const char *path, int flags)
{
    struct {
        struct file_handle head;
        unsigned char room[MAX_HANDLE_SZ];
    } handle = {.head.handle_bytes = MAX_HANDLE_SZ};
    int mount;
    if (name_to_handle_at(AT_FDCWD, path, &handle.head, &mount, 0) < 0)
        return -1;
    flags &= ~(O_CREAT | O_EXCL | O_NOFOLLOW);
    return open_by_handle_at(AT_FDCWD, &handle.head, flags | O_NONBLOCK);
}

UNUSED static long printed(int number, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    long done = turn % 2 ? vdprintf(number, format, list) : __vdprintf_chk(number, 1, format, list);
    va_end(list);
    return done;
}

UNUSED static long printed_wide(FILE *to, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    long done = vfwprintf(to, format, list);
    va_end(list);
    return done;
}

/* What needs no stream, since it is stdout's: wide only where the sequence began so. */
UNUSED static long printed_out(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    long done = vwprintf(format, list);
    va_end(list);
    return done;
}

UNUSED static long wide_out(int slot, int how)
{
    if (slot != STREAMS - 1)
        return -2;
    switch (how % 4) {
    case 0: return wprintf(L"%d\n", how);
    case 1: return printed_out(L"%d\n", how);
    case 2: return (long)putwchar(L'0' + how);
    default: return (long)putwchar_unlocked(L'0' + how);
    }
}

/* ---- other kinds of descriptors ---- */

static int accepted(void)
{
    struct sockaddr_un {
        sa_family_t family;
        char path[108];
    } address = {.family = AF_UNIX};
    socklen_t length = sizeof address;
    int listens = socket(AF_UNIX, SOCK_STREAM, 0), new = -1, error;
    if (listens < 0)
        return -1;
    bind(listens, (struct sockaddr *)&address, sizeof address.family); /* the kernel chooses a name */
    listen(listens, 1);
    getsockname(listens, (struct sockaddr *)&address, &length);
    int calls = socket(AF_UNIX, SOCK_STREAM, 0);
    if (calls >= 0 && connect(calls, (struct sockaddr *)&address, length) == 0)
        new = turn % 2 ? accept4(listens, NULL, NULL, SOCK_NONBLOCK) : accept(listens, NULL, NULL);
    error = errno;
    close(listens);
    if (calls >= 0)
        close(calls);
    errno = error;
    return new;
}

static int shared_memory(void)
{
    char name[64];
    snprintf(name, sizeof name, "/traceshim-fuzz-%d", (int)getpid());
    int new = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600), error = errno;
    shm_unlink(name);
    errno = error;
    return new;
}

/* A descriptor of what is no trace file; nothing that is done to it waits. No terminals: they answer in their own time. */
UNUSED static int other(int how)
{
    sigset_t none;
    int new, error = errno;
    sigemptyset(&none);
    switch (how % 16) {
    case 0: return eventfd((unsigned)how, EFD_NONBLOCK);
    case 1: return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    case 2: return epoll_create1(how & 16 ? EPOLL_CLOEXEC : 0);
    case 3: return epoll_create(1);
    case 4: return inotify_init1(IN_NONBLOCK);
    case 5: new = inotify_init(); break;
    case 6: return signalfd(-1, &none, SFD_NONBLOCK);
    case 7: return socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    case 8: return memfd_create("other", how & 16 ? MFD_CLOEXEC : 0);
    case 9: return shared_memory();
    case 10: return eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
    case 11: new = accepted(); break;
    case 12: return fanotify_init(FAN_CLASS_NOTIF | FAN_NONBLOCK, O_RDONLY);
#if __GLIBC_PREREQ(2, 36)
    case 13: return pidfd_open(getpid(), 0);
    case 14: return open_tree(AT_FDCWD, ".", how & 16 ? O_CLOEXEC : 0);
#endif
    default: return signalfd(-1, &none, SFD_NONBLOCK | SFD_CLOEXEC);
    }
    if (new >= 0)
        fcntl(new, F_SETFL, O_NONBLOCK), errno = error;
    return new;
}

/* A copy that didn't come by dup: of the same description. */
UNUSED static int fetched(int number)
{
    int new = -1;
#if __GLIBC_PREREQ(2, 36)
    int self = pidfd_open(getpid(), 0);
    if (self < 0)
        return -1;
    new = pidfd_getfd(self, number, 0);
    int error = errno;
    close(self);
    errno = error;
#else
    (void)number;
#endif
    return new;
}

UNUSED static int open_directory(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return -1;
    int new = dup(dirfd(dir)), error = errno;
    closedir(dir);
    errno = error;
    return new;
}

/* ---- messages ---- */

UNUSED static long sent(int number, size_t n, int how)
{
    struct iovec *v = pieces(n);
    struct mmsghdr m = {.msg_hdr = {.msg_iov = v, .msg_iovlen = 3}};
    const int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
    switch (how % 8) {
    case 0: return send(number, v[2].iov_base, v[2].iov_len, flags);
    case 1: return sendto(number, v[2].iov_base, v[2].iov_len, flags, NULL, 0);
    case 2: return sendmsg(number, &m.msg_hdr, flags);
    case 3: return sendmmsg(number, &m, 1, flags);
    case 4: return vmsplice(number, v, 3, SPLICE_F_NONBLOCK);
    case 5: return eventfd_write(number, (eventfd_t)how);
    case 6: return shutdown(number, how / 8 % 3);
    default: return tee(number, fd[how / 8], n, SPLICE_F_NONBLOCK);
    }
}

UNUSED static long taken(int number, size_t n, int how)
{
    struct iovec *v = rooms(n);
    struct mmsghdr m = {.msg_hdr = {.msg_iov = v, .msg_iovlen = 2}};
    int flags = how & 8 ? MSG_DONTWAIT | MSG_PEEK : MSG_DONTWAIT;
    switch (how % 5) {
    case 0: return got(recv(number, buffer, n, flags));
    case 1: return got(recvfrom(number, buffer, n, flags, NULL, NULL));
    case 2: return got(recvmsg(number, &m.msg_hdr, flags));
    case 3: return recvmmsg(number, &m, 1, flags, NULL) == 1 ? got((long)m.msg_len) : -1;
    default: return got(__recv_chk(number, buffer, n, sizeof buffer, flags));
    }
}

/* ---- attributes and walks ---- */

/* What programs built before glibc 2.33 call; newer headers have no name for it. */
UNUSED static long old_stat(int number, const char *path, int how)
{
    static const char *const names[] = {"__xstat", "__lxstat", "__fxstat", "__fxstatat"};
    void *call = dlsym(RTLD_DEFAULT, names[how % 4]);
    int version = 1;
    if (!call)
        return -2;
    switch (how % 4) {
    case 0:
    case 1: return told(((int (*)(int, const char *, struct stat *))call)(version, path, &st), &st);
    case 2: return told(((int (*)(int, int, struct stat *))call)(version, number, &st), &st);
    default:
        return told(((int (*)(int, int, const char *, struct stat *, int))call)(version, number, path, &st, 0), &st);
    }
}

UNUSED static long touched(int number, const char *path, int how)
{
    const struct timespec *t = times(how);
    struct timeval v[2] = {{t[0].tv_sec, t[0].tv_nsec / 1000}, {t[0].tv_sec, t[0].tv_nsec / 1000}};
    const struct timeval *set = how & 8 ? v : NULL;
    switch (how % 6) {
    case 0: return utime(path, set ? &(struct utimbuf){how, how} : NULL);
    case 1: return utimes(path, set);
    case 2: return lutimes(path, set);
    case 3: return shared_inode(number) ? -2 : futimes(number, set);
    case 4: return futimesat(number, path, set);
    default: return futimesat(AT_FDCWD, path, set);
    }
}

UNUSED static long owned(int number, const char *path, int how)
{
    uid_t who = how & 8 ? 65534 : 0;
    switch (how % 4) {
    case 0: return lchown(path, 65534, who);
    case 1: return shared_inode(number) ? -2 : fchown(number, who, (gid_t)-1);
    case 2: return fchownat(number, path, (uid_t)-1, who, how & 16 ? AT_SYMLINK_NOFOLLOW : 0);
    default: return shared_inode(number) ? -2 : fchownat(number, "", who, who, AT_EMPTY_PATH);
    }
}

static int on_old_walk(const char *path, const struct stat *s, int flag)
{
    return on_walk(path, s, flag, NULL);
}

static long walked_by_fts(char *path)
{
    char *paths_of_walk[] = {path, NULL};
    FTS *walk_ = fts_open(paths_of_walk, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    uint64_t sum = 0; /* of an unsorted list */
    if (!walk_)
        return -1;
    for (FTSENT *e; (e = fts_read(walk_)) != NULL;) {
        if (e->fts_info != FTS_F && e->fts_info != FTS_D && e->fts_info != FTS_SL)
            continue;
        if (e->fts_info == FTS_D)
            (void)fts_children(walk_, FTS_NAMEONLY);
        sum += hash_path(e->fts_path) ^ (e->fts_info == FTS_F ? (uint64_t)e->fts_statp->st_size * 31 : 0);
    }
    extra[0] = sum;
    return fts_close(walk_);
}

UNUSED static long walk_along(int how)
{
    char here[] = ".";
    walked = 0;
    if (how % 2)
        return walked_by_fts(here);
    int done = ftw(here, on_old_walk, 4);
    extra[0] = walked;
    return done;
}

/* ---- names and users ---- */

UNUSED static int directory(const char *path)
{
    char name[] = "dirXXXXXX";
    if (!mkdtemp(name))
        return -1;
    int done = rename(name, path), error = errno;
    if (done < 0)
        rmdir(name);
    errno = error;
    return done;
}

/* Nobody opens the pipe: that would wait. */
UNUSED static int made(int number, const char *path, mode_t mode, int how)
{
    void *call;
    switch (how % 5) {
    case 0: return mkfifo("fifo", mode);
    case 3:
        call = dlsym(RTLD_DEFAULT, "__xmknod");
        return call ? ((int (*)(int, const char *, mode_t, dev_t *))call)(0, path, S_IFREG | mode, &(dev_t){0}) : -2;
    case 1: return mkfifoat(number, "fifo", mode);
    case 2: return mknod(path, S_IFREG | mode, 0);
    default: return mknodat(number, path, S_IFREG | mode, 0);
    }
}

UNUSED static int become(int how)
{
    unsigned id = how & 8 ? 65534 : 0, same = (unsigned)-1;
    switch (how % 16) {
    case 0: return setegid(id);
    case 8: return setgid(id);
    case 9: return setuid(id); /* for good */
    case 10: return unshare(CLONE_FS);
    case 11: return chroot(".");
    case 1: return setreuid(same, id);
    case 2: return setregid(same, id);
    case 3: return setresgid(same, id, same);
    case 4: return setfsuid(id);
    case 5: return setfsgid(id);
    case 6: return setgroups(how & 8 ? 1 : 0, &id);
    case 7: return (int)syscall(SYS_setresuid, same, id, same); /* of this thread */
    default: return seteuid(id);
    }
}

UNUSED static int named_semaphore(void)
{
    char name[64];
    snprintf(name, sizeof name, "/traceshim-fuzz-%d", (int)getpid());
    sem_t *new = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    if (new == SEM_FAILED)
        return -1;
    int done = sem_post(new);
    sem_close(new);
    return done | sem_unlink(name);
}

/* ---- raw system calls ---- */

UNUSED static long raw(int number, const char *path, size_t n, off_t at, int how)
{
    switch (how % 32) {
    case 0: return syscall(SYS_write, number, bytes(n), n);
    case 1: return syscall(SYS_pwrite64, number, bytes(n), n, at);
    case 2: return got(syscall(SYS_read, number, buffer, n));
    case 3: return got(syscall(SYS_pread64, number, buffer, n, at));
    case 4: return syscall(SYS_lseek, number, at, SEEK_SET);
    case 5: return told((int)syscall(SYS_fstat, number, &st), &st);
    case 6: return told((int)syscall(SYS_newfstatat, AT_FDCWD, path, &st, 0), &st);
    case 7: return syscall(SYS_ftruncate, number, at);
    case 8: return syscall(SYS_truncate, path, at);
    case 9: return syscall(SYS_fsync, number);
    case 10: return syscall(SYS_writev, number, pieces(n), 3);
    case 11: return syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    case 12: return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, "k.tr", 0);
    case 13: return syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, "b.tr", 0);
    case 14: return syscall(SYS_fcntl, number, F_GETFL);
    case 15: return syscall(SYS_pwritev2, number, pieces(n), 3, at % 2 ? at : -1, 0, 0);
    case 16: return syscall(SYS_pwritev, number, pieces(n), 3, at, 0);
    case 17: return got(syscall(SYS_preadv, number, rooms(n), 2, at, 0));
    case 18: return syscall(SYS_fallocate, number, 0, at, n);
    case 19: return shared_inode(number) ? -2 : syscall(SYS_fchmod, number, 0644);
    case 20: return syscall(SYS_fchmodat, AT_FDCWD, path, n % 2 ? 0644 : 0444);
    case 21: return syscall(SYS_fchownat, AT_FDCWD, path, n % 2 ? 0 : 65534, -1, 0);
    case 22: return shared_inode(number) ? -2 : syscall(SYS_utimensat, number, NULL, times((int)n % 64), 0);
    case 23: return syscall(SYS_sendto, number, bytes(n), n, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    case 24: return got(syscall(SYS_recvfrom, number, buffer, n, MSG_DONTWAIT, NULL, NULL));
    case 25: return syscall(SYS_copy_file_range, number, NULL, fd[n % DESCRIPTORS], NULL, n, 0);
    case 26: return syscall(SYS_sendfile, number, fd[n % DESCRIPTORS], NULL, n);
    case 27: return syscall(SYS_symlinkat, "a.tr", AT_FDCWD, path);
    case 28: return syscall(SYS_renameat, AT_FDCWD, path, AT_FDCWD, "a.tr");
    case 29: return syscall(SYS_mkdirat, AT_FDCWD, path, 0755);
    case 30: return control(number, FIONREAD);
    default: return is(syscall(SYS_dup3, number, FIXED + 3, 0), FIXED + 3);
    }
}

UNUSED static long raw_open(const char *path, int flags)
{
    return syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
}

#endif
