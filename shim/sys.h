/* The kernel, called directly.
 *
 * What it is for: the shim's own work (drains, the journal, looks at descriptors) must not pass through
 * libc: libc's calls are cancellation points, set errno, and may be other preloads' functions. Calls made
 * on the program's behalf go through real.h instead.
 *
 * The idea: each function is one system call and returns what the kernel returned: a result, or -errno.
 *
 * Rules: errno is never touched; nothing here locks or allocates; all of it may run in a signal handler,
 * in a vfork child and before libc is initialised.
 */
#ifndef TRACESHIM_SYS_H
#define TRACESHIM_SYS_H

#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
#error "the shim defines both open and open64: build it without _FILE_OFFSET_BITS"
#endif
#if defined _FORTIFY_SOURCE && _FORTIFY_SOURCE > 0
#error "fortify redirects the shim's own definitions: build it without _FORTIFY_SOURCE"
#endif

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/stat.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

static inline long sys6(long nr, long a, long b, long c, long d, long e, long f)
{
#if defined __x86_64__
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long ret;
    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return ret;
#elif defined __aarch64__
    register long x8 __asm__("x8") = nr;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
#error "traceshim supports x86-64 and aarch64"
#endif
}

static inline long sys_openat(int dirfd, const char *path, int flags, mode_t mode)
{
    return sys6(SYS_openat, dirfd, (long)path, flags, mode, 0, 0);
}
static inline long sys_close(int fd)
{
    return sys6(SYS_close, fd, 0, 0, 0, 0, 0);
}
static inline long sys_read(int fd, void *p, size_t n)
{
    return sys6(SYS_read, fd, (long)p, (long)n, 0, 0, 0);
}
static inline long sys_write(int fd, const void *p, size_t n)
{
    return sys6(SYS_write, fd, (long)p, (long)n, 0, 0, 0);
}
static inline long sys_writev(int fd, const struct iovec *v, int n)
{
    return sys6(SYS_writev, fd, (long)v, n, 0, 0, 0);
}
static inline long sys_pwritev(int fd, const struct iovec *v, int n, int64_t at)
{
    return sys6(SYS_pwritev, fd, (long)v, n, (long)at, 0, 0);
}
static inline long sys_preadv(int fd, const struct iovec *v, int n, int64_t at)
{
    return sys6(SYS_preadv, fd, (long)v, n, (long)at, 0, 0);
}
static inline long sys_lseek(int fd, int64_t off, int whence)
{
    return sys6(SYS_lseek, fd, (long)off, whence, 0, 0, 0);
}
static inline long sys_fcntl(int fd, int cmd, long arg)
{
    return sys6(SYS_fcntl, fd, cmd, arg, 0, 0, 0);
}
static inline long sys_ftruncate(int fd, int64_t size)
{
    return sys6(SYS_ftruncate, fd, (long)size, 0, 0, 0, 0);
}
static inline long sys_fallocate(int fd, int mode, int64_t off, int64_t len)
{
    return sys6(SYS_fallocate, fd, mode, (long)off, (long)len, 0, 0);
}
/* struct stat is the kernel's on both machines. */
static inline long sys_fstat(int fd, struct stat *st)
{
    return sys6(SYS_fstat, fd, (long)st, 0, 0, 0, 0);
}
static inline long sys_fstatat(int dirfd, const char *path, struct stat *st, int flags)
{
    return sys6(SYS_newfstatat, dirfd, (long)path, (long)st, flags, 0, 0);
}
static inline long sys_statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *st)
{
    return sys6(SYS_statx, dirfd, (long)path, flags, mask, (long)st, 0);
}
static inline long sys_fstatfs(int fd, void *fs)
{
    return sys6(SYS_fstatfs, fd, (long)fs, 0, 0, 0, 0);
}
static inline long sys_dup3(int fd, int to, int flags)
{
    return sys6(SYS_dup3, fd, to, flags, 0, 0, 0);
}
/* A byte of each of up to 64 pages of this process's memory from `at` on, through the kernel: how many pages could be read before the first that
 * couldn't, or -EFAULT when that is the first. */
static inline long sys_peek(pid_t pid, uintptr_t at, unsigned pages)
{
    char bytes[64];
    struct iovec to = {bytes, pages}, from[64];
    for (unsigned i = 0; i < pages; i++)
        from[i] = (struct iovec){(void *)(at + i * 4096), 1};
    return sys6(SYS_process_vm_readv, pid, (long)&to, 1, (long)from, pages, 0);
}
static inline long sys_readlinkat(int dirfd, const char *path, char *p, size_t n)
{
    return sys6(SYS_readlinkat, dirfd, (long)path, (long)p, (long)n, 0, 0);
}
static inline long sys_getcwd(char *p, size_t n)
{
    return sys6(SYS_getcwd, (long)p, (long)n, 0, 0, 0, 0);
}
static inline long sys_renameat(int odir, const char *old, int ndir, const char *name)
{
    return sys6(SYS_renameat2, odir, (long)old, ndir, (long)name, 0, 0);
}
static inline long sys_unlinkat(int dirfd, const char *path, int flags)
{
    return sys6(SYS_unlinkat, dirfd, (long)path, flags, 0, 0, 0);
}
static inline long sys_linkat(int odir, const char *old, int ndir, const char *name, int flags)
{
    return sys6(SYS_linkat, odir, (long)old, ndir, (long)name, flags, 0);
}
static inline long sys_getdents64(int fd, void *p, size_t n)
{
    return sys6(SYS_getdents64, fd, (long)p, (long)n, 0, 0, 0);
}
static inline long sys_memfd_create(const char *name, unsigned flags)
{
    return sys6(SYS_memfd_create, (long)name, flags, 0, 0, 0, 0);
}
static inline long sys_futex(_Atomic uint32_t *word, int op, uint32_t val, const struct timespec *t)
{
    return sys6(SYS_futex, (long)word, op, val, (long)t, 0, 0);
}
static inline long sys_gettid(void)
{
    return sys6(SYS_gettid, 0, 0, 0, 0, 0, 0);
}
static inline long sys_getpid(void)
{
    return sys6(SYS_getpid, 0, 0, 0, 0, 0, 0);
}
static inline long sys_geteuid(void)
{
    return sys6(SYS_geteuid, 0, 0, 0, 0, 0, 0);
}
static inline long sys_getrandom(void *p, size_t n)
{
    return sys6(SYS_getrandom, (long)p, (long)n, 0, 0, 0, 0);
}
static inline long sys_flock(int fd, int how)
{
    return sys6(SYS_flock, fd, how, 0, 0, 0, 0);
}
static inline long sys_mkdirat(int dirfd, const char *path, mode_t mode)
{
    return sys6(SYS_mkdirat, dirfd, (long)path, mode, 0, 0, 0);
}
static inline long sys_getppid(void)
{
    return sys6(SYS_getppid, 0, 0, 0, 0, 0, 0);
}
static inline long sys_prlimit(int resource, void *old)
{
    return sys6(SYS_prlimit64, 0, resource, 0, (long)old, 0, 0);
}
static inline long sys_setrlimit(int resource, const void *limit)
{
    return sys6(SYS_prlimit64, 0, resource, (long)limit, 0, 0, 0);
}
static inline long sys_sendmsg(int fd, const void *message, int flags)
{
    return sys6(SYS_sendmsg, fd, (long)message, flags, 0, 0, 0);
}
static inline long sys_recv(int fd, void *p, size_t n, int flags)
{
    return sys6(SYS_recvfrom, fd, (long)p, (long)n, flags, 0, 0);
}
static inline long sys_kill(int pid, int number)
{
    return sys6(SYS_kill, pid, number, 0, 0, 0, 0);
}
static inline long sys_tgkill(int pid, int tid, int number)
{
    return sys6(SYS_tgkill, pid, tid, number, 0, 0, 0);
}
static inline long sys_socketpair(int domain, int type, int fds[2])
{
    return sys6(SYS_socketpair, domain, type, 0, (long)fds, 0, 0);
}
static inline long sys_setsid(void)
{
    return sys6(SYS_setsid, 0, 0, 0, 0, 0, 0);
}
static inline long sys_chdir(const char *path)
{
    return sys6(SYS_chdir, (long)path, 0, 0, 0, 0, 0);
}
static inline long sys_execve(const char *path, char *const argv[], char *const envp[])
{
    return sys6(SYS_execve, (long)path, (long)argv, (long)envp, 0, 0, 0);
}
static inline void sys_exit(int status)
{
    sys6(SYS_exit, status, 0, 0, 0, 0, 0);
}
static inline long sys_prctl(int option, long a)
{
    return sys6(SYS_prctl, option, a, 0, 0, 0, 0);
}
static inline long sys_wait4(int pid, int *status, int options)
{
    return sys6(SYS_wait4, pid, (long)status, options, 0, 0, 0);
}
static inline long sys_nanosleep(const struct timespec *t)
{
    return sys6(SYS_nanosleep, (long)t, 0, 0, 0, 0, 0);
}
static inline long sys_faccessat(int dirfd, const char *path, int mode)
{
    return sys6(SYS_faccessat, dirfd, (long)path, mode, 0, 0, 0);
}
/* Newer than some headers; the numbers are the same on all machines. */
static inline long sys_pidfd_open(int pid)
{
    return sys6(434, pid, 0, 0, 0, 0, 0);
}
#define NUMBER_CLOSE_RANGE 436
static inline long sys_close_range(unsigned first, unsigned last, int flags)
{
    return sys6(NUMBER_CLOSE_RANGE, first, last, flags, 0, 0, 0);
}
static inline long sys_sigaltstack(const stack_t *ss, stack_t *old)
{
    return sys6(SYS_sigaltstack, (long)ss, (long)old, 0, 0, 0, 0);
}
/* Pages of memory: a pointer, or -errno cast to one (sys_bad tells). */
static inline void *sys_mmap(void *at, size_t n, int prot, int flags, int fd, int64_t off)
{
    return (void *)sys6(SYS_mmap, (long)at, (long)n, prot, flags, fd, (long)off);
}
static inline int sys_bad(const void *p)
{
    return (unsigned long)p >= (unsigned long)-4095L;
}
static inline long sys_munmap(void *p, size_t n)
{
    return sys6(SYS_munmap, (long)p, (long)n, 0, 0, 0, 0);
}
static inline long sys_madvise(void *p, size_t n, int advice)
{
    return sys6(SYS_madvise, (long)p, (long)n, advice, 0, 0, 0);
}

/* The kernel's signal set is 64 bits on both machines. */
static inline uint64_t sys_block_signals(void)
{
    uint64_t all = ~(uint64_t)0, old = 0;
    sys6(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&old, sizeof all, 0, 0);
    return old;
}
static inline void sys_restore_signals(uint64_t old)
{
    sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&old, 0, sizeof old, 0, 0);
}

/* A signal to a thread of this process, with the siginfo that it came with. */
static inline long sys_requeue(pid_t pid, pid_t tid, int number, siginfo_t *info)
{
    return sys6(SYS_rt_tgsigqueueinfo, pid, tid, number, (long)info, 0, 0);
}

/* Milliseconds of a clock that never jumps, as coarse as the kernel's file times (a tick). From the
 * vdso, a few nanoseconds. */
static inline int64_t sys_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#endif
