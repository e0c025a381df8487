/* names.h - the table of interposed names.
 *
 * Every function that libtraceshim.so exports is here once, with its type.  The
 * declarations and aliases (export.h), the real calls (real.h, real.c), the version
 * script (scripts/gen-exports) and the audit (tests/audit) are made from it.
 *
 * It is included, not linked: define the forms you want and, unless you want all
 * families, NAMES_<family>, then include it; what you left undefined expands to
 * nothing and everything is undefined again at the end.
 *
 *   F(family, ret, name, (parameters), (arguments))
 *       a function of fixed parameters
 *   V(family, ret, name, (exported prototype, ...), (parameters), (arguments))
 *       a variadic one; the second list spells out what the real call is given
 *   P(family, ret, name, (exported prototype, ...), target)
 *       a variadic one that can only be forwarded as a list, by `target`
 *   N(family, name, (parameters), (arguments))
 *       one that doesn't return
 *   S(family, ret, name, (parameters))
 *       one that C can't wrap: exported by assembly, called by real_get(REAL_name)
 *   A(name, target)
 *       another exported name of the same function: same parameters and behaviour
 *       on LP64, where libc's two are one function or differ only in the width of
 *       off_t, which is the same
 *   L(name, "reason")
 *       left out on purpose, though it is a sibling of a name above
 *
 * A family is a row of the table of interposed calls and a file in interpose/.
 *
 * Rules.  Every sibling that libc exports is listed, on both sides of glibc 2.33
 * (__xstat and stat): a binary calls the ones its own build knew.  Names that came
 * after glibc 2.31 stand under __GLIBC_PREREQ, save stat's, which binaries built
 * elsewhere bring along.  _IO_* and *_nocancel names are libc's own and left out as
 * a class, except where they alias a public call.  Names with the version
 * GLIBC_PRIVATE aren't for programs.
 *
 * Where libc has two versions of a name (nftw, glob, posix_spawn of before 2.15), all
 * callers get the newest: the old ones differ in cases nobody has met since 2012.
 */
#include <features.h>

#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 31)
#error "traceshim needs glibc 2.31 or later"
#endif
#if !defined __LP64__ || !(defined __x86_64__ || defined __aarch64__)
#error "traceshim is for 64-bit x86-64 and aarch64"
#endif

#if !(defined NAMES_open || defined NAMES_close || defined NAMES_write || defined NAMES_position ||       \
      defined NAMES_data || defined NAMES_sync || defined NAMES_descriptor || defined NAMES_attributes || \
      defined NAMES_names || defined NAMES_process || defined NAMES_signals || defined NAMES_streams ||   \
      defined NAMES_raw || defined NAMES_number || defined NAMES_handlers)
#define NAMES_ALL
#endif

#ifndef F
#define F(family, ret, name, params, args)
#endif
#ifndef V
#define V(family, ret, name, proto, params, args)
#endif
#ifndef P
#define P(family, ret, name, proto, target)
#endif
#ifndef N
#define N(family, name, params, args)
#endif
#ifndef S
#define S(family, ret, name, params)
#endif
#ifndef A
#define A(name, target)
#endif
#ifndef L
#define L(name, reason)
#endif

/* clang-format off */

#if defined NAMES_ALL || defined NAMES_open
/* open: a path, a template or a descriptor becomes a descriptor or a stream */
V(open, int, open, (const char *path, int flags, ...),
  (const char *path, int flags, mode_t mode), (path, flags, mode))
A(open64, open)
A(__open, open)
A(__open64, open)
F(open, int, __open_2, (const char *path, int flags), (path, flags))
F(open, int, __open64_2, (const char *path, int flags), (path, flags)) /* says "open64" when it aborts */
V(open, int, openat, (int dir, const char *path, int flags, ...),
  (int dir, const char *path, int flags, mode_t mode), (dir, path, flags, mode))
A(openat64, openat)
F(open, int, __openat_2, (int dir, const char *path, int flags), (dir, path, flags))
F(open, int, __openat64_2, (int dir, const char *path, int flags), (dir, path, flags))
F(open, int, creat, (const char *path, mode_t mode), (path, mode))
A(creat64, creat)
F(open, int, open_by_handle_at, (int mount, struct file_handle *handle, int flags),
  (mount, handle, flags))
F(open, int, mkstemp, (char *template), (template))
A(mkstemp64, mkstemp)
F(open, int, mkostemp, (char *template, int flags), (template, flags))
A(mkostemp64, mkostemp)
F(open, int, mkstemps, (char *template, int suffix), (template, suffix))
A(mkstemps64, mkstemps)
F(open, int, mkostemps, (char *template, int suffix, int flags), (template, suffix, flags))
A(mkostemps64, mkostemps)
F(open, FILE *, fopen, (const char *path, const char *mode), (path, mode))
A(fopen64, fopen)
A(_IO_fopen, fopen)
F(open, FILE *, freopen, (const char *path, const char *mode, FILE *stream), (path, mode, stream))
A(freopen64, freopen)
F(open, FILE *, fdopen, (int fd, const char *mode), (fd, mode))
A(_IO_fdopen, fdopen)
F(open, FILE *, tmpfile, (void), ())
A(tmpfile64, tmpfile)
#endif

#if defined NAMES_ALL || defined NAMES_close
/* close: a descriptor or a stream ends */
F(close, int, close, (int fd), (fd))
A(__close, close)
F(close, int, fclose, (FILE *stream), (stream))
A(_IO_fclose, fclose)
F(close, int, fcloseall, (void), ())
#if __GLIBC_PREREQ(2, 34)
F(close, int, close_range, (unsigned int first, unsigned int last, int flags), (first, last, flags))
F(close, void, closefrom, (int first), (first))
#endif
#endif

#if defined NAMES_ALL || defined NAMES_write
/* write: bytes go to a descriptor */
F(write, ssize_t, write, (int fd, const void *buf, size_t count), (fd, buf, count))
A(__write, write)
F(write, ssize_t, writev, (int fd, const struct iovec *iov, int count), (fd, iov, count))
F(write, ssize_t, pwrite, (int fd, const void *buf, size_t count, off_t offset),
  (fd, buf, count, offset))
A(pwrite64, pwrite)
A(__pwrite64, pwrite)
F(write, ssize_t, pwritev, (int fd, const struct iovec *iov, int count, off_t offset),
  (fd, iov, count, offset))
A(pwritev64, pwritev)
F(write, ssize_t, pwritev2, (int fd, const struct iovec *iov, int count, off_t offset, int flags),
  (fd, iov, count, offset, flags))
A(pwritev64v2, pwritev2)
P(write, int, dprintf, (int fd, const char *format, ...), vdprintf)
P(write, int, __dprintf_chk, (int fd, int flag, const char *format, ...), __vdprintf_chk)
F(write, int, vdprintf, (int fd, const char *format, va_list list), (fd, format, list))
F(write, int, __vdprintf_chk, (int fd, int flag, const char *format, va_list list),
  (fd, flag, format, list))
#endif

#if defined NAMES_ALL || defined NAMES_position
/* position: where a descriptor stands */
F(position, off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence))
A(lseek64, lseek)
A(__lseek, lseek)
A(llseek, lseek) /* of binaries linked before glibc 2.28 */
#endif

#if defined NAMES_ALL || defined NAMES_data
/* data: what a file holds is read, mapped, moved or resized; recv* because what a socket
 * says may be that a file was replaced, and because it may carry a descriptor */
F(data, ssize_t, read, (int fd, void *buf, size_t count), (fd, buf, count))
A(__read, read)
F(data, ssize_t, __read_chk, (int fd, void *buf, size_t count, size_t size),
  (fd, buf, count, size))
F(data, ssize_t, readv, (int fd, const struct iovec *iov, int count), (fd, iov, count))
F(data, ssize_t, pread, (int fd, void *buf, size_t count, off_t offset), (fd, buf, count, offset))
A(pread64, pread)
A(__pread64, pread)
F(data, ssize_t, __pread_chk, (int fd, void *buf, size_t count, off_t offset, size_t size),
  (fd, buf, count, offset, size))
A(__pread64_chk, __pread_chk)
F(data, ssize_t, preadv, (int fd, const struct iovec *iov, int count, off_t offset),
  (fd, iov, count, offset))
A(preadv64, preadv)
F(data, ssize_t, preadv2, (int fd, const struct iovec *iov, int count, off_t offset, int flags),
  (fd, iov, count, offset, flags))
A(preadv64v2, preadv2)
F(data, void *, mmap, (void *addr, size_t length, int prot, int flags, int fd, off_t offset),
  (addr, length, prot, flags, fd, offset))
A(mmap64, mmap)
F(data, int, munmap, (void *addr, size_t length), (addr, length))
F(data, ssize_t, sendfile, (int out, int in, off_t *offset, size_t count),
  (out, in, offset, count))
A(sendfile64, sendfile)
F(data, ssize_t, copy_file_range,
  (int in, off64_t *in_offset, int out, off64_t *out_offset, size_t count, unsigned int flags),
  (in, in_offset, out, out_offset, count, flags))
F(data, ssize_t, splice,
  (int in, off64_t *in_offset, int out, off64_t *out_offset, size_t count, unsigned int flags),
  (in, in_offset, out, out_offset, count, flags))
F(data, int, ftruncate, (int fd, off_t length), (fd, length))
A(ftruncate64, ftruncate)
F(data, int, fallocate, (int fd, int mode, off_t offset, off_t length),
  (fd, mode, offset, length))
A(fallocate64, fallocate)
F(data, int, posix_fallocate, (int fd, off_t offset, off_t length), (fd, offset, length))
A(posix_fallocate64, posix_fallocate)
F(data, int, sync_file_range, (int fd, off64_t offset, off64_t count, unsigned int flags),
  (fd, offset, count, flags))
F(data, int, posix_fadvise, (int fd, off_t offset, off_t length, int advice),
  (fd, offset, length, advice))
A(posix_fadvise64, posix_fadvise)
F(data, ssize_t, readahead, (int fd, off64_t offset, size_t count), (fd, offset, count))
F(data, ssize_t, recv, (int fd, void *buf, size_t count, int flags), (fd, buf, count, flags))
F(data, ssize_t, __recv_chk, (int fd, void *buf, size_t count, size_t size, int flags),
  (fd, buf, count, size, flags))
F(data, ssize_t, recvfrom,
  (int fd, void *buf, size_t count, int flags, struct sockaddr *addr, socklen_t *length),
  (fd, buf, count, flags, addr, length))
F(data, ssize_t, __recvfrom_chk,
  (int fd, void *buf, size_t count, size_t size, int flags, struct sockaddr *addr,
   socklen_t *length),
  (fd, buf, count, size, flags, addr, length))
F(data, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
F(data, int, recvmmsg,
  (int fd, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout),
  (fd, messages, count, flags, timeout))
#endif

#if defined NAMES_ALL || defined NAMES_sync
/* sync: bytes go to the medium */
F(sync, int, fsync, (int fd), (fd))
F(sync, int, fdatasync, (int fd), (fd))
F(sync, int, syncfs, (int fd), (fd))
F(sync, void, sync, (void), ())
F(sync, int, msync, (void *addr, size_t length, int flags), (addr, length, flags))
#endif

#if defined NAMES_ALL || defined NAMES_descriptor
/* descriptor: a descriptor is copied, locked or controlled */
F(descriptor, int, dup, (int fd), (fd))
F(descriptor, int, dup2, (int fd, int to), (fd, to))
A(__dup2, dup2)
F(descriptor, int, dup3, (int fd, int to, int flags), (fd, to, flags))
V(descriptor, int, fcntl, (int fd, int command, ...), (int fd, int command, void *arg),
  (fd, command, arg))
A(fcntl64, fcntl)
A(__fcntl, fcntl)
F(descriptor, int, lockf, (int fd, int command, off_t length), (fd, command, length))
A(lockf64, lockf)
F(descriptor, int, flock, (int fd, int operation), (fd, operation))
V(descriptor, int, ioctl, (int fd, unsigned long request, ...),
  (int fd, unsigned long request, void *arg), (fd, request, arg))
F(descriptor, int, isatty, (int fd), (fd))
F(descriptor, int, tcgetattr, (int fd, struct termios *term), (fd, term))
F(descriptor, int, login_tty, (int fd), (fd))
#endif

#if defined NAMES_ALL || defined NAMES_attributes
/* attributes: size, times, mode and owner of a file, also as part of a walk */
F(attributes, int, stat, (const char *path, struct stat *st), (path, st))
A(stat64, stat)
F(attributes, int, fstat, (int fd, struct stat *st), (fd, st))
A(fstat64, fstat)
F(attributes, int, lstat, (const char *path, struct stat *st), (path, st))
A(lstat64, lstat)
F(attributes, int, fstatat, (int dir, const char *path, struct stat *st, int flags),
  (dir, path, st, flags))
A(fstatat64, fstatat)
F(attributes, int, __xstat, (int version, const char *path, struct stat *st), (version, path, st))
A(__xstat64, __xstat)
F(attributes, int, __fxstat, (int version, int fd, struct stat *st), (version, fd, st))
A(__fxstat64, __fxstat)
F(attributes, int, __lxstat, (int version, const char *path, struct stat *st), (version, path, st))
A(__lxstat64, __lxstat)
F(attributes, int, __fxstatat, (int version, int dir, const char *path, struct stat *st, int flags),
  (version, dir, path, st, flags))
A(__fxstatat64, __fxstatat)
F(attributes, int, statx,
  (int dir, const char *path, int flags, unsigned int mask, struct statx *stx),
  (dir, path, flags, mask, stx))
F(attributes, int, access, (const char *path, int mode), (path, mode))
F(attributes, int, faccessat, (int dir, const char *path, int mode, int flags),
  (dir, path, mode, flags))
F(attributes, int, euidaccess, (const char *path, int mode), (path, mode))
A(eaccess, euidaccess)
F(attributes, int, truncate, (const char *path, off_t length), (path, length))
A(truncate64, truncate)
F(attributes, int, utime, (const char *path, const struct utimbuf *times), (path, times))
F(attributes, int, utimes, (const char *path, const struct timeval times[2]), (path, times))
F(attributes, int, lutimes, (const char *path, const struct timeval times[2]), (path, times))
F(attributes, int, futimes, (int fd, const struct timeval times[2]), (fd, times))
F(attributes, int, futimesat, (int dir, const char *path, const struct timeval times[2]),
  (dir, path, times))
F(attributes, int, utimensat,
  (int dir, const char *path, const struct timespec times[2], int flags),
  (dir, path, times, flags))
F(attributes, int, futimens, (int fd, const struct timespec times[2]), (fd, times))
F(attributes, int, chmod, (const char *path, mode_t mode), (path, mode))
F(attributes, int, lchmod, (const char *path, mode_t mode), (path, mode))
F(attributes, int, fchmod, (int fd, mode_t mode), (fd, mode))
F(attributes, int, fchmodat, (int dir, const char *path, mode_t mode, int flags),
  (dir, path, mode, flags))
F(attributes, int, chown, (const char *path, uid_t uid, gid_t gid), (path, uid, gid))
F(attributes, int, lchown, (const char *path, uid_t uid, gid_t gid), (path, uid, gid))
F(attributes, int, fchown, (int fd, uid_t uid, gid_t gid), (fd, uid, gid))
F(attributes, int, fchownat, (int dir, const char *path, uid_t uid, gid_t gid, int flags),
  (dir, path, uid, gid, flags))
F(attributes, int, ftw, (const char *path, __ftw_func_t call, int descriptors),
  (path, call, descriptors))
A(ftw64, ftw)
F(attributes, int, nftw, (const char *path, __nftw_func_t call, int descriptors, int flags),
  (path, call, descriptors, flags))
A(nftw64, nftw)
F(attributes, FTS *, fts_open,
  (char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **)),
  (paths, options, compare))
A(fts64_open, fts_open)
F(attributes, FTSENT *, fts_read, (FTS *fts), (fts))
A(fts64_read, fts_read)
F(attributes, FTSENT *, fts_children, (FTS *fts, int options), (fts, options))
A(fts64_children, fts_children)
F(attributes, int, glob,
  (const char *pattern, int flags, int (*error)(const char *, int), glob_t *result),
  (pattern, flags, error, result))
A(glob64, glob)
#endif

#if defined NAMES_ALL || defined NAMES_names
/* names: a path is made, renamed or removed, or paths come to mean something else, or
 * the process may no longer open them */
F(names, int, rename, (const char *from, const char *to), (from, to))
F(names, int, renameat, (int from_dir, const char *from, int to_dir, const char *to),
  (from_dir, from, to_dir, to))
F(names, int, renameat2,
  (int from_dir, const char *from, int to_dir, const char *to, unsigned int flags),
  (from_dir, from, to_dir, to, flags))
F(names, int, unlink, (const char *path), (path))
F(names, int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags))
F(names, int, remove, (const char *path), (path))
F(names, int, link, (const char *from, const char *to), (from, to))
F(names, int, linkat, (int from_dir, const char *from, int to_dir, const char *to, int flags),
  (from_dir, from, to_dir, to, flags))
F(names, int, symlink, (const char *target, const char *path), (target, path))
F(names, int, symlinkat, (const char *target, int dir, const char *path), (target, dir, path))
F(names, int, mkdir, (const char *path, mode_t mode), (path, mode))
F(names, int, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode))
F(names, char *, mkdtemp, (char *template), (template))
F(names, int, mkfifo, (const char *path, mode_t mode), (path, mode))
F(names, int, mkfifoat, (int dir, const char *path, mode_t mode), (dir, path, mode))
#if __GLIBC_PREREQ(2, 33)
F(names, int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device))
F(names, int, mknodat, (int dir, const char *path, mode_t mode, dev_t device),
  (dir, path, mode, device))
#endif
F(names, int, __xmknod, (int version, const char *path, mode_t mode, dev_t *device),
  (version, path, mode, device))
F(names, int, __xmknodat, (int version, int dir, const char *path, mode_t mode, dev_t *device),
  (version, dir, path, mode, device))
F(names, int, bind, (int fd, const struct sockaddr *addr, socklen_t length), (fd, addr, length))
F(names, int, rmdir, (const char *path), (path))
F(names, int, shm_unlink, (const char *name), (name))
F(names, int, sem_unlink, (const char *name), (name))
F(names, int, mq_unlink, (const char *name), (name))
F(names, int, chdir, (const char *path), (path))
F(names, int, fchdir, (int fd), (fd))
F(names, int, chroot, (const char *path), (path))
F(names, int, mount,
  (const char *source, const char *target, const char *type, unsigned long flags,
   const void *data),
  (source, target, type, flags, data))
F(names, int, umount, (const char *path), (path))
F(names, int, umount2, (const char *path, int flags), (path, flags))
F(names, int, pivot_root, (const char *root, const char *old), (root, old))
#if __GLIBC_PREREQ(2, 36)
F(names, int, move_mount,
  (int from_dir, const char *from, int to_dir, const char *to, unsigned int flags),
  (from_dir, from, to_dir, to, flags))
F(names, int, mount_setattr,
  (int dir, const char *path, unsigned int flags, struct mount_attr *attr, size_t size),
  (dir, path, flags, attr, size))
#endif
F(names, int, setns, (int fd, int type), (fd, type))
F(names, int, unshare, (int flags), (flags))
F(names, int, setuid, (uid_t uid), (uid))
F(names, int, setgid, (gid_t gid), (gid))
F(names, int, seteuid, (uid_t uid), (uid))
F(names, int, setegid, (gid_t gid), (gid))
F(names, int, setreuid, (uid_t real, uid_t effective), (real, effective))
F(names, int, setregid, (gid_t real, gid_t effective), (real, effective))
F(names, int, setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved))
F(names, int, setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved))
F(names, int, setfsuid, (uid_t uid), (uid))
F(names, int, setfsgid, (gid_t gid), (gid))
F(names, int, setgroups, (size_t count, const gid_t *groups), (count, groups))
F(names, int, initgroups, (const char *user, gid_t group), (user, group))
F(names, int, capset, (void *header, const void *data), (header, data))
#endif

#if defined NAMES_ALL || defined NAMES_process
/* process: a child starts or is waited for, the process ends or becomes another program */
F(process, int, __register_atfork,
  (void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object),
  (prepare, parent, child, object))
F(process, pid_t, fork, (void), ())
A(__fork, fork)
#if __GLIBC_PREREQ(2, 34)
F(process, pid_t, _Fork, (void), ())
#endif
S(process, pid_t, vfork, (void))
A(__vfork, vfork)
V(process, int, clone, (int (*call)(void *), void *stack, int flags, void *arg, ...),
  (int (*call)(void *), void *stack, int flags, void *arg, pid_t *parent, void *tls, pid_t *child),
  (call, stack, flags, arg, parent, tls, child))
A(__clone, clone)
F(process, int, system, (const char *command), (command))
F(process, FILE *, popen, (const char *command, const char *type), (command, type))
A(_IO_popen, popen)
F(process, int, pclose, (FILE *stream), (stream))
F(process, int, posix_spawn,
  (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
   const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
  (pid, path, actions, attr, argv, envp))
F(process, int, posix_spawnp,
  (pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
   const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
  (pid, file, actions, attr, argv, envp))
#if __GLIBC_PREREQ(2, 39)
F(process, int, pidfd_spawn,
  (int *pidfd, const char *path, const posix_spawn_file_actions_t *actions,
   const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
  (pidfd, path, actions, attr, argv, envp))
F(process, int, pidfd_spawnp,
  (int *pidfd, const char *file, const posix_spawn_file_actions_t *actions,
   const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
  (pidfd, file, actions, attr, argv, envp))
#endif
F(process, int, wordexp, (const char *words, wordexp_t *result, int flags),
  (words, result, flags))
F(process, pid_t, wait, (int *status), (status))
A(__wait, wait)
F(process, pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options))
A(__waitpid, waitpid)
F(process, pid_t, wait3, (int *status, int options, struct rusage *usage),
  (status, options, usage))
F(process, pid_t, wait4, (pid_t pid, int *status, int options, struct rusage *usage),
  (pid, status, options, usage))
F(process, int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
  (type, id, info, options))
F(process, int, execve, (const char *path, char *const argv[], char *const envp[]),
  (path, argv, envp))
F(process, int, execv, (const char *path, char *const argv[]), (path, argv))
F(process, int, execvp, (const char *file, char *const argv[]), (file, argv))
F(process, int, execvpe, (const char *file, char *const argv[], char *const envp[]),
  (file, argv, envp))
F(process, int, fexecve, (int fd, char *const argv[], char *const envp[]), (fd, argv, envp))
#if __GLIBC_PREREQ(2, 34)
F(process, int, execveat,
  (int dir, const char *path, char *const argv[], char *const envp[], int flags),
  (dir, path, argv, envp, flags))
#endif
P(process, int, execl, (const char *path, const char *arg, ...), execv)
P(process, int, execle, (const char *path, const char *arg, ...), execve)
P(process, int, execlp, (const char *file, const char *arg, ...), execvp)
F(process, int, daemon, (int keep_directory, int keep_descriptors),
  (keep_directory, keep_descriptors))
V(process, int, prctl, (int option, ...),
  (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d),
  (option, a, b, c, d))
F(process, int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit), (resource, limit))
A(setrlimit64, setrlimit)
F(process, int, prlimit,
  (pid_t pid, enum __rlimit_resource resource, const struct rlimit *limit, struct rlimit *old),
  (pid, resource, limit, old))
A(prlimit64, prlimit)
N(process, _exit, (int status), (status))
A(_Exit, _exit)
N(process, quick_exit, (int status), (status))
N(process, abort, (void), ())
N(process, __assert_fail,
  (const char *assertion, const char *file, unsigned int line, const char *function),
  (assertion, file, line, function))
N(process, __assert_perror_fail,
  (int error, const char *file, unsigned int line, const char *function),
  (error, file, line, function))
N(process, __assert, (const char *assertion, const char *file, int line), (assertion, file, line))
#endif

#if defined NAMES_ALL || defined NAMES_signals
/* signals: another process is told something, or this one interrupts itself */
F(signals, int, kill, (pid_t pid, int signal), (pid, signal))
F(signals, int, killpg, (pid_t group, int signal), (group, signal))
F(signals, int, tgkill, (pid_t pid, pid_t tid, int signal), (pid, tid, signal))
F(signals, int, raise, (int signal), (signal))
A(gsignal, raise)
F(signals, int, sigqueue, (pid_t pid, int signal, const union sigval value),
  (pid, signal, value))
F(signals, int, pthread_kill, (pthread_t thread, int signal), (thread, signal))
F(signals, int, pthread_sigqueue, (pthread_t thread, int signal, const union sigval value),
  (thread, signal, value))
#if __GLIBC_PREREQ(2, 36)
F(signals, int, pidfd_send_signal,
  (int pidfd, int signal, siginfo_t *info, unsigned int flags), (pidfd, signal, info, flags))
#endif
F(signals, ssize_t, send, (int fd, const void *buf, size_t count, int flags),
  (fd, buf, count, flags))
A(__send, send)
F(signals, ssize_t, sendto,
  (int fd, const void *buf, size_t count, int flags, const struct sockaddr *addr,
   socklen_t length),
  (fd, buf, count, flags, addr, length))
F(signals, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags),
  (fd, message, flags))
F(signals, int, sendmmsg,
  (int fd, struct mmsghdr *messages, unsigned int count, int flags),
  (fd, messages, count, flags))
F(signals, int, shutdown, (int fd, int how), (fd, how))
F(signals, ssize_t, tee, (int in, int out, size_t count, unsigned int flags),
  (in, out, count, flags))
F(signals, ssize_t, vmsplice,
  (int fd, const struct iovec *iov, size_t count, unsigned int flags),
  (fd, iov, count, flags))
F(signals, int, eventfd_write, (int fd, eventfd_t value), (fd, value))
F(signals, int, sem_post, (sem_t *semaphore), (semaphore))
F(signals, int, mq_send, (mqd_t queue, const char *message, size_t length, unsigned int priority),
  (queue, message, length, priority))
F(signals, int, mq_timedsend,
  (mqd_t queue, const char *message, size_t length, unsigned int priority,
   const struct timespec *timeout),
  (queue, message, length, priority, timeout))
F(signals, int, msgsnd, (int queue, const void *message, size_t length, int flags),
  (queue, message, length, flags))
F(signals, int, semop, (int set, struct sembuf *operations, size_t count),
  (set, operations, count))
F(signals, int, semtimedop,
  (int set, struct sembuf *operations, size_t count, const struct timespec *timeout),
  (set, operations, count, timeout))
V(signals, int, semctl, (int set, int number, int command, ...),
  (int set, int number, int command, void *arg), (set, number, command, arg))
#endif

#if defined NAMES_ALL || defined NAMES_handlers
/* handlers: a signal's handler is set */
F(handlers, int, sigaction, (int number, const struct sigaction *new, struct sigaction *old),
  (number, new, old))
A(__sigaction, sigaction)
F(handlers, __sighandler_t, signal, (int number, __sighandler_t handler), (number, handler))
A(bsd_signal, signal)
A(ssignal, signal)
F(handlers, __sighandler_t, __sysv_signal, (int number, __sighandler_t handler), (number, handler))
A(sysv_signal, __sysv_signal)
F(handlers, __sighandler_t, sigset, (int number, __sighandler_t handler), (number, handler))
F(handlers, int, siginterrupt, (int number, int interrupt), (number, interrupt))
#endif

#if defined NAMES_ALL || defined NAMES_streams
/* streams: wide characters, which make a stream libc's own; the buffers of streams */
F(streams, wint_t, fputwc, (wchar_t c, FILE *stream), (c, stream))
F(streams, wint_t, putwc, (wchar_t c, FILE *stream), (c, stream)) /* fputwc looks at the orientation */
F(streams, wint_t, fputwc_unlocked, (wchar_t c, FILE *stream), (c, stream))
F(streams, wint_t, putwc_unlocked, (wchar_t c, FILE *stream), (c, stream))
F(streams, wint_t, putwchar, (wchar_t c), (c))
F(streams, wint_t, putwchar_unlocked, (wchar_t c), (c))
F(streams, int, fputws, (const wchar_t *text, FILE *stream), (text, stream))
F(streams, int, fputws_unlocked, (const wchar_t *text, FILE *stream), (text, stream))
P(streams, int, fwprintf, (FILE *stream, const wchar_t *format, ...), vfwprintf)
P(streams, int, __fwprintf_chk, (FILE *stream, int flag, const wchar_t *format, ...),
  __vfwprintf_chk)
P(streams, int, wprintf, (const wchar_t *format, ...), vwprintf)
P(streams, int, __wprintf_chk, (int flag, const wchar_t *format, ...), __vwprintf_chk)
F(streams, int, vfwprintf, (FILE *stream, const wchar_t *format, va_list list),
  (stream, format, list))
F(streams, int, __vfwprintf_chk, (FILE *stream, int flag, const wchar_t *format, va_list list),
  (stream, flag, format, list))
F(streams, int, vwprintf, (const wchar_t *format, va_list list), (format, list))
F(streams, int, __vwprintf_chk, (int flag, const wchar_t *format, va_list list),
  (flag, format, list))
F(streams, wint_t, fgetwc, (FILE *stream), (stream))
A(getwc, fgetwc)
F(streams, wint_t, fgetwc_unlocked, (FILE *stream), (stream))
A(getwc_unlocked, fgetwc_unlocked)
F(streams, wint_t, getwchar, (void), ())
F(streams, wint_t, getwchar_unlocked, (void), ())
F(streams, wint_t, ungetwc, (wint_t c, FILE *stream), (c, stream))
F(streams, wchar_t *, fgetws, (wchar_t *to, int n, FILE *stream), (to, n, stream))
F(streams, wchar_t *, fgetws_unlocked, (wchar_t *to, int n, FILE *stream), (to, n, stream))
F(streams, wchar_t *, __fgetws_chk, (wchar_t *to, size_t size, int n, FILE *stream),
  (to, size, n, stream))
F(streams, wchar_t *, __fgetws_unlocked_chk, (wchar_t *to, size_t size, int n, FILE *stream),
  (to, size, n, stream))
P(streams, int, fwscanf, (FILE *stream, const wchar_t *format, ...), vfwscanf)
P(streams, int, wscanf, (const wchar_t *format, ...), vwscanf)
F(streams, int, vfwscanf, (FILE *stream, const wchar_t *format, va_list list),
  (stream, format, list))
F(streams, int, vwscanf, (const wchar_t *format, va_list list), (format, list))
P(streams, int, __isoc99_fwscanf, (FILE *stream, const wchar_t *format, ...), __isoc99_vfwscanf)
P(streams, int, __isoc99_wscanf, (const wchar_t *format, ...), __isoc99_vwscanf)
F(streams, int, __isoc99_vfwscanf, (FILE *stream, const wchar_t *format, va_list list),
  (stream, format, list))
F(streams, int, __isoc99_vwscanf, (const wchar_t *format, va_list list), (format, list))
#if __GLIBC_PREREQ(2, 38)
P(streams, int, __isoc23_fwscanf, (FILE *stream, const wchar_t *format, ...), __isoc23_vfwscanf)
P(streams, int, __isoc23_wscanf, (const wchar_t *format, ...), __isoc23_vwscanf)
F(streams, int, __isoc23_vfwscanf, (FILE *stream, const wchar_t *format, va_list list),
  (stream, format, list))
F(streams, int, __isoc23_vwscanf, (const wchar_t *format, va_list list), (format, list))
#endif
F(streams, int, fflush, (FILE *stream), (stream))
A(_IO_fflush, fflush)
F(streams, int, fflush_unlocked, (FILE *stream), (stream))
F(streams, size_t, __fbufsize, (FILE *stream), (stream))
F(streams, int, fwide, (FILE *stream, int mode), (stream, mode))
#endif

#if defined NAMES_ALL || defined NAMES_raw
/* raw: past libc's own calls */
V(raw, long, syscall, (long number, ...),
  (long number, long a, long b, long c, long d, long e, long f), (number, a, b, c, d, e, f))
F(raw, int, aio_read, (struct aiocb *request), (request))
A(aio_read64, aio_read)
F(raw, int, aio_write, (struct aiocb *request), (request))
A(aio_write64, aio_write)
F(raw, int, aio_fsync, (int operation, struct aiocb *request), (operation, request))
A(aio_fsync64, aio_fsync)
F(raw, int, lio_listio,
  (int mode, struct aiocb *const requests[], int count, struct sigevent *event),
  (mode, requests, count, event))
A(lio_listio64, lio_listio)
#endif

#if defined NAMES_ALL || defined NAMES_number
/* number: a descriptor is made of something that is no file; it may meet EMFILE */
F(number, int, socket, (int domain, int type, int protocol), (domain, type, protocol))
F(number, int, socketpair, (int domain, int type, int protocol, int fds[2]),
  (domain, type, protocol, fds))
F(number, int, accept, (int fd, struct sockaddr *addr, socklen_t *length), (fd, addr, length))
F(number, int, accept4, (int fd, struct sockaddr *addr, socklen_t *length, int flags),
  (fd, addr, length, flags))
F(number, int, pipe, (int fds[2]), (fds))
A(__pipe, pipe)
F(number, int, pipe2, (int fds[2], int flags), (fds, flags))
F(number, int, epoll_create, (int size), (size))
F(number, int, epoll_create1, (int flags), (flags))
F(number, int, eventfd, (unsigned int count, int flags), (count, flags))
F(number, int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags))
F(number, int, timerfd_create, (clockid_t clock, int flags), (clock, flags))
F(number, int, inotify_init, (void), ())
F(number, int, inotify_init1, (int flags), (flags))
F(number, int, fanotify_init, (unsigned int flags, unsigned int event_flags),
  (flags, event_flags))
F(number, int, memfd_create, (const char *name, unsigned int flags), (name, flags))
F(number, int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
V(number, sem_t *, sem_open, (const char *name, int flags, ...),
  (const char *name, int flags, mode_t mode, unsigned int value), (name, flags, mode, value))
V(number, mqd_t, mq_open, (const char *name, int flags, ...),
  (const char *name, int flags, mode_t mode, struct mq_attr *attr), (name, flags, mode, attr))
F(number, mqd_t, __mq_open_2, (const char *name, int flags), (name, flags))
F(number, DIR *, opendir, (const char *path), (path))
F(number, int, scandir,
  (const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
   int (*compare)(const struct dirent **, const struct dirent **)),
  (path, list, filter, compare))
A(scandir64, scandir)
F(number, int, scandirat,
  (int dir, const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
   int (*compare)(const struct dirent **, const struct dirent **)),
  (dir, path, list, filter, compare))
A(scandirat64, scandirat)
F(number, int, posix_openpt, (int flags), (flags))
F(number, int, getpt, (void), ())
F(number, int, openpty,
  (int *master, int *slave, char *name, const struct termios *term, const struct winsize *size),
  (master, slave, name, term, size))
F(number, int, forkpty,
  (int *master, char *name, const struct termios *term, const struct winsize *size),
  (master, name, term, size))
#if __GLIBC_PREREQ(2, 36)
F(number, int, pidfd_open, (pid_t pid, unsigned int flags), (pid, flags))
F(number, int, pidfd_getfd, (int pidfd, int fd, unsigned int flags), (pidfd, fd, flags))
F(number, int, open_tree, (int dir, const char *path, unsigned int flags), (dir, path, flags))
F(number, int, fsopen, (const char *type, unsigned int flags), (type, flags))
F(number, int, fspick, (int dir, const char *path, unsigned int flags), (dir, path, flags))
F(number, int, fsmount, (int fd, unsigned int flags, unsigned int attributes),
  (fd, flags, attributes))
#endif
#endif

#if defined NAMES_ALL
/* left out */
L(exit, "the handlers it runs still write; the library's destructor comes behind them")
L(fwrite, "a stream of ours calls our functions")
L(fwrite_unlocked, "a stream of ours calls our functions")
L(fread, "a stream of ours calls our functions")
L(__fread_chk, "a stream of ours calls our functions")
L(fread_unlocked, "a stream of ours calls our functions")
L(__fread_unlocked_chk, "a stream of ours calls our functions")
L(dlopen, "it looks at who called it, which would be this library")
#endif

/* clang-format on */

#undef F
#undef V
#undef P
#undef N
#undef S
#undef A
#undef L
#undef NAMES_ALL
#undef NAMES_open
#undef NAMES_close
#undef NAMES_write
#undef NAMES_position
#undef NAMES_data
#undef NAMES_sync
#undef NAMES_descriptor
#undef NAMES_attributes
#undef NAMES_names
#undef NAMES_process
#undef NAMES_signals
#undef NAMES_streams
#undef NAMES_raw
#undef NAMES_number
#undef NAMES_handlers
