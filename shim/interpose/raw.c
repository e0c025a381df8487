/* raw: past libc's own calls.
 *
 * syscall(2) of something that is interposed goes to the wrapper: same result, same errno. What asynchronous calls do
 * can't be followed: the descriptors they use write through from then on.
 */
#define NAMES_raw
#include "export.h"

#include <sys/syscall.h>

#include "fd.h"

#define FD(x)  ((int)(x))
#define PTR(x) ((void *)(x))

static long fork_like(long number, long a, long b, long c, long d, long e)
{
    tf_fork_prepare();
    long pid = real_syscall(number, a, b, c, d, e, 0);
    if (pid == 0)
        tf_fork_child();
    else
        tf_fork_parent();
    if (pid < 0)
        tf_child_ended(false);
    return pid;
}

static bool shares_memory(long number, long a)
{
    return number == SYS_clone ? a & CLONE_VM : a && *(uint64_t *)a & CLONE_VM;
}

long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
         e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    switch (number) {
    case SYS_read: return read(FD(a), PTR(b), (size_t)c);
    case SYS_write: return write(FD(a), PTR(b), (size_t)c);
    case SYS_readv: return readv(FD(a), PTR(b), FD(c));
    case SYS_writev: return writev(FD(a), PTR(b), FD(c));
    case SYS_pread64: return pread(FD(a), PTR(b), (size_t)c, d);
    case SYS_pwrite64: return pwrite(FD(a), PTR(b), (size_t)c, d);
    case SYS_openat: return tf_open(FD(a), PTR(b), FD(c), (mode_t)d);
    case SYS_close: return close(FD(a));
    case SYS_lseek: return lseek(FD(a), b, FD(c));
    case SYS_dup: return dup(FD(a));
    case SYS_dup3: return dup3(FD(a), FD(b), FD(c));
    case SYS_fcntl: return fcntl(FD(a), FD(b), c);
    case SYS_fsync: return fsync(FD(a));
    case SYS_fdatasync: return fdatasync(FD(a));
    case SYS_ftruncate: return ftruncate(FD(a), b);
    case SYS_truncate: return truncate(PTR(a), b);
    case SYS_fstat: return fstat(FD(a), PTR(b));
    case SYS_newfstatat: return fstatat(FD(a), PTR(b), PTR(c), FD(d));
    case SYS_statx: return statx(FD(a), PTR(b), FD(c), (unsigned)d, PTR(e));
    case SYS_sendfile: return sendfile(FD(a), FD(b), PTR(c), (size_t)d);
    case SYS_renameat2: return renameat2(FD(a), PTR(b), FD(c), PTR(d), (unsigned)e);
    case SYS_unlinkat: return unlinkat(FD(a), PTR(b), FD(c));
    case SYS_linkat: return linkat(FD(a), PTR(b), FD(c), PTR(d), FD(e));
    case SYS_mkdirat: return mkdirat(FD(a), PTR(b), (mode_t)c);
    case SYS_renameat: return renameat(FD(a), PTR(b), FD(c), PTR(d));
    case SYS_symlinkat: return symlinkat(PTR(a), FD(b), PTR(c));
    case SYS_chdir: return chdir(PTR(a));
    case SYS_fchdir: return fchdir(FD(a));
    case SYS_fchmod: return fchmod(FD(a), (mode_t)b);
    case SYS_fchmodat: return fchmodat(FD(a), PTR(b), (mode_t)c, 0);
    case SYS_fchown: return fchown(FD(a), (uid_t)b, (gid_t)c);
    case SYS_fchownat: return fchownat(FD(a), PTR(b), (uid_t)c, (gid_t)d, FD(e));
    case SYS_utimensat: return b || d ? utimensat(FD(a), PTR(b), PTR(c), FD(d)) : futimens(FD(a), PTR(c));
    case SYS_fallocate: return fallocate(FD(a), FD(b), c, d);
    case SYS_copy_file_range: return copy_file_range(FD(a), PTR(b), FD(c), PTR(d), (size_t)e, (unsigned)f);
    case SYS_mmap: return (long)mmap(PTR(a), (size_t)b, FD(c), FD(d), FD(e), f);
    case SYS_munmap: return munmap(PTR(a), (size_t)b);
    case SYS_preadv: return preadv(FD(a), PTR(b), FD(c), d);
    case SYS_pwritev: return pwritev(FD(a), PTR(b), FD(c), d);
    case SYS_preadv2: return preadv2(FD(a), PTR(b), FD(c), d, FD(f));
    case SYS_pwritev2: return pwritev2(FD(a), PTR(b), FD(c), d, FD(f));
    case SYS_ioctl: return ioctl(FD(a), (unsigned long)b, c);
    case SYS_syncfs: return syncfs(FD(a));
    case SYS_sync_file_range: return sync_file_range(FD(a), b, c, (unsigned)d);
    case SYS_wait4: return wait4((pid_t)a, PTR(b), FD(c), PTR(d));
    case SYS_prlimit64: return prlimit((pid_t)a, (enum __rlimit_resource)b, PTR(c), PTR(d));
    case SYS_setrlimit: return setrlimit((__rlimit_resource_t)a, PTR(b));
    case SYS_recvfrom: return recvfrom(FD(a), PTR(b), (size_t)c, FD(d), PTR(e), PTR(f));
    case SYS_recvmsg: return recvmsg(FD(a), PTR(b), FD(c));
    case SYS_recvmmsg: return recvmmsg(FD(a), PTR(b), (unsigned)c, FD(d), PTR(e));
    case SYS_pipe2: return pipe2(PTR(a), FD(b));
    case SYS_memfd_create: return memfd_create(PTR(a), (unsigned)b);
    case SYS_chroot: return chroot(PTR(a));
    case SYS_unshare: return unshare(FD(a));
    case SYS_setns: return setns(FD(a), FD(b));
    case SYS_kill: return kill(FD(a), FD(b));
    case SYS_execve: return execve(PTR(a), PTR(b), PTR(c));
    case NUMBER_CLOSE_RANGE: return shim_close_range((unsigned)a, (unsigned)b, FD(c));
#ifdef __x86_64__
    case SYS_open: return tf_open(AT_FDCWD, PTR(a), FD(b), (mode_t)c);
    case SYS_creat: return tf_open(AT_FDCWD, PTR(a), O_CREAT | O_WRONLY | O_TRUNC, (mode_t)b);
    case SYS_dup2: return dup2(FD(a), FD(b));
    case SYS_stat: return stat(PTR(a), PTR(b));
    case SYS_lstat: return lstat(PTR(a), PTR(b));
    case SYS_chmod: return chmod(PTR(a), (mode_t)b);
    case SYS_chown: return chown(PTR(a), (uid_t)b, (gid_t)c);
    case SYS_symlink: return symlink(PTR(a), PTR(b));
    case SYS_rename: return rename(PTR(a), PTR(b));
    case SYS_unlink: return unlink(PTR(a));
    case SYS_link: return link(PTR(a), PTR(b));
    case SYS_mkdir: return mkdir(PTR(a), (mode_t)b);
    case SYS_rmdir: return rmdir(PTR(a));
    case SYS_fork: return fork_like(number, a, b, c, d, e);
#endif
    case SYS_clone:
    case SYS_clone3:
        if (!shares_memory(number, a))
            return fork_like(number, a, b, c, d, e);
        self_shared = true;
        break;
    case SYS_seccomp: tf_filter(); break;
    case SYS_setuid: shim_leaving((uid_t)a); break;
    case SYS_setreuid: shim_leaving((uid_t)b); break;
    case SYS_setresuid: shim_leaving((uid_t)c); break;
    case SYS_exit_group: tf_before_end(CAUSE_exit); break;
    case SYS_io_uring_enter: tf_barrier_all(CAUSE_data); break;
    case SYS_sendmsg: return sendmsg(FD(a), PTR(b), FD(c));
    case SYS_sendmmsg: return sendmmsg(FD(a), PTR(b), (unsigned)c, FD(d));
    case SYS_splice: return splice(FD(a), PTR(b), FD(c), PTR(d), (size_t)e, (unsigned)f);
    case SYS_flock: return flock(FD(a), FD(b));
    case SYS_sendto: return sendto(FD(a), PTR(b), (size_t)c, FD(d), PTR(e), (socklen_t)f);
    case SYS_shutdown: return shutdown(FD(a), FD(b));
    case SYS_tee: return tee(FD(a), FD(b), (size_t)c, (unsigned)d);
    case SYS_vmsplice: return vmsplice(FD(a), PTR(b), (size_t)c, (unsigned)d);
    /* Without libc's help they are the calling thread's alone. */
    case SYS_setgid:
    case SYS_setregid:
    case SYS_setresgid:
    case SYS_setfsuid:
    case SYS_setfsgid:
    case SYS_setgroups:
    case SYS_capset: shim_leaving((uid_t)-1); break;
    case SYS_tgkill:
    case SYS_tkill:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
    case SYS_pidfd_send_signal:
    case SYS_mq_timedsend:
    case SYS_msgsnd:
    case SYS_semop:
    case SYS_semtimedop:
    case SYS_semctl:
    case SYS_mknodat:
    case SYS_bind: tf_tell(); break;
    default: break;
    }
    return real_syscall(number, a, b, c, d, e, f);
}

static bool bypassed(const struct aiocb *request)
{
    struct handle *h = request ? tf_get(request->aio_fildes) : NULL;
    if (!h)
        return true;
    if (!ready(request->aio_fildes, CAUSE_data))
        return false;
    tf_stop(request->aio_fildes, h, REASON_BYPASSED);
    return true;
}

int aio_read(struct aiocb *request)
{
    return bypassed(request) ? real_aio_read(request) : -1;
}

/* What goes to a pipe or a socket tells others. */
static void telling(const struct aiocb *request)
{
    if (request)
        tf_tell_through(request->aio_fildes);
}

int aio_write(struct aiocb *request)
{
    telling(request);
    return bypassed(request) ? real_aio_write(request) : -1;
}

int aio_fsync(int operation, struct aiocb *request)
{
    return bypassed(request) ? real_aio_fsync(operation, request) : -1;
}

int lio_listio(int mode, struct aiocb *const requests[], int count, struct sigevent *event)
{
    for (int i = 0; requests && i < count; i++) {
        if (requests[i] && requests[i]->aio_lio_opcode == LIO_WRITE)
            telling(requests[i]);
        if (!bypassed(requests[i]))
            tf_replace(requests[i]->aio_fildes); /* closed by the program: the kernel finds it so */
    }
    return real_lio_listio(mode, requests, count, event);
}
