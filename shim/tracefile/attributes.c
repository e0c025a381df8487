/* stat(2) and its siblings while bytes are pending.
 *
 * The idea: the kernel's answer is taken under the file's lock and corrected: the size counts what is pending, and the times are
 * those of the last write, unless the kernel's are later still. Nothing drains.
 */
#include "tables.h"

/* When the newest pending byte was written, on the clock of file times. */
static struct timespec written(const struct file *f)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t ago = sys_now_ms() - f->slot->last_ms;
    int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - ago * 1000000;
    return (struct timespec){ns / 1000000000, ns % 1000000000};
}

static bool later(const struct timespec *a, int64_t s, int64_t ns)
{
    return a->tv_sec > s || (a->tv_sec == s && a->tv_nsec > ns);
}

static void correct(const struct file *f, uint64_t pending, struct stat *st, struct statx *stx)
{
    if (pending == 0)
        return;
    struct timespec t = written(f);
    if (st) {
        st->st_size = file_size(f, st->st_size, pending);
        if (later(&t, st->st_mtim.tv_sec, st->st_mtim.tv_nsec))
            st->st_mtim = t;
        if (later(&t, st->st_ctim.tv_sec, st->st_ctim.tv_nsec))
            st->st_ctim = t;
    } else {
        if (stx->stx_mask & STATX_SIZE)
            stx->stx_size = (uint64_t)file_size(f, (int64_t)stx->stx_size, pending);
        struct statx_timestamp *times[] = {&stx->stx_mtime, &stx->stx_ctime};
        for (int i = 0; i < 2; i++)
            if (later(&t, times[i]->tv_sec, times[i]->tv_nsec)) {
                times[i]->tv_sec = t.tv_sec;
                times[i]->tv_nsec = (uint32_t)t.tv_nsec;
            }
    }
}

/* Asks the kernel with nothing moving between the buffer and the file meanwhile; *pending: what was in the buffer. File's lock held. */
static int ask_quietly(struct file *f, int (*real)(void *arg), void *arg, uint64_t *pending)
{
    struct look look = file_look(f);
    int done = real(arg);
    if (done == 0 && !file_unchanged(f, &look)) {
        look.pending = file_hold(f);
        done = real(arg);
        lock_drop(&f->slot->lock);
    }
    *pending = look.pending;
    return done;
}

int tf_fstat(int fd, struct handle *h, int (*real)(void *arg), void *arg, struct stat *st, struct statx *stx)
{
    if (h->idle) {
        errno = EBADF;
        return -1;
    }
    if (!enter())
        return real(arg);
    struct file *f = handle_hold(fd, h);
    if (unlikely(!f)) {
        leave();
        h = tf_get(fd);
        return h ? tf_fstat(fd, h, real, arg, st, stx) : real(arg);
    }
    int64_t now = sys_now_ms();
    uint64_t pending;
    int done = ask_quietly(f, real, arg, &pending);
    if (done == 0 && st)
        file_learn_size(f, st->st_size, pending, now);
    if (done == 0)
        correct(f, pending, st, stx);
    f->record->shown->n.stats++;
    drop_file(f->lock);
    leave();
    return done;
}

static struct inode inode_of(const struct stat *st, const struct statx *stx)
{
    if (st)
        return (struct inode){st->st_dev, st->st_ino};
    return inode_of_statx(stx);
}

static bool same_inode(const struct inode *a, struct inode b)
{
    return a->dev == b.dev && a->ino == b.ino;
}

/* The guard counts its drains when they begin and when they end: one that was under way all the time shows in the slot. */
uint32_t tf_drains(void)
{
    uint32_t guards = tables.journal.header ? atomic_load(&tables.journal.header->drains) : 0;
    return guards + atomic_load(&tables.drains);
}

int tf_stat(int (*again)(void *arg), void *arg, struct stat *st, struct statx *stx, uint32_t drains)
{
    if (!enter())
        return 0;
    struct inode id = inode_of(st, stx);
    int done = 0;
    take_tables();
    struct file *f = file_find(&id);
    if (f) {
        take_file(f->lock);
        struct look look = file_look(f);
        uint64_t pending = look.pending;
        if (!file_unchanged(f, &look) || tf_drains() != drains)
            done = ask_quietly(f, again, arg, &pending);
        if (done == 0 && same_inode(&f->id, inode_of(st, stx)))
            correct(f, pending, st, stx);
        drop_file(f->lock);
    }
    drop_tables();
    leave();
    return done;
}
