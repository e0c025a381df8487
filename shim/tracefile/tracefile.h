/* Trace files as the wrappers see them.
 *
 * What it is for: everything that a wrapper (interpose/) may ask of the layer below. Wrappers hold no policy: they find
 * the handle, or call the real function.
 *
 * The idea: tf_get(fd) is NULL for all that is not ours, at the cost of a load; each tf_ function otherwise does what
 * the function after which it is named does, errno included.
 *
 * Rules: no tf_ function touches errno when it succeeds, allocates with malloc or calls stdio. All of them may be
 * called from a signal handler, before the constructor and after the destructor, unless said otherwise. None may be called
 * with one of our locks held.
 */
#ifndef TRACESHIM_TRACEFILE_H
#define TRACESHIM_TRACEFILE_H

#include <sys/types.h>

#include "../self.h"
#include "reason.h"

struct handle;
struct statx;

#ifndef TF_DESCRIPTORS
#define TF_DESCRIPTORS 65536 /* descriptors from here on are never managed */
#endif

/* Which handle a descriptor leads to. Read without a lock. */
extern _Atomic(struct handle *) tf_descriptors[TF_DESCRIPTORS];

/* Whether the table has anything at the number, be it merely remembered. */
static inline bool tf_knows(int fd)
{
    return (unsigned)fd < TF_DESCRIPTORS && atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed);
}

/* Whether the table knows the descriptor at all, if only as one of some other file. */
static inline bool tf_remembered(int fd)
{
    return (unsigned)fd < TF_DESCRIPTORS && atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed) && !apart();
}

/* How many trace files have bytes pending; how many inodes are known at all. */
extern _Atomic uint32_t tf_pending_files;
extern _Atomic uint32_t tf_known_files;

/* The rest of tf_get: passes over descriptors that are merely remembered. */
struct handle *tf_get_known(struct handle *h);

/* The handle of a descriptor that needs care: managed, watched, or closed by the program and cached. NULL: call the real
 * function, as also in a vfork child. */
static inline struct handle *tf_get(int fd)
{
    if (unlikely((unsigned)fd >= TF_DESCRIPTORS))
        return NULL;
    struct handle *h = atomic_load_explicit(&tf_descriptors[fd], memory_order_acquire);
    return likely(!h) ? NULL : tf_get_known(h);
}

/* The same for a call that writes n bytes and does nothing else, which @auto counts (auto.c). */
struct handle *tf_get_writing(struct handle *h, int fd, size_t n);
static inline struct handle *tf_get_to_write(int fd, size_t n)
{
    if (unlikely((unsigned)fd >= TF_DESCRIPTORS))
        return NULL;
    struct handle *h = atomic_load_explicit(&tf_descriptors[fd], memory_order_acquire);
    return likely(!h) ? NULL : tf_get_writing(h, fd, n);
}

static inline bool tf_anything_pending(void)
{
    return unlikely(atomic_load_explicit(&tf_pending_files, memory_order_relaxed) != 0) && !apart();
}

/* Reads the configuration, once. The constructor calls it, and whatever comes earlier. Not in a handler. */
void tf_start(void);

/* Whether the shim is at work: neither disabled nor wrongly configured. */
bool tf_on(void);

/* ---- open and close: open(2), close(2) ---- */

/* open(2), openat(2): manages the descriptor if the path matches, looks for aliases otherwise. */
int tf_open(int dirfd, const char *path, int flags, mode_t mode);

/* open(2), if that takes no system call (or a look at the path, once a window): a cached descriptor, or -1 and errno is untouched. */
int tf_reopen(const char *path, int flags);

/* Whether a stream opened by this path should be one of ours: the path matches and the shim is on. */
bool tf_wants(const char *path, int flags);

/* After tf_opened of a path that no pattern matched: @auto, if it is in force, counts what is written to it. */
void tf_unmatched(int fd, const char *path, int flags);

/* A descriptor that the real function has just made for `path` (NULL when there is none), flags as open(2): remembered, or
 * watched when it leads to a trace file. unseen: what is read and written through it won't be seen (a C stream of libc's). */
void tf_opened(int fd, int flags, bool unseen);

/* A descriptor of any other kind was made: whatever the table says of the number is out of date. */
static inline void tf_new_number(int fd);
void tf_forget_number(int fd);
static inline void tf_new_number(int fd)
{
    if ((unsigned)fd < TF_DESCRIPTORS && unlikely(atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed)) &&
        !apart())
        tf_forget_number(fd);
}

/* close(2) of a descriptor for which tf_get gave h. */
int tf_close(int fd, struct handle *h);

/* close_range(2), closefrom(3) without flags: all handles from first to last end, cached descriptors among them are left alone.
 * Descriptors that aren't ours are not closed. */
void tf_close_range(unsigned first, unsigned last);

/* The shim's own descriptors, which no close_range may close: how many, in rising order. */
int tf_own_descriptors(int fds[2]);

/* EMFILE or ENFILE was met: closes the idle cached descriptors; says whether there were any. */
bool tf_relieve(void);

/* ---- write and position: write(2), pwrite(2), lseek(2) ---- */

ssize_t tf_write(int fd, struct handle *h, const void *p, size_t n);
ssize_t tf_writev(int fd, struct handle *h, const struct iovec *v, int count);
off_t tf_lseek(int fd, struct handle *h, off_t off, int whence);

/* fopen(3) "a" leaves the offset at the end of the file. */
void tf_seek_end(struct handle *h);

/* ---- barriers ---- */

/* Before a real call on a descriptor for which tf_get gave h: pending bytes are in the file and the kernel's offset is
 * the program's. 0: go ahead; -1 and errno: EBADF when the program has closed it, or the error of the drain if `sync`
 * (a call that would report it, as fsync(2)). */
int tf_barrier(int fd, struct handle *h, enum cause cause, bool sync);

/* The same for the file that a path leads to (flags: AT_SYMLINK_NOFOLLOW); nothing when there is none. */
void tf_barrier_path(int dirfd, const char *path, int flags, enum cause cause);

/* All pending bytes go to their files. 0, or -errno of the first drain that failed. */
int tf_barrier_all(enum cause cause);

/* Cause before effect: this process is about to tell others something. All pending bytes go to their files, unless TRACESHIM_CAUSE is off. */
void tf_tell_others(void);
static inline void tf_tell(void)
{
    if (tf_anything_pending())
        tf_tell_others();
}

/* The same before bytes or the end of them go to fd, if that is no regular file (a pipe, a socket) and not one of the standard three. */
static inline void tf_tell_through(int fd)
{
    if (unlikely(atomic_load_explicit(&tf_pending_files, memory_order_relaxed) != 0) && fd > 2 &&
        (fd >= TF_DESCRIPTORS || !atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed)) && !apart())
        tf_tell_others();
}

/* The same before a path is created, if it doesn't exist: true when that is known. */
bool tf_tell_path(int dirfd, const char *path, int flags);

/* Whether others are to be told at all (TRACESHIM_CAUSE), and the shim is on. */
bool tf_tells(void);

/* A file lock is about to be taken, or released (which others wait for), or both: a shared one may have been exclusive. */
void tf_locking(bool takes, bool releases);
/* Whether any lock was ever taken: then a close may release one. */
extern _Atomic bool tf_locks;

/* A descriptor, h being tf_get's answer, is about to be closed or replaced: end-of-file goes down a pipe, or a lock is released. */
bool tf_holds_lock(struct handle *h);
static inline void tf_tell_close(int fd, struct handle *h)
{
    tf_tell_through(fd);
    if (unlikely(atomic_load_explicit(&tf_locks, memory_order_relaxed)) && (!h || tf_holds_lock(h)))
        tf_tell();
}

/* A name was, or is about to be, changed by this process: every path is looked at again at its next open. */
void tf_names_changed(void);

/* The process is about to become somebody else: what it has opened is not kept for who it will be. thread_only: its other threads stay
 * who they are. for_good: its journal is not one that root's recovery may believe from here on. */
void tf_becomes(bool thread_only, bool for_good);

/* Only the working directory changed. */
void tf_directory_changed(void);

/* A read from fd has returned: if it is no regular file, someone may have told us that a path leads elsewhere now. */
void tf_told_something(void);
static inline void tf_told(int fd)
{
    if (unlikely(atomic_load_explicit(&tf_known_files, memory_order_relaxed) != 0) && (unsigned)fd < TF_DESCRIPTORS &&
        !atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed))
        tf_told_something();
}

/* Idle cached descriptors of the file that the path leads to are closed, pending bytes first: before unlink(2), rename(2). */
void tf_evict_path(int dirfd, const char *path, enum cause cause);

/* Whether there are any. */
bool tf_anything_cached(void);

/* All idle cached descriptors are closed, pending bytes first. */
void tf_evict_all(enum cause cause);

/* Before a child starts: everything drained, nothing of ours left open, flags as the program set them; what the child
 * inherits writes through from now on. */
void tf_before_child(enum cause cause);

/* Around a fork that no atfork handler sees: prepare before, then parent or child. Prepare keeps the tables locked. */
void tf_fork_prepare(void);
void tf_fork_parent(void);
void tf_fork_child(void);

/* A child was started (fork(2) counts by itself); one has ended, or all have. When none is left, what children shared is
 * buffered again. */
void tf_child_started(void);
void tf_child_ended(bool all);

/* Before execve(2): as for a child, but the process goes on as it was if it fails. */
void tf_before_exec(void);
void tf_exec_failed(void);

/* A filter of system calls is about to be put in force: from here on files write through, with as few kinds of calls as can be. */
void tf_filter(void);

/* The process is about to end without running destructors: everything drains, the report is written. */
void tf_before_end(enum cause cause);

/* The program or the kernel may change the file or the description in ways that can't be followed: the handle writes
 * through from now on, for this reason, and its closes are real. */
void tf_stop(int fd, struct handle *h, enum reason why);

/* The descriptor's file was mapped: if it is a trace file, or becomes one, it writes through while it is, for what is read there is
 * not seen. */
void tf_mapped(int fd, void *at, size_t length);
void tf_unmapped_some(void *at, size_t length);
extern _Atomic uint32_t tf_mappings;
static inline void tf_unmapped(void *at, size_t length)
{
    if (unlikely(atomic_load_explicit(&tf_mappings, memory_order_relaxed) != 0))
        tf_unmapped_some(at, length);
}

/* setrlimit(2) was called: the cache follows RLIMIT_NOFILE, and with a finite RLIMIT_FSIZE everything writes through. */
void tf_limits_changed(void);

/* A matching file was opened in a way that isn't managed: for the report. */
void tf_cannot(const char *path, enum reason why);

/* ---- descriptors ---- */

/* A C stream of libc's uses the number, or no longer: what it reads and writes is not seen, whatever the number leads to. */
void tf_stream(int fd, bool uses);
bool tf_has_stream(int fd);

/* What is read and written through the descriptor, which has one, is not seen. */
void tf_used_unseen(int fd);

/* dup(2), dup2(2), F_DUPFD have made `fd` another name for the description of h. chosen: the program chose the number. */
void tf_dup(int fd, struct handle *h, bool chosen);
/* The same when `from` may be a descriptor that is merely remembered. */
void tf_dup_other(int fd, int from);

/* The number is about to be replaced by dup2(2): ends what it stood for. EBADF is no concern here. */
void tf_replace(int fd);

/* Whether FD_CLOEXEC is set as far as the program knows: -1 when the kernel's answer is right. */
int tf_cloexec(int fd, struct handle *h);
/* F_SETFD: whether that is all, since the kernel has the flag set already. */
bool tf_set_cloexec(int fd, struct handle *h, int flags);

/* F_SETFL changed the status flags. */
void tf_set_flags(struct handle *h, int flags);

/* F_GETFL: what the kernel last answered, as long as only this process can have changed it since; 0 when it must be asked. And notes what
 * it answered: languages ask at every open. */
int tf_shown_flags(struct handle *h);
void tf_flags_shown(struct handle *h, int flags);

/* Whether the program has closed this descriptor (it is only cached). */
bool tf_closed(struct handle *h);

/* Whether fd leads to the file of h. */
bool tf_same_file(int fd, struct handle *h);

/* Access mode and status flags the program opened it with. */
int tf_flags(struct handle *h);

/* st_blksize of its file: the size of a C stream's buffer. */
unsigned tf_block(struct handle *h);

/* Whether writes through it are taken by us (managed), not merely watched. */
bool tf_managed(struct handle *h);

/* ---- memory for the wrappers ---- */

/* n bytes, zeroed, not from malloc; NULL when there are none, or in a handler that interrupted the shim. */
void *tf_memory(size_t n);
void tf_memory_back(void *p, size_t n);

/* ---- attributes: stat(2) ---- */

/* fstat(2) for which tf_get gave h: real is called under the file's lock, so that size and pending bytes fit together. */
int tf_fstat(int fd, struct handle *h, int (*real)(void *arg), void *arg, struct stat *st, struct statx *stx);

/* The same after a stat by path has succeeded: `again` repeats it when the file turns out to have pending bytes and something was
 * drained since `drains` was read, before the first call. Returns what
 * the last real call returned. */
int tf_stat(int (*again)(void *arg), void *arg, struct stat *st, struct statx *stx, uint32_t drains);

/* Another number whenever a drain, ours or the guard's, of whatever file, has begun or ended. */
uint32_t tf_drains(void);

#endif
