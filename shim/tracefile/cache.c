/* Which descriptors stay open after the program's close, and which go.
 *
 * The idea: an idle descriptor is worth one open; it is worth nothing once the program needs its number, its place in the
 * table of descriptors, or a file system that can do without it. The one longest idle goes first.
 *
 * Rules: the tables' lock is held. Bytes that can't be written keep their descriptor.
 */
#include <sys/resource.h>

#include "../real.h"
#include "guarding.h"

#define IDLE_MOST     512
#define IDLE_FEW      3 /* so many may stay under any limit that a program can run with */
#define LOWEST_CACHED 3 /* 0, 1 and 2 are looked up by number in every program */
/* Somebody else may have the description, or look for its end. */
#define NOT_ALONE                                                                                                     \
    (1u << REASON_SHARED | 1u << REASON_INHERITED | 1u << REASON_SENT | 1u << REASON_BYPASSED | 1u << REASON_LOCKED | \
     1u << REASON_NUMBER)
#define HIGHEST_CACHED 1023 /* select(2) knows no others, so none is handed out that a lower one could replace */

/* A quarter of what the process may have: it must not meet EMFILE sooner than by itself. */
uint32_t cache_limit(void)
{
    struct rlimit limit;
    if (sys_prlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur / 4 >= IDLE_MOST)
        return IDLE_MOST;
    return (uint32_t)(limit.rlim_cur / 4);
}

bool cache_evict(struct handle *h, enum cause cause)
{
    struct file *f = h->file;
    struct lock *lock = f->lock;
    int fd = h->fd;
    take_file(lock);
    if (f->owner == h)
        file_drain(f, cause, true);
    bool keep = f->owner == h && file_pending_bytes(f) > 0;
    if (keep) {
        drop_file(lock);
        return false;
    }
    uint64_t old = sys_block_signals();
    bool ours = handle_still(h);
    f->record->shown->n.real_closes += ours;
    guard_drop(h);
    handle_end(h); /* before the close: another thread may get the number at once */
    drop_file(lock);
    if (ours)
        sys_close(fd);
    tables.evicted++;
    sys_restore_signals(old);
    return true;
}

void cache_evict_file(struct file *f, enum cause cause)
{
    for (struct handle *h = f->handles, *next; h; h = next) {
        next = h->next;
        bool last = next == NULL && h == f->handles; /* f ends with it */
        if (h->idle)
            cache_evict(h, cause);
        if (last)
            return;
    }
}

static struct handle *longest_idle(void)
{
    struct handle *oldest = NULL;
    for (struct file *f = tables.files; f; f = f->hh.next)
        for (struct handle *h = f->handles; h; h = h->next)
            if (h->idle && (!oldest || (int32_t)(h->used - oldest->used) < 0))
                oldest = h;
    return oldest;
}

bool cache_make_room(void)
{
    if (likely(tables.idle < IDLE_FEW))
        return true;
    uint32_t most = tables.idle_limit;
    while (tables.idle >= most && tables.idle > 0) {
        struct handle *h = longest_idle();
        if (!h)
            return false;
        if (!cache_evict(h, CAUSE_evict)) {
            h->used = tables.closes; /* can't be written now: others first */
            return false;
        }
    }
    return most > 0;
}

/* The program removed names since the file was last looked at: is it still in a directory? */
static bool has_name(struct file *f, struct handle *h)
{
    uint32_t epoch = atomic_load_explicit(&tables.epoch, memory_order_relaxed);
    if (likely(f->epoch == epoch))
        return true;
    struct stat st;
    if (sys_fstat(h->fd, &st) < 0 || st.st_nlink == 0)
        return false;
    f->epoch = epoch;
    return true;
}

bool cache_wants(struct handle *h)
{
    struct file *f = h->file;
    if (h->fd < LOWEST_CACHED || h->fd > HIGHEST_CACHED || f->real_closes || h->unkept)
        return false;
    if (h->rights != f->rights || h->identity != atomic_load_explicit(&tables.identity, memory_order_relaxed))
        return false;
    if (h->through & NOT_ALONE || atomic_load_explicit(&tables.divided, memory_order_relaxed))
        return false;
    if (atomic_load_explicit(&tables.phase, memory_order_relaxed) != PHASE_ON || !f->paths)
        return false;
    return has_name(f, h);
}

static void evict_all(enum cause cause)
{
    for (struct file *f = tables.files, *next; f; f = next) {
        next = f->hh.next;
        cache_evict_file(f, cause);
    }
}

bool tf_anything_cached(void)
{
    return atomic_load_explicit(&tables.idle, memory_order_relaxed) != 0 && !apart();
}

void tf_evict_all(enum cause cause)
{
    if (apart() || (tables.idle == 0 && tables.files == NULL) || !enter())
        return;
    take_tables();
    evict_all(cause);
    drop_tables();
    guard_settle();
    leave();
}

bool tf_relieve(void)
{
    int own[2];
    if (apart() || (tables.idle == 0 && tf_own_descriptors(own) == 0) || !enter())
        return false;
    take_tables();
    uint32_t before = tables.idle;
    evict_all(CAUSE_evict);
    bool some = tables.idle < before;
    if (!some && tf_own_descriptors(own) > 0) {
        guard_drop_all(CAUSE_evict); /* locks last as long as any copy of a description */
        guard_give_up();
        some = true;
    }
    drop_tables();
    leave();
    return some;
}

void tf_evict_path(int dirfd, const char *path, enum cause cause)
{
    struct stat st;
    if (tables.idle == 0 || apart() || !path)
        return;
    if (sys_fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) || !enter())
        return;
    struct inode id = {st.st_dev, st.st_ino};
    take_tables();
    struct file *f = file_find(&id);
    if (f)
        cache_evict_file(f, cause);
    drop_tables();
    if (f)
        guard_settle();
    leave();
}
