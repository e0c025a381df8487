/* stat(2) and its siblings while bytes are pending.
 *
 * The idea: the kernel's answer is taken under the file's lock and corrected: the size counts what is pending, and the times are
 * those of the last write, unless the kernel's are later still. Nothing drains.
 */
#include "tables.h"

/* When the newest pending byte was written, on the clock of file times. */
static struct timespec written(const struct file *f) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t ago = sys_now_ms() - f->slot->last_ms;
    int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - ago * 1000000;
    return (struct timespec){ns / 1000000000, ns % 1000000000};
}

static bool later(const struct timespec *a, int64_t s, int64_t ns) { return a->tv_sec > s || (a->tv_sec == s && a->tv_nsec > ns); }

static void correct(const struct file *f, struct stat *st, struct statx *stx) {
    if (file_pending_bytes(f) == 0) return;
    struct timespec t = written(f);
    if (st) {
        st->st_size = file_size(f, st->st_size);
        if (later(&t, st->st_mtim.tv_sec, st->st_mtim.tv_nsec)) st->st_mtim = t;
        if (later(&t, st->st_ctim.tv_sec, st->st_ctim.tv_nsec)) st->st_ctim = t;
    } else {
        if (stx->stx_mask & STATX_SIZE) stx->stx_size = (uint64_t)file_size(f, (int64_t)stx->stx_size);
        struct statx_timestamp *times[] = {&stx->stx_mtime, &stx->stx_ctime};
        for (int i = 0; i < 2; i++)
            if (later(&t, times[i]->tv_sec, times[i]->tv_nsec)) {
                times[i]->tv_sec = t.tv_sec;
                times[i]->tv_nsec = (uint32_t)t.tv_nsec;
            }
    }
}

int tf_fstat(int fd, struct handle *h, int (*real)(void *arg), void *arg, struct stat *st, struct statx *stx) {
    (void)fd;
    if (h->idle) {
        errno = EBADF;
        return -1;
    }
    if (!enter()) return real(arg);
    struct file *f = h->file;
    take_file(f->lock);
    int64_t now = sys_now_ms();
    int done = real(arg);
    if (done == 0 && st) file_learn_size(f, st->st_size, now);
    if (done == 0) correct(f, st, stx);
    f->record->shown->n.stats++;
    drop_file(f->lock);
    leave();
    return done;
}

static struct inode inode_of(const struct stat *st, const struct statx *stx) {
    if (st) return (struct inode){st->st_dev, st->st_ino};
    return inode_of_statx(stx);
}

static bool same_inode(const struct inode *a, struct inode b) { return a->dev == b.dev && a->ino == b.ino; }

int tf_stat(int (*again)(void *arg), void *arg, struct stat *st, struct statx *stx, uint32_t drains) {
    if (!enter()) return 0;
    struct inode id = inode_of(st, stx);
    int done = 0;
    take_tables();
    struct file *f = file_find(&id);
    if (f) {
        take_file(f->lock);
        if (file_pending_bytes(f)) {
            if (atomic_load(&tf_drains) != drains) done = again(arg);
            if (done == 0 && same_inode(&f->id, inode_of(st, stx))) correct(f, st, stx);
        }
        drop_file(f->lock);
    }
    drop_tables();
    leave();
    return done;
}
