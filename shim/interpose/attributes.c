/* attributes: size, times, mode and owner of a file.
 *
 * What stat answers is corrected for pending bytes, without a drain. Setting times drains first, so that the drain
 * doesn't move them again; changing mode or owner makes the next open of each path look again.
 */
#define NAMES_attributes
#include "export.h"

#include "fd.h"

/* One stat call, to be made more than once. */
struct question {
    int dir;
    const char *path;
    int flags;
    unsigned mask;
    int version;
    struct stat *st;
    struct statx *stx;
};

#define ASKS(name, call)             \
    static int ask_##name(void *arg) \
    {                                \
        struct question *q = arg;    \
        return call;                 \
    }
ASKS(stat, real_stat(q->path, q->st))
ASKS(lstat, real_lstat(q->path, q->st))
ASKS(fstat, real_fstat(q->dir, q->st))
ASKS(fstatat, real_fstatat(q->dir, q->path, q->st, q->flags))
ASKS(xstat, real___xstat(q->version, q->path, q->st))
ASKS(lxstat, real___lxstat(q->version, q->path, q->st))
ASKS(fxstat, real___fxstat(q->version, q->dir, q->st))
ASKS(fxstatat, real___fxstatat(q->version, q->dir, q->path, q->st, q->flags))
ASKS(statx, real_statx(q->dir, q->path, q->flags, q->mask, q->stx))

static bool regular(const struct question *q)
{
    return q->st ? S_ISREG(q->st->st_mode) : !(q->stx->stx_mask & STATX_TYPE) || S_ISREG(q->stx->stx_mode);
}

static int by_path(int (*ask)(void *), struct question *q)
{
    bool pending = tf_anything_pending(); /* another thread may drain it all behind the kernel's answer */
    uint32_t drains = tf_drains();
    int done = ask(q);
    return done == 0 && (pending || tf_anything_pending()) && regular(q) ? tf_stat(ask, q, q->st, q->stx, drains)
                                                                         : done;
}

/* By descriptor, which is in q->dir. */
static int by_descriptor(int (*ask)(void *), struct question *q)
{
    struct handle *h = tf_get(q->dir);
    return likely(!h) ? ask(q) : tf_fstat(q->dir, h, ask, q, q->st, q->stx);
}

static int at(int (*ask)(void *), struct question *q)
{
    q->dir = open_number(q->dir);
    bool descriptor = (q->flags & AT_EMPTY_PATH) && q->path && q->path[0] == '\0';
    return descriptor ? by_descriptor(ask, q) : by_path(ask, q);
}

int stat(const char *path, struct stat *st)
{
    return by_path(ask_stat, &(struct question){.path = path, .st = st});
}

int lstat(const char *path, struct stat *st)
{
    return by_path(ask_lstat, &(struct question){.path = path, .st = st});
}

int fstat(int fd, struct stat *st)
{
    return by_descriptor(ask_fstat, &(struct question){.dir = fd, .st = st});
}

int fstatat(int dir, const char *path, struct stat *st, int flags)
{
    return at(ask_fstatat, &(struct question){.dir = dir, .path = path, .st = st, .flags = flags});
}

int __xstat(int version, const char *path, struct stat *st)
{
    return by_path(ask_xstat, &(struct question){.version = version, .path = path, .st = st});
}

int __lxstat(int version, const char *path, struct stat *st)
{
    return by_path(ask_lxstat, &(struct question){.version = version, .path = path, .st = st});
}

int __fxstat(int version, int fd, struct stat *st)
{
    return by_descriptor(ask_fxstat, &(struct question){.version = version, .dir = fd, .st = st});
}

int __fxstatat(int version, int dir, const char *path, struct stat *st, int flags)
{
    return at(ask_fxstatat, &(struct question){.version = version, .dir = dir, .path = path, .st = st, .flags = flags});
}

int statx(int dir, const char *path, int flags, unsigned int mask, struct statx *stx)
{
    return at(ask_statx, &(struct question){.dir = dir, .path = path, .flags = flags, .mask = mask, .stx = stx});
}

/* Nobody's right to open a file depends on what is pending in it. */
int access(const char *path, int mode)
{
    return real_access(path, mode);
}

int faccessat(int dir, const char *path, int mode, int flags)
{
    return real_faccessat(open_number(dir), path, mode, flags);
}

int euidaccess(const char *path, int mode)
{
    return real_euidaccess(path, mode);
}

int truncate(const char *path, off_t length)
{
    tf_barrier_path(AT_FDCWD, path, 0, CAUSE_truncate);
    return real_truncate(path, length);
}

int utime(const char *path, const struct utimbuf *times)
{
    tf_barrier_path(AT_FDCWD, path, 0, CAUSE_attributes);
    return real_utime(path, times);
}

int utimes(const char *path, const struct timeval times[2])
{
    tf_barrier_path(AT_FDCWD, path, 0, CAUSE_attributes);
    return real_utimes(path, times);
}

int lutimes(const char *path, const struct timeval times[2])
{
    tf_barrier_path(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, CAUSE_attributes);
    return real_lutimes(path, times);
}

int futimes(int fd, const struct timeval times[2])
{
    return ready(fd, CAUSE_attributes) ? real_futimes(fd, times) : -1;
}

int futimesat(int dir, const char *path, const struct timeval times[2])
{
    if (!path && !ready(dir, CAUSE_attributes))
        return -1;
    dir = open_number(dir);
    tf_barrier_path(dir, path, 0, CAUSE_attributes);
    return real_futimesat(dir, path, times);
}

int utimensat(int dir, const char *path, const struct timespec times[2], int flags)
{
    if (!path && !ready(dir, CAUSE_attributes))
        return -1;
    dir = open_number(dir);
    tf_barrier_path(dir, path, flags, CAUSE_attributes);
    return real_utimensat(dir, path, times, flags);
}

int futimens(int fd, const struct timespec times[2])
{
    return ready(fd, CAUSE_attributes) ? real_futimens(fd, times) : -1;
}

/* Who may open it has changed. */
static int changed(int done)
{
    if (done == 0)
        tf_names_changed();
    return done;
}

int chmod(const char *path, mode_t mode)
{
    return changed(real_chmod(path, mode));
}

/* Not following a link takes a number for a moment. */
int lchmod(const char *path, mode_t mode)
{
    int done;
    RELIEVED(done, real_lchmod(path, mode));
    return changed(done);
}

int fchmod(int fd, mode_t mode)
{
    return ready(fd, CAUSE_attributes) ? changed(real_fchmod(fd, mode)) : -1;
}

int fchmodat(int dir, const char *path, mode_t mode, int flags)
{
    int done;
    RELIEVED(done, real_fchmodat(open_number(dir), path, mode, flags));
    return changed(done);
}

int chown(const char *path, uid_t uid, gid_t gid)
{
    return changed(real_chown(path, uid, gid));
}

int lchown(const char *path, uid_t uid, gid_t gid)
{
    return changed(real_lchown(path, uid, gid));
}

int fchown(int fd, uid_t uid, gid_t gid)
{
    return ready(fd, CAUSE_attributes) ? changed(real_fchown(fd, uid, gid)) : -1;
}

int fchownat(int dir, const char *path, uid_t uid, gid_t gid, int flags)
{
    return changed(real_fchownat(open_number(dir), path, uid, gid, flags));
}

/* Walks ask for attributes inside libc. */
int ftw(const char *path, __ftw_func_t call, int descriptors)
{
    tf_barrier_all(CAUSE_attributes);
    tf_evict_all(CAUSE_evict); /* it can't begin again when it meets EMFILE */
    return real_ftw(path, call, descriptors);
}

int nftw(const char *path, __nftw_func_t call, int descriptors, int flags)
{
    tf_barrier_all(CAUSE_attributes);
    tf_evict_all(CAUSE_evict); /* it can't begin again when it meets EMFILE */
    return real_nftw(path, call, descriptors, flags);
}

FTS *fts_open(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **))
{
    tf_barrier_all(CAUSE_attributes);
    tf_evict_all(CAUSE_evict);
    return real_fts_open(paths, options, compare);
}

FTSENT *fts_read(FTS *fts)
{
    tf_barrier_all(CAUSE_attributes);
    return real_fts_read(fts);
}

FTSENT *fts_children(FTS *fts, int options)
{
    tf_barrier_all(CAUSE_attributes);
    return real_fts_children(fts, options);
}

int glob(const char *pattern, int flags, int (*error)(const char *, int), glob_t *result)
{
    tf_barrier_all(CAUSE_attributes);
    tf_evict_all(CAUSE_evict);
    return real_glob(pattern, flags, error, result);
}
