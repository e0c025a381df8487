/* lseek(2) on a trace file.
 *
 * The idea: a handle's offset is either the kernel's, or kept here (lazy): a number, or "where its last byte ends", which only
 * a drain or a look at the size can turn into one. Moving a lazy offset costs no system call; asking for the end costs
 * one fstat, since others may append.
 *
 * Rules: while the file writes through the kernel's offset is kept right, for a child may share it.
 */
#include "../real.h"
#include "tables.h"

static int64_t real_move(struct file *f, struct handle *h, off_t off, int whence)
{
    int done = file_drain(f, CAUSE_offset, false);
    if (done == 0)
        done = handle_sync(h);
    return done < 0 ? done : sys_lseek(h->fd, off, whence);
}

static int64_t here(struct file *f, struct handle *h)
{
    if (!h->at_end)
        return h->off;
    int64_t end = file_pending_bytes(f) ? -1 : handle_end_offset(h);
    return end >= 0 ? end : file_size_now(f, h->fd);
}

static int64_t move(struct file *f, struct handle *h, off_t off, int whence)
{
    bool through = f->through | h->through || atomic_load(&tables.phase) != PHASE_ON;
    if (through || off > OFFSET_FARTHEST || off < -OFFSET_FARTHEST)
        return real_move(f, h, off, whence);
    if (whence == SEEK_CUR && !h->lazy)
        return real_move(f, h, off, whence);
    int64_t from;
    switch (whence) {
    case SEEK_SET: from = 0; break;
    case SEEK_CUR: from = here(f, h); break;
    case SEEK_END: from = file_size_now(f, h->fd); break;
    default: return real_move(f, h, off, whence);
    }
    if (from < 0)
        return from;
    if (from + off < 0)
        return -EINVAL;
    if (whence == SEEK_CUR && off == 0)
        return from;
    h->off = from + off;
    h->lazy = true;
    h->at_end = false;
    return h->off;
}

off_t tf_lseek(int fd, struct handle *h, off_t off, int whence)
{
    if (h->kind != KIND_MANAGED || !enter())
        return tf_barrier(fd, h, CAUSE_offset, false) < 0 ? -1 : real_lseek(fd, off, whence);
    struct file *f = handle_hold(fd, h);
    if (unlikely(!f)) {
        leave();
        h = tf_get(fd);
        return h ? tf_lseek(fd, h, off, whence) : real_lseek(fd, off, whence);
    }
    int64_t at = h->idle ? -EBADF : move(f, h, off, whence);
    f->record->shown->n.seeks++;
    drop_file(f->lock);
    leave();
    if (at >= 0)
        return at;
    errno = (int)-at;
    return -1;
}

static bool only_one_open(const struct handle *h)
{
    for (const struct handle *other = h->file->handles; other; other = other->next)
        if (other != h && !other->idle)
            return false;
    return atomic_load_explicit(&tables.children, memory_order_relaxed) == 0;
}

void file_place(struct file *f)
{
    for (struct handle *h = f->handles; h; h = h->next) {
        if (h->idle || !h->at_end || h->wrote)
            continue;
        int64_t size = file_size_now(f, h->fd);
        if (size < 0)
            continue;
        h->off = size;
        h->at_end = false;
    }
}

void tf_seek_end(struct handle *h)
{
    if (h->kind != KIND_MANAGED || !enter())
        return;
    take_tables();
    struct file *f = h->file;
    if (!f) { /* another thread has closed it */
        drop_tables();
        leave();
        return;
    }
    take_file(f->lock);
    h->lazy = h->at_end = true;
    h->wrote = false;
    if (unlikely(!only_one_open(h)))
        file_place(f);
    if (unlikely(f->through | h->through))
        handle_sync(h); /* whoever shares it */
    drop_file(f->lock);
    drop_tables();
    leave();
}
