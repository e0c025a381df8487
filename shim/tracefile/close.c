/* close(2) of a trace file's descriptor, and other ways in which one ends.
 *
 * The idea: the handle becomes idle and its descriptor stays; the program gets EBADF from then on. Where the kernel must see
 * the close (a lock to release, a description that a child shares, no room), the bytes go out first and the close is real.
 *
 * Rules: the table's entry goes before the real close, for another thread may get the number in between.
 */
#include "../real.h"
#include "guarding.h"

static void another_stands_for(struct handle *h)
{
    for (int other = 0; other < TF_DESCRIPTORS; other++)
        if (atomic_load_explicit(&tf_descriptors[other], memory_order_relaxed) == h) {
            h->fd = other;
            h->hidden_cloexec = false;
            h->exposed = true; /* a copy is made without the flag */
            return;
        }
}

/* The description keeps its other descriptors. With the file's lock held, for another thread may be draining through this one. */
static void one_of_several(int fd, struct handle *h)
{
    struct file *f = h->file;
    if (f)
        take_file(f->lock);
    atomic_store(&tf_descriptors[fd], NULL);
    h->fds--;
    if (h->fd == fd)
        another_stands_for(h);
    if (f)
        drop_file(f->lock);
}

static void make_idle(struct handle *h)
{
    if (h->exposed)
        sys_fcntl(h->fd, F_SETFD, FD_CLOEXEC);
    h->exposed = false;
    h->hidden_cloexec = true;
    h->idle = true;
    if (h->file->slot)
        atomic_store_explicit(&h->file->slot->closed, 1, memory_order_relaxed);
    h->used = ++tables.closes;
    if (++tables.idle > tables.most_idle)
        tables.most_idle = tables.idle;
}

/* The last descriptor of a managed handle. Tables' lock held. 0: kept, 1: the caller must close it, or -errno: kept, too. */
static int close_managed(struct handle *h)
{
    struct file *f = h->file;
    struct lock *lock = f->lock;
    f->record->shown->n.closes++;
    bool keep = cache_wants(h) && cache_make_room();
    take_file(lock);
    int err = file_error(f);
    if (!keep && f->owner == h) {
        int done = file_drain(f, CAUSE_descriptor, false);
        if (done < 0) {
            err = -done;
            keep = true; /* its bytes need it */
        }
    }
    if (keep) {
        make_idle(h);
        drop_file(lock);
        return -err;
    }
    f->record->shown->n.real_closes++;
    uint64_t old = sys_block_signals();
    guard_drop(h);
    handle_end(h);
    drop_file(lock);
    sys_restore_signals(old);
    return err ? -err : 1;
}

/* A handle that needs nothing more. Tables' lock held. */
static void end(struct handle *h)
{
    struct file *f = h->file;
    uint64_t old = sys_block_signals();
    if (f)
        take_file(f->lock);
    handle_end(h);
    if (f)
        drop_file(f->lock);
    sys_restore_signals(old);
}

/* One through which no more bytes will go. Tables' lock held. */
static void end_managed(struct handle *h)
{
    struct file *f = h->file;
    uint64_t old = sys_block_signals();
    take_file(f->lock);
    if (f->owner == h)
        file_drain(f, CAUSE_descriptor, true);
    guard_drop(h);
    handle_end(h);
    drop_file(f->lock);
    sys_restore_signals(old);
}

/* A handler that interrupted the shim can't take the locks: the handle is left for the next eviction. */
static int close_in_handler(int fd, struct handle *h)
{
    if (h->kind != KIND_MANAGED || h->fds > 1)
        return real_close(fd);
    h->hidden_cloexec = true;
    sys_fcntl(fd, F_SETFD, FD_CLOEXEC);
    h->used = tables.closes;
    h->idle = true;
    tables.idle++;
    return 0;
}

int tf_close(int fd, struct handle *h)
{
    if (h->idle) {
        errno = EBADF;
        return -1;
    }
    cancellation_point();
    if (!enter())
        return close_in_handler(fd, h);
    int64_t now = sys_now_ms();
    take_tables();
    int done;
    h = atomic_load(&tf_descriptors[fd]);
    if (!h || h->idle) {
        done = -EBADF;
    } else if (h->fds > 1) {
        one_of_several(fd, h);
        done = 1;
    } else if (h->kind == KIND_MANAGED) {
        done = close_managed(h);
    } else {
        end(h);
        done = 1;
    }
    drop_tables();
    windows_pass(now);
    leave();
    if (done == 1)
        return real_close(fd);
    if (done == 0)
        return 0;
    errno = -done;
    return -1;
}

void tf_replace(int fd)
{
    if ((unsigned)fd >= TF_DESCRIPTORS || !atomic_load(&tf_descriptors[fd]) || apart() || !enter())
        return;
    take_tables();
    struct handle *h = atomic_load(&tf_descriptors[fd]);
    if (h && h->idle && h->kind != KIND_OWN) {
        cache_evict(h, CAUSE_descriptor); /* the kernel then finds the number free, as the program does */
    } else if (h && h->fds > 1) {
        one_of_several(fd, h);
    } else if (h && h->kind == KIND_OWN) {
        own_move(fd);
    } else if (h && h->kind == KIND_MANAGED) {
        h->file->record->shown->n.real_closes++;
        end_managed(h);
    } else if (h) {
        end(h);
    }
    drop_tables();
    leave();
}

void tf_close_range(unsigned first, unsigned last)
{
    for (unsigned fd = first; fd <= last && fd < TF_DESCRIPTORS; fd++)
        if (unlikely(atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed)) && !own_is((int)fd))
            tf_replace((int)fd);
}

void number_forget(int fd)
{
    struct handle *h = (unsigned)fd < TF_DESCRIPTORS ? atomic_load(&tf_descriptors[fd]) : NULL;
    if (!h)
        return;
    if (h->kind == KIND_OWN) {
        own_lost(fd);
    } else if (h->fds > 1) {
        one_of_several(fd, h);
    } else if (h->kind == KIND_MANAGED) {
        h->doubtful = true; /* the drain finds another way into the file */
        end_managed(h);
    } else {
        end(h);
    }
}

void tf_forget_number(int fd)
{
    if (!enter())
        return;
    take_tables();
    number_forget(fd);
    drop_tables();
    leave();
}
