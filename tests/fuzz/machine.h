/* What the operations of the fuzzer work on: the same in fuzz.c and in the C programs that it prints.
 *
 * The idea: a few numbered slots for descriptors, streams and mappings, so that an operation is one C
 * expression on slots and paths; every result goes through show(), which whoever includes this defines,
 * as well as run_block(). An operation that starts another context (a child, a thread, a handler, the
 * program again) is given the number of a block of operations that run there.
 *
 * Rules: only one process and one thread runs at a time, and a switch between processes is an end, a wait or a
 * byte in a pipe: all others see is then defined (P3(b)). What P1 lets differ isn't shown:
 *   (d) descriptors go by slots, whose numbers are not shown; a closed number is used again only where no other
 *       call could have been given it: at once, or when it is one of 100 to 103, which only dup2 makes;
 *   (e) times are shown only where the program set them, else as "now" and "not before";
 *   (f) nothing is asked that the contract doesn't list.
 */
#ifndef MACHINE_H
#define MACHINE_H

#undef _FORTIFY_SOURCE
#include <aio.h>
#include <assert.h>
#include <dlfcn.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <linux/falloc.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#if __GLIBC_PREREQ(2, 36)
#include <sys/pidfd.h>
#endif
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wordexp.h>

/* Printed programs are one file: what older releases of glibc lack is here, not in ../lib/older.h. */
#if !__GLIBC_PREREQ(2, 34)
#define CLOSE_RANGE_CLOEXEC 4
static inline int close_range(unsigned first, unsigned last, int flags)
{
    return (int)syscall(436, first, last, flags);
}
#define closefrom(first) ((void)syscall(436, first, ~0U, 0))
#define _Fork()          ((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0))
#endif

#define UNUSED __attribute__((unused))

enum { FLOATING = 4, DESCRIPTORS = 8, FIXED = 100, STREAMS = 5, MAPPINGS = 3, LONGEST = 100000 };

static int fd[DESCRIPTORS];        /* from FLOATING on: the numbers 100 to 103, open or not */
static FILE *stream[STREAMS];      /* the last is stdout */
static bool wide_stream[STREAMS];  /* used for wide characters only */
static bool mixed_stream[STREAMS]; /* its description has other names */
static bool moved_stream[STREAMS]; /* it has read, or changed its place */
static struct {
    char *at;
    size_t length;
    bool stores;
} map[MAPPINGS];
static unsigned turn;  /* which bytes are written next */
static unsigned depth; /* processes between this one and the first */
static char top[PATH_MAX], program[PATH_MAX];
static char buffer[LONGEST + 8];
static char pattern[LONGEST + 5000];
static uint64_t extra[2]; /* more of a result than its value */

/* Defined by whoever includes this. */
static void show(long value, int error);
static void run_block(int block, int part);

/* ---- bytes ---- */

UNUSED static const char *bytes(size_t n)
{
    (void)n; /* at most LONGEST: for the reader */
    return pattern + turn++ * 37 % 4900;
}

UNUSED static const char *text(size_t n)
{
    static char texts[4][512];
    char *to = texts[turn % 4];
    n = n % 400;
    memcpy(to, bytes(n), n);
    to[n] = '\0';
    return to;
}

UNUSED static const wchar_t *wide_text(size_t n)
{
    static wchar_t to[512];
    const char *from = text(n);
    size_t i = 0;
    do
        to[i] = (wchar_t)from[i];
    while (from[i++]);
    return to;
}

static uint64_t hash(const void *data, long n)
{
    const unsigned char *p = data;
    uint64_t h = 14695981039346656037ULL;
    for (long i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211ULL;
    return h;
}

/* The result of a read into buffer. */
UNUSED static long got(long n)
{
    extra[0] = hash(buffer, n);
    return n;
}

/* ---- descriptors ---- */

UNUSED static int keep(int slot, int new)
{
    int error = errno;
    if (new < 0)
        return -1;
    if (slot >= FLOATING) {
        dup2(new, fd[slot]);
        close(new);
    } else {
        if (fd[slot] >= 0)
            close(fd[slot]);
        fd[slot] = new;
    }
    errno = error;
    return 0;
}

/* A floating slot whose number is gone. */
static void gone(int slot)
{
    if (slot < FLOATING)
        fd[slot] = -1;
}

/* Whether a stream uses the number: POSIX (XSH 2.5.1) leaves open what it does when that is closed and given out again. */
static bool used_by_stream(int number)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream[i] && fileno(stream[i]) == number)
            return true;
    return false;
}

UNUSED static int shut_numbers(int first, int last, int flags)
{
    for (int number = first; number <= last; number++)
        if (used_by_stream(number))
            return -2;
    return close_range((unsigned)first, (unsigned)last, flags);
}

UNUSED static int shut(int slot)
{
    if (used_by_stream(fd[slot]))
        return -2;
    int done = close(fd[slot]);
    gone(slot);
    return done;
}

/* Whether two numbers are the same: what dup2 returns is the number it was given. */
UNUSED static long is(long value, long number)
{
    return value < 0 ? value : value == number;
}

/* The reopen per record. */
UNUSED static long appended(const char *path, int flags, size_t n)
{
    int new = open(path, flags, 0644);
    if (new < 0)
        return -1;
    long done = write(new, bytes(n), n);
    int error = errno;
    close(new);
    errno = error;
    return done;
}

UNUSED static long far_copy(int number)
{
    int new = fcntl(number, F_DUPFD, 300);
    if (new < 0)
        return -1;
    long done = write(new, "far\n", 4);
    int error = errno;
    close(new);
    errno = error;
    return new >= 300 ? done : -2;
}

/* 0, 1 and 2 are always open, so that no other open gets them. */
UNUSED static int redirected(int number, const char *path, int flags)
{
    int new = open(path, flags, 0644), error = errno;
    if (new >= 0) {
        dup2(new, number);
        close(new);
    }
    errno = error;
    return new < 0 ? -1 : 0;
}

static int talking; /* pipes at high numbers are in use */

UNUSED static int shut_fixed(void)
{
    for (int i = 0; i < STREAMS; i++)
        if (talking || (stream[i] && fileno(stream[i]) >= FIXED))
            return -2;
    closefrom(FIXED);
    return 0;
}

/* close_range over the floating descriptors: not while a stream has one, whose stale number would be used again. */
UNUSED static int shut_floating(int flags)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream[i] && (i < STREAMS - 1 || fileno(stream[i]) > 2))
            return -2;
    int done = close_range(3, FIXED - 1, (unsigned)flags);
    for (int i = 0; i < FLOATING && !flags; i++)
        fd[i] = -1;
    return done;
}

UNUSED static const char *proc_path(int number, int how)
{
    static char path[64];
    snprintf(path, sizeof path, how % 2 ? "/proc/self/fd/%d" : "/dev/fd/%d", number);
    return path;
}

UNUSED static int temporary(const char *path, int how)
{
    char name[] = "tmpXXXXXX.tr";
    int new;
    switch (how % 4) {
    case 0:
        name[sizeof "tmpXXXXXX" - 1] = '\0';
        new = mkstemp(name);
        break;
    case 1:
        name[sizeof "tmpXXXXXX" - 1] = '\0';
        new = mkostemp(name, O_APPEND);
        break;
    case 2: new = mkstemps(name, 3); break;
    default: new = mkostemps(name, 3, O_APPEND | O_CLOEXEC);
    }
    int error = errno;
    if (new >= 0 && rename(name, path) < 0) {
        error = errno;
        unlink(name);
    }
    errno = error;
    return new;
}

UNUSED static int two_ends(int first, int second, int kind)
{
    int ends[2];
    if (kind % 2 ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) : pipe2(ends, O_NONBLOCK))
        return -1;
    keep(first, ends[0]);
    keep(second, ends[1]);
    return 0;
}

/* To itself through a socket: a new number for the same description. */
UNUSED static int passed(int number)
{
    int ends[2], new = -1;
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {{0}};
    char byte = 'x';
    struct iovec v = {&byte, 1};
    struct msghdr message = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || (limit.rlim_cur < FIXED && geteuid() != 0))
        return -2; /* the kernel counts what all processes of the user have under way */
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
        return -1;
    control.head =
        (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &number, sizeof number);
    if (sendmsg(ends[0], &message, 0) == 1) {
        memset(CMSG_DATA(&control.head), 0xff, sizeof new); /* what stays when there is no room for a descriptor */
        if (recvmsg(ends[1], &message, 0) == 1)
            memcpy(&new, CMSG_DATA(&control.head), sizeof new);
    }
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return new;
}

UNUSED static struct iovec *pieces(size_t n)
{
    static struct iovec v[3];
    v[0] = (struct iovec){(void *)bytes(n), n / 2};
    v[1] = (struct iovec){(void *)bytes(0), n % 2};
    v[2] = (struct iovec){(void *)bytes(n), n - n / 2 - n % 2};
    return v;
}

UNUSED static struct iovec *rooms(size_t n)
{
    static struct iovec v[2];
    v[0] = (struct iovec){buffer, n / 3};
    v[1] = (struct iovec){buffer + n / 3, n - n / 3};
    return v;
}

/* A lock is taken, or asked for: what fcntl says, and the kind of lock it found. */
UNUSED static long lock(int number, int command, int type)
{
    static const short types[] = {F_RDLCK, F_WRLCK, F_UNLCK};
    struct flock l = {.l_type = types[type % 3], .l_whence = SEEK_SET, .l_start = 10, .l_len = type};
    long done = fcntl(number, command, &l);
    extra[0] = (uint64_t)l.l_type;
    return done;
}

UNUSED static long control(int number, unsigned long request)
{
    int value = 1;
    long done = ioctl(number, request, &value);
    extra[0] = (uint64_t)value;
    return done;
}

/* A pipe stays without waiting. */
UNUSED static long set_flags(int number, int flags)
{
    struct stat s;
    if (fstat(number, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode))
        flags |= O_NONBLOCK;
    return fcntl(number, F_SETFL, flags);
}

UNUSED static long asynchronous(int number, int how, size_t n, off_t at)
{
    if (depth) /* in a child glibc waits for its parent's threads */
        return -2;
    bool writes = how & 1;
    struct aiocb a = {.aio_fildes = number, .aio_nbytes = n, .aio_offset = at}, *one = &a;
    a.aio_buf = writes ? (void *)bytes(n) : buffer;
    a.aio_lio_opcode = writes ? LIO_WRITE : LIO_READ;
    int begun;
    if (how % 8 == 7)
        begun = aio_fsync(O_DSYNC, &a);
    else if (how & 2)
        begun = lio_listio(LIO_NOWAIT, &one, 1, NULL);
    else
        begun = writes ? aio_write(&a) : aio_read(&a);
    if (begun < 0)
        return -1;
    int error;
    while ((error = aio_error(&a)) == EINPROGRESS)
        aio_suspend((const struct aiocb *const *)&one, 1, NULL);
    long done = aio_return(&a);
    errno = error;
    return writes ? done : got(done);
}

UNUSED static long copied(int from, int to, size_t n, int how)
{
    switch (how % 3) {
    case 0: return sendfile(to, from, NULL, n);
    case 1: return splice(from, NULL, to, NULL, n, SPLICE_F_NONBLOCK);
    default: return copy_file_range(from, NULL, to, NULL, n, 0);
    }
}

/* ---- attributes ---- */

/* Inodes and the latest time each was seen with; shared by all processes. */
static struct seen {
    uint64_t ino;
    int64_t s;
    long ns;
} * seen;
enum { SEEN = 64 };

/* Set by the program: exactly that. Else 1,000,000, or 1,000,001 when it went back (exception (e) lets it be late only). */
static uint64_t time_shown(uint64_t ino, int64_t s, long ns)
{
    struct seen *at = &seen[ino % SEEN];
    bool back = at->ino == ino && at->s >= 1000000 && (s < at->s || (s == at->s && ns < at->ns));
    *at = (struct seen){ino, s, ns};
    return s < 1000000 ? (uint64_t)s : back ? 1000001 : 1000000;
}

UNUSED static long told(int done, const struct stat *st)
{
    if (done < 0)
        return done;
    extra[0] = (uint64_t)st->st_mode << 40;
    if (S_ISREG(st->st_mode)) {
        extra[0] |= (uint64_t)st->st_size;
        extra[1] = (uint64_t)st->st_nlink << 32 | time_shown(st->st_ino, st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
    }
    return done;
}

static struct stat st;

UNUSED static long asked(int dir, const char *path, int flags)
{
    struct statx x;
    int done = statx(dir, path, flags, STATX_BASIC_STATS, &x);
    if (done < 0)
        return done;
    st = (struct stat){.st_mode = x.stx_mode,
                       .st_size = (off_t)x.stx_size,
                       .st_nlink = x.stx_nlink,
                       .st_ino = x.stx_ino,
                       .st_mtim = {x.stx_mtime.tv_sec, x.stx_mtime.tv_nsec}};
    return told(done, &st);
}

/* mtime goes where the program wants it: it may go back. */
UNUSED static const struct timespec *times(int s)
{
    static struct timespec t[2];
    t[0] = t[1] = (struct timespec){s, s * 1000};
    if (s % 5 == 0)
        t[1].tv_nsec = UTIME_NOW;
    if (s % 5 == 1)
        t[1].tv_nsec = UTIME_OMIT;
    for (int i = 0; i < SEEN; i++)
        seen[i].s = 0;
    return t;
}

/* All of the kernel's nameless descriptors (eventfd, epoll and so on) of a machine have one inode: nothing of it is changed. */
UNUSED static bool shared_inode(int number)
{
    return fstat(number, &st) == 0 && (st.st_mode & S_IFMT) == 0;
}

/* A path, without what FUSE makes of the name of a file that is removed while it is open. */
static uint64_t hash_path(const char *path)
{
    static const char hidden[] = ".fuse_hidden";
    const char *at = strstr(path, hidden);
    return hash(path, at ? at - path + (long)sizeof hidden - 1 : (long)strlen(path));
}

static uint64_t walked;
UNUSED static int on_walk(const char *path, const struct stat *s, int flag, struct FTW *f)
{
    (void)flag, (void)f;
    walked += hash_path(path) ^ ((uint64_t)(S_ISREG(s->st_mode) ? s->st_size * 31 : 0));
    return 0;
}

UNUSED static long walk(const char *path)
{
    walked = 0;
    int done = nftw(path, on_walk, 3, FTW_PHYS);
    extra[0] = walked;
    return done;
}

UNUSED static long listed(const char *path)
{
    struct dirent **list;
    int n = scandir(path, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        extra[0] = extra[0] * 31 + hash_path(list[i]->d_name);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return n;
}

UNUSED static long globbed(const char *what)
{
    glob_t found = {0};
    int done = glob(what, 0, NULL, &found);
    for (size_t i = 0; done == 0 && i < found.gl_pathc; i++)
        extra[0] = extra[0] * 31 + hash(found.gl_pathv[i], (long)strlen(found.gl_pathv[i]));
    if (done == 0)
        globfree(&found);
    return done;
}

/* ---- mappings ---- */

static sigjmp_buf beyond;
static void on_bus(int number)
{
    (void)number;
    siglongjmp(beyond, 1);
}

UNUSED static long mapped(int slot, int number, size_t length, int shared, off_t at)
{
    bool stores = shared & 2;
    char *new = mmap(NULL, length, PROT_READ | (stores ? PROT_WRITE : 0), shared & 1 ? MAP_SHARED : MAP_PRIVATE, number,
                     at & ~4095);
    if (new == MAP_FAILED)
        return -1;
    int error = errno;
    if (map[slot].at)
        munmap(map[slot].at, map[slot].length);
    errno = error;
    map[slot].at = new;
    map[slot].length = length;
    map[slot].stores = stores;
    return 0;
}

UNUSED static long unmapped(int slot)
{
    if (!map[slot].at)
        return -2;
    char *at = map[slot].at;
    map[slot].at = NULL;
    return munmap(at, map[slot].length);
}

/* What the mapping shows up to a page without file behind it. */
UNUSED static long looked(int slot)
{
    volatile long n = 0;
    volatile uint64_t h = 1;
    if (!map[slot].at)
        return -2;
    if (sigsetjmp(beyond, 1) == 0)
        for (; n < (long)map[slot].length; n++)
            h = (h ^ (unsigned char)map[slot].at[n]) * 1099511628211ULL;
    extra[0] = h;
    return n;
}

UNUSED static long stored(int slot, size_t at, int byte)
{
    volatile long n = 0;
    if (!map[slot].at || !map[slot].stores)
        return -2;
    if (sigsetjmp(beyond, 1) == 0) {
        map[slot].at[at % map[slot].length] = (char)('0' + byte);
        n = 1;
    }
    return n;
}

#endif
