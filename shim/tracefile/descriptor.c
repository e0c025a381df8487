/* What dup(2) and fcntl(2) do to the table of descriptors.
 *
 * The idea: the kernel goes first, the table follows: several descriptors may lead to one handle, as they lead to one
 * open file description.
 */
#include "tables.h"

void tf_dup(int fd, struct handle *h, bool chosen)
{
    if (!enter())
        return;
    take_tables();
    if ((unsigned)fd >= TF_DESCRIPTORS) {
        h->through |= 1u << REASON_NUMBER; /* its description has a name that we can't follow */
        number_beyond();
    } else {
        number_forget(fd);
        h->fds++;
        h->unkept |= chosen;
        atomic_store(&tf_descriptors[fd], h);
    }
    drop_tables();
    leave();
}

void tf_dup_other(int fd, int from)
{
    if ((unsigned)from >= TF_DESCRIPTORS)
        return;
    struct handle *h = atomic_load(&tf_descriptors[from]);
    if (h && h->kind == KIND_OTHER && !apart())
        tf_dup(fd, h, false);
}

/* Numbers that streams use: a bit each. 0, 1 and 2 always count. */
static _Atomic uint64_t streams[TF_DESCRIPTORS / 64];

void tf_stream(int fd, bool uses)
{
    if ((unsigned)fd >= TF_DESCRIPTORS)
        return;
    uint64_t bit = (uint64_t)1 << (fd % 64);
    if (uses)
        atomic_fetch_or(&streams[fd / 64], bit);
    else
        atomic_fetch_and(&streams[fd / 64], ~bit);
}

bool tf_has_stream(int fd)
{
    if ((unsigned)fd >= TF_DESCRIPTORS)
        return false;
    return fd <= 2 || (atomic_load_explicit(&streams[fd / 64], memory_order_relaxed) >> (fd % 64) & 1);
}

void tf_used_unseen(int fd)
{
    if ((unsigned)fd >= TF_DESCRIPTORS || !atomic_load(&tf_descriptors[fd]) || apart() || !enter())
        return;
    take_tables();
    struct handle *h = atomic_load(&tf_descriptors[fd]);
    if (h && h->file) {
        take_file(h->file->lock);
        file_drain(h->file, CAUSE_descriptor, true);
        if (h->kind == KIND_MANAGED)
            handle_sync(h);
        handle_unseen(h);
        drop_file(h->file->lock);
    } else if (h) {
        h->unseen = true;
    }
    drop_tables();
    leave();
}

int tf_cloexec(int fd, struct handle *h)
{
    if (fd != h->fd || h->exposed || h->kind != KIND_MANAGED)
        return -1;
    return h->hidden_cloexec ? 0 : FD_CLOEXEC;
}

bool tf_set_cloexec(int fd, struct handle *h, int flags)
{
    if (fd != h->fd || h->kind != KIND_MANAGED)
        return false;
    bool set = !h->exposed;
    h->hidden_cloexec = false;
    h->exposed = !(flags & FD_CLOEXEC);
    return set && !h->exposed;
}

int tf_shown_flags(struct handle *h)
{
    return h->kind == KIND_MANAGED && !h->through ? h->shown_flags : 0; /* through: others may have the description */
}

void tf_flags_shown(struct handle *h, int flags)
{
    h->shown_flags = flags;
}

void tf_set_flags(struct handle *h, int flags)
{
    if (!enter())
        return;
    struct file *f = h->file;
    if (!f) { /* another thread has closed it */
        leave();
        return;
    }
    take_file(f->lock);
    h->flags = (h->flags & ~FLAGS_SET) | (flags & FLAGS_SET);
    h->shown_flags = 0;
    if (flags & O_DIRECT)
        h->through |= 1u << REASON_SYNCHRONOUS;
    drop_file(f->lock);
    leave();
}

bool tf_same_file(int fd, struct handle *h)
{
    struct stat st;
    return sys_fstat(fd, &st) == 0 && st.st_dev == h->id.dev && st.st_ino == h->id.ino;
}

bool tf_closed(struct handle *h)
{
    return h->idle;
}
int tf_flags(struct handle *h)
{
    return h->flags;
}
bool tf_managed(struct handle *h)
{
    return h->kind == KIND_MANAGED;
}
unsigned tf_block(struct handle *h)
{
    struct file *f = h->file;
    return f ? f->block : 0;
}
