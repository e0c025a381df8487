/* When and through which descriptor a trace file drains.
 *
 * The idea: ring.c knows how bytes get into a file; here is the rest: the ring is the file's only while it has bytes or is
 * young (memory is bounded), a descriptor that was cached is looked at before bytes go to it, an error that no call can
 * be told of waits for the next one, and what is older than the window goes out at whatever call comes next.
 *
 * Rules: the file's lock is held, signals are blocked around the system calls.
 */
#include "../log.h"
#include "guarding.h"

#define NEVER           INT64_MAX
#define NOT_OPENED_WITH (O_CREAT | O_EXCL | O_TRUNC)

static uint32_t slot_number(const struct file *f)
{
    return (uint32_t)(f->slot - tables.journal.slots);
}

/* More than half full: the guard makes room before the program has to wait for it. */
static void drain_ahead(struct slot *s)
{
    if (!tables.config.guard || ring_pending(s) < s->size / 2)
        return;
    if (atomic_load_explicit(&s->asked, memory_order_relaxed))
        return;
    atomic_store(&s->asked, 1);
    guard_kick();
}

void file_pending(struct file *f, int64_t now_ms, bool was_empty)
{
    struct slot *s = f->slot;
    s->last_ms = now_ms;
    drain_ahead(s);
    uint32_t i = slot_number(f);
    uint64_t bit = (uint64_t)1 << (i % 64);
    if (was_empty)
        s->first_ms = now_ms;
    if (likely(atomic_load_explicit(&tables.pending[i / 64], memory_order_relaxed) & bit))
        return;
    s->first_ms = now_ms;
    atomic_fetch_or(&tables.pending[i / 64], bit);
    atomic_fetch_add(&tf_pending_files, 1);
    if (tables.config.guard)
        return; /* it keeps the window */
    int64_t due = now_ms + tables.config.window_ms, old = atomic_load(&tables.due_ms);
    while (due < old && !atomic_compare_exchange_weak(&tables.due_ms, &old, due)) {
    }
}

static void nothing_pending(struct file *f)
{
    uint32_t i = slot_number(f);
    uint64_t bit = (uint64_t)1 << (i % 64);
    if (atomic_fetch_and(&tables.pending[i / 64], ~bit) & bit)
        atomic_fetch_sub(&tf_pending_files, 1);
}

/* ---- the size ---- */

void file_learn_size(struct file *f, int64_t size, uint64_t pending, int64_t now_ms)
{
    f->size = size;
    f->size_head = f->slot ? atomic_load(&f->slot->tail) - pending : 0;
    f->size_ms = now_ms == f->real_calls_ms ? -1 : now_ms;
    f->size_epoch = atomic_load_explicit(&tables.epoch, memory_order_relaxed);
}

/* What the kernel said within this tick of its clock still holds, unless we were told something since, or somebody writes unseen:
 * languages ask for the attributes and then for the end at every open. */
static bool size_known(const struct file *f, int64_t now_ms)
{
    return f->size_ms == now_ms && f->size_epoch == atomic_load(&tables.epoch) && f->unseen == 0;
}

uint64_t file_hold(struct file *f)
{
    struct slot *s = f->slot;
    lock_take(&s->lock, self.tid);
    if (atomic_load(
            &s->intent_length)) { /* its drainer died: how much is in the file has to be found out, by a drain */
        lock_drop(&s->lock);
        file_drain(f, CAUSE_attributes, true);
        lock_take(&s->lock, self.tid);
    }
    return ring_pending(s);
}

int64_t file_size_now(struct file *f, int fd)
{
    struct stat st;
    int64_t now = sys_now_ms();
    if (size_known(f, now))
        return file_size(f, f->size, f->slot ? atomic_load(&f->slot->tail) - f->size_head : 0);
    struct look look = file_look(f);
    long done = sys_fstat(fd, &st);
    if (done == 0 && !file_unchanged(f, &look)) { /* the guard is draining it: between its drains */
        look.pending = file_hold(f);
        done = sys_fstat(fd, &st);
        lock_drop(&f->slot->lock);
    }
    if (done < 0)
        return done;
    file_learn_size(f, st.st_size, look.pending, now);
    return file_size(f, st.st_size, look.pending);
}

void file_discard(struct file *f)
{
    struct handle *h = f->owner;
    if (file_pending_bytes(f) == 0)
        return;
    if (h && h->lazy && h->at_end) { /* where its last byte ended, had it been written */
        int64_t size = file_size_now(f, h->fd);
        h->off = size > 0 ? size : 0;
        h->at_end = false;
    }
    lock_take(&f->slot->lock, self.tid);
    ring_discard(f->slot);
    lock_drop(&f->slot->lock);
    nothing_pending(f);
}

bool handle_still(struct handle *h)
{
    struct statx st;
    if (sys_statx(h->fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &st) < 0)
        return false;
    struct inode id = inode_of_statx(&st);
    return id.ino == h->id.ino && id.dev == h->id.dev;
}

/* The handle's descriptor was closed behind our back: another one for the same file, by its name; -1 when the name leads
 * elsewhere. The caller closes it. */
static int another_descriptor(struct file *f, struct handle *h)
{
    int flags = (h->flags & ~NOT_OPENED_WITH) | O_CLOEXEC | O_NOCTTY;
    long fd = sys_openat(AT_FDCWD, f->record->shown->path, flags, 0);
    struct stat st;
    if (fd < 0)
        return -1;
    if (sys_fstat((int)fd, &st) == 0 && st.st_dev == f->id.dev && st.st_ino == f->id.ino)
        return (int)fd;
    sys_close((int)fd);
    return -1;
}

bool handle_repair(struct handle *h)
{
    if (!handle_still(h)) {
        if (sys_fcntl(h->fd, F_GETFD, 0) != -EBADF)
            return false;
        int fd = another_descriptor(h->file, h);
        if (fd < 0)
            return false;
        long done = fd == h->fd ? fd : sys_dup3(fd, h->fd, O_CLOEXEC);
        if (fd != h->fd)
            sys_close(fd);
        if (done < 0)
            return false;
        h->hidden_cloexec = true;
        h->exposed = false;
        h->off = h->lazy && !h->at_end ? h->off : 0;
        h->lazy = true;
    }
    h->doubtful = false;
    return true;
}

static int drain_through(struct file *f, int fd)
{
    struct counters *n = &f->record->shown->n;
    struct slot *s = f->slot;
    if (!lock_try(&s->lock, self.tid)) {
        n->waits++; /* the guard is draining it */
        lock_take(&s->lock, self.tid);
    }
    int done = ring_drain(s, journal_at(&tables.journal, s), fd, &n->drain_calls, &n->drained);
    lock_drop(&s->lock);
    return done;
}

static int drain_owner(struct file *f)
{
    struct handle *h = f->owner;
    if (!h->idle && !h->doubtful)
        return drain_through(f, h->fd);
    if (handle_still(h)) {
        if (!h->idle)
            h->doubtful = false;
        return drain_through(f, h->fd);
    }
    int fd = another_descriptor(f, h);
    if (fd < 0)
        return -EBADF;
    int done = drain_through(f, fd);
    sys_close(fd);
    return done;
}

int64_t handle_end_offset(struct handle *h)
{
    struct file *f = h->file;
    return f->owner == h && f->slot && f->slot->mode == RING_APPEND && h->wrote ? ring_end(f->slot) : -1;
}

/* The owner's bytes are all in the file: its offset is a number again. */
static void resolve(struct file *f)
{
    struct handle *h = f->owner;
    if (!h || !h->at_end || ring_pending(f->slot) > 0)
        return;
    int64_t end = handle_end_offset(h);
    if (end < 0)
        return;
    h->off = end;
    h->at_end = false;
}

int file_drain(struct file *f, enum cause cause, bool late)
{
    if (file_pending_bytes(f) == 0) {
        if (f->slot) {
            nothing_pending(f); /* the guard was here */
            resolve(f);
        }
        return 0;
    }
    uint64_t old = sys_block_signals();
    uint64_t before = ring_pending(f->slot);
    f->size_ms = -1;
    int done = drain_owner(f);
    atomic_fetch_add(&tables.drains, 1);
    if (ring_pending(f->slot) < before) {
        f->record->shown->n.drains++;
        f->record->shown->n.causes[cause]++;
    }
    if (done == 0) {
        nothing_pending(f);
        resolve(f);
    } else {
        f->record->shown->err = -done;
        if (late)
            f->err = -done;
        f->slot->first_ms = sys_now_ms(); /* tried again a window later */
        log_failure(f->record->shown->path, ring_pending(f->slot), -done);
    }
    sys_restore_signals(old);
    return done;
}

int handle_sync(struct handle *h)
{
    if (!h->lazy)
        return 0;
    struct slot *s = file_pending_bytes(h->file) ? h->file->slot : NULL;
    if (s)
        lock_take(&s->lock,
                  self.tid); /* a drain failed, and the guard may be trying again: the offset is its witness */
    int64_t end = h->at_end ? handle_end_offset(h) : h->off;
    long done = end >= 0 ? sys_lseek(h->fd, end, SEEK_SET) : sys_lseek(h->fd, 0, SEEK_END);
    if (s)
        lock_drop(&s->lock);
    if (done < 0)
        return (int)done;
    h->lazy = h->at_end = false;
    return 0;
}

int file_error(struct file *f)
{
    int err = f->err;
    f->err = 0;
    if (f->slot && unlikely(atomic_load_explicit(&f->slot->error, memory_order_relaxed))) {
        int guards = atomic_exchange(&f->slot->error, 0);
        if (err == 0)
            err = guards;
    }
    return err;
}

int drain_all(enum cause cause)
{
    int first = 0;
    for (int w = 0; w < JOURNAL_SLOTS / 64 && atomic_load(&tf_pending_files); w++) {
        uint64_t bits = atomic_load(&tables.pending[w]);
        for (; bits; bits &= bits - 1) {
            struct file *f = tables.slot_files[w * 64 + __builtin_ctzll(bits)];
            if (!f)
                continue;
            take_file(f->lock);
            int done = file_drain(f, cause, true);
            drop_file(f->lock);
            if (done < 0 && first == 0)
                first = done;
        }
    }
    return first;
}

/* Guards have changed: the new one gets to know whose bytes are pending, or they go out now. */
static int64_t look_after(struct file *f)
{
    if (!try_file(f->lock))
        return 0; /* somebody is writing to it: again on their way out */
    if (file_pending_bytes(f) && (tables.unguarded || !guard_add(f->owner)))
        file_drain(f, CAUSE_window, true);
    drop_file(f->lock);
    return NEVER;
}

/* Drains what is overdue in one file, and says when to look at it again. */
static int64_t window_passes(struct file *f, int64_t now_ms)
{
    if (tables.config.guard)
        return look_after(f);
    if (!try_file(f->lock))
        return now_ms + 1; /* somebody is writing to it: they look at the clock themselves */
    int64_t due = NEVER;
    if (file_pending_bytes(f)) {
        due = f->slot->first_ms + tables.config.window_ms;
        if (due <= now_ms) {
            file_drain(f, CAUSE_window, true);
            due = file_pending_bytes(f) ? f->slot->first_ms + tables.config.window_ms : NEVER;
        }
    }
    drop_file(f->lock);
    return due;
}

void windows_pass(int64_t now_ms)
{
    if (likely(now_ms < atomic_load_explicit(&tables.due_ms, memory_order_relaxed)))
        return;
    take_tables();
    atomic_store(&tables.due_ms, NEVER);
    int64_t next = NEVER;
    for (int w = 0; w < JOURNAL_SLOTS / 64; w++) {
        uint64_t bits = atomic_load(&tables.pending[w]);
        for (; bits; bits &= bits - 1) {
            struct file *f = tables.slot_files[w * 64 + __builtin_ctzll(bits)];
            int64_t due = f ? window_passes(f, now_ms) : NEVER;
            if (due < next)
                next = due;
        }
    }
    int64_t old = atomic_load(&tables.due_ms);
    while (next < old && !atomic_compare_exchange_weak(&tables.due_ms, &old, next)) {
    }
    if (tables.unguarded && !tf_anything_pending())
        journal_unlink(&tables.journal); /* nobody else would */
    drop_tables();
}
