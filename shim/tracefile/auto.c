/* @auto: files become trace files by what is done to them.
 *
 * The idea: an open for appending is counted by the path's spelling, and the third one is managed, as if a pattern matched. Small writes
 * are counted by descriptor, as long as nothing else is done to it: tf_get counts every call that asks for the descriptor, so one that
 * isn't a write shows. After the 64th the open descriptor itself becomes managed, or, where a C stream of libc's uses it, the path does
 * at its next open.
 *
 * Rules: only with @auto is anything counted, so that others pay nothing. A wrong guess costs nothing but speed: what is managed here is
 * managed as exactly as everything else. Not after a lock was taken: closing our descriptors would drop it.
 */
#include "auto.h"

#define OPENS  3
#define WRITES 64
#define SMALL  4096 /* bytes */
#define PATHS  1024 /* counted at one time; those opened least go */
#define PROBES 4

static struct counted {
    uint64_t hash; /* 0: free */
    uint32_t opens;
} counted[PATHS];

/* The path's entry, made if need be. Tables' lock held. */
static struct counted *entry(uint64_t hash)
{
    struct counted *least = NULL;
    for (uint64_t i = 0; i < PROBES; i++) {
        struct counted *c = &counted[(hash + i) % PATHS];
        if (c->hash == hash)
            return c;
        if (!least || c->opens < least->opens)
            least = c;
    }
    *least = (struct counted){.hash = hash};
    return least;
}

bool auto_wants(const char *path, int flags)
{
    if (!enter())
        return false;
    take_tables();
    uint64_t hash = path_hash(path);
    bool wants = false;
    if (hash) {
        struct counted *c = entry(hash);
        if ((flags & O_APPEND) && c->opens < OPENS)
            c->opens++;
        wants = c->opens >= OPENS;
    }
    drop_tables();
    leave();
    return wants;
}

void auto_watch(int fd, const char *path)
{
    if ((unsigned)fd >= TF_DESCRIPTORS || !enter())
        return;
    take_tables();
    struct handle *h = atomic_load(&tf_descriptors[fd]);
    if (h && h->kind == KIND_OTHER) {
        h->path_hash = path_hash(path);
        h->candidate = h->path_hash != 0;
    }
    drop_tables();
    leave();
}

/* The path is managed from its next open on, and this descriptor from now on if it can be. */
static void promote(int fd, struct handle *h)
{
    if (!enter())
        return;
    uint64_t old = sys_block_signals();
    take_tables();
    if (atomic_load(&tf_descriptors[fd]) == h && h->kind == KIND_OTHER && h->candidate && h->fds == 1) {
        h->candidate = false;
        entry(h->path_hash)->opens = OPENS;
        if (!h->unseen)
            open_adopt(fd, h);
    }
    drop_tables();
    sys_restore_signals(old);
    leave();
}

struct handle *tf_get_writing(struct handle *h, int fd, size_t n)
{
    if (h->kind != KIND_OTHER || !h->candidate)
        return tf_get_known(h);
    bool only_this = __atomic_exchange_n(&h->touched, 0, __ATOMIC_RELAXED) == 0;
    bool alone =
        h->fds == 1 && atomic_load(&tables.children) == 0 && !atomic_load_explicit(&tf_locks, memory_order_relaxed);
    if (apart() || !only_this || !alone || n > SMALL)
        __atomic_store_n(&h->small, 0, __ATOMIC_RELAXED);
    else if (n > 0 && __atomic_add_fetch(&h->small, 1, __ATOMIC_RELAXED) > WRITES)
        promote(fd, h);
    h = atomic_load(&tf_descriptors[fd]);
    return h && (h->kind != KIND_OTHER || !h->candidate) ? tf_get_known(h) : NULL;
}
