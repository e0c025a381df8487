/* write(2) to a trace file.
 *
 * The idea: bytes that fit go into the ring and the call is done. Only one handle's bytes are in the ring at a time, and
 * for a handle without O_APPEND only bytes that follow each other in the file; anything else drains first. Where the
 * file writes through, the real call is made under the same lock, so that the order stays.
 *
 * Rules: a write that fails takes no byte. An error that a drain met when nobody could be told is told once, by the next call.
 * A handler that interrupted the shim puts its bytes into the thread's side buffer (ring/side.h).
 */
#include "../real.h"
#include "memory.h"
#include "guarding.h"

#define MOST_PIECES 1024 /* IOV_MAX */

static ssize_t result(ssize_t n)
{
    if (likely(n >= 0))
        return n;
    errno = (int)-n;
    return -1;
}

/* For the report: why it is written through, a bit for each reason; not 0. */
static uint32_t why_through(const struct file *f, const struct handle *h)
{
    uint32_t why = f->through | h->through;
    if (atomic_load_explicit(&tables.phase, memory_order_relaxed) != PHASE_ON)
        why |= 1u << REASON_ENDED;
    if (why)
        return why;
    return 1u << (tables.unguarded ? REASON_NO_GUARD : !f->slot || !f->slot->size ? REASON_NO_MEMORY : REASON_LARGE);
}

/* Past the buffer: to the file at once. */
static ssize_t write_through(struct file *f, struct handle *h, const struct iovec *v, int count)
{
    int done = file_drain(f, CAUSE_through, false);
    if (done == 0)
        done = handle_append(h) && !h->at_end ? 0 : handle_sync(h);
    if (done < 0)
        return done;
    if (!handle_certain(h))
        return -EBADF;
    file_forget_size(f);
    ssize_t n = count == 1 ? sys_write(h->fd, v->iov_base, v->iov_len)
                           : sys_writev(h->fd, v, count); /* a filter may know only write */
    f->record->shown->managed = true;                     /* an inherited descriptor is in nobody's report yet */
    f->record->shown->through = why_through(f, h);
    f->record->shown->n.through++;
    if (f->slot)
        ring_forget_end(f->slot);    /* nothing is pending: the guard is not at it */
    if (n > 0) {                     /* a write of nothing moves nothing */
        h->lazy = h->at_end = false; /* the kernel's offset is where the bytes end, with O_APPEND or without */
        f->record->shown->n.bytes += (uint64_t)n;
    }
    return n;
}

static bool buffers(struct file *f, struct handle *h, size_t n)
{
    if (unlikely(f->through | h->through))
        return false;
    if (unlikely(atomic_load_explicit(&tables.phase, memory_order_relaxed) != PHASE_ON))
        return false;
    return file_ring(f) && n <= f->slot->size && (likely(guard_alive()) || guard_ensure());
}

/* The ring becomes this handle's, at its offset. 0 or -errno. */
static int own(struct file *f, struct handle *h)
{
    struct slot *s = f->slot;
    if (handle_append(h)) {
        if (likely(f->owner == h && s->mode == RING_APPEND))
            return 0;
        int done = file_drain(f, CAUSE_handle, false);
        if (done < 0)
            return done;
        f->size_ms = -1;
        s->mode = RING_APPEND;
        s->owner = h->number;
        if (f->owner)
            ring_forget_end(s);
        f->owner = h;
        return 0;
    }
    if (!h->lazy) {
        long at = sys_lseek(h->fd, 0, SEEK_CUR);
        if (at < 0)
            return (int)at;
        h->off = at;
        h->lazy = true;
    }
    if (likely(f->owner == h && ring_pending(s) && ring_next_offset(s) == h->off))
        return 0;
    int done = file_drain(f, f->owner == h ? CAUSE_offset : CAUSE_handle, false);
    if (done < 0)
        return done;
    f->size_ms = -1;
    s->mode = RING_AT;
    s->owner = h->number;
    s->base = h->off - (int64_t)atomic_load_explicit(&s->tail, memory_order_relaxed);
    f->owner = h;
    return 0;
}

static ssize_t write_locked(struct handle *h, const struct iovec *v, int count, size_t n, int64_t now_ms)
{
    struct file *f = h->file;
    if (unlikely(h->idle))
        return -EBADF;
    int err = file_error(f);
    if (unlikely(err))
        return -err;
    f->record->shown->n.writes++;
    if (unlikely(!buffers(f, h, n)))
        return write_through(f, h, v, count);
    f->record->shown->through = 0;
    if (unlikely(n == 0))
        return 0;
    if (unlikely(h->off > OFFSET_FARTHEST))
        return write_through(f, h, v, count);
    if (unlikely(h->generation != tables.generation) && !guard_add(h))
        return write_through(f, h, v, count);
    int done = own(f, h);
    if (unlikely(done < 0))
        return done;
    if (unlikely(ring_room(f->slot) < n)) {
        done = file_drain(f, CAUSE_full, false);
        if (ring_room(f->slot) < n)
            return done;
        if (done == 0 && !handle_append(h))
            done = own(f, h); /* an empty ring is based anew */
        if (done < 0 && !handle_append(h) && ring_pending(f->slot) == 0)
            return done;
    }
    bool was_empty = ring_pending(f->slot) == 0;
    ring_put(f->slot, journal_at(&tables.journal, f->slot), v, count, n);
    file_pending(f, now_ms, was_empty);
    f->record->shown->n.bytes += n;
    if (handle_append(h)) {
        h->lazy = true;
        h->at_end = h->wrote = true;
    } else {
        h->off += (int64_t)n;
    }
    return (ssize_t)n;
}

/* A handler that interrupted the shim. The bytes count as written once they are in the side buffer. */
static ssize_t write_aside(struct handle *h, const struct iovec *v, int count, size_t n)
{
    uint64_t old = sys_block_signals();
    if (!self.side && tables.journal.header)
        self.side = journal_side(&tables.journal, self_tid());
    struct file *f = h->file;
    uint32_t slot = f && f->slot ? (uint32_t)(f->slot - tables.journal.slots) : UINT32_MAX;
    bool kept = self.side && side_put(self.side, (uint64_t)(uintptr_t)h, slot, v, count, n);
    sys_restore_signals(old);
    return kept ? (ssize_t)n : sys_writev(h->fd, v, count);
}

#define GONE (-4096) /* no error: the descriptor is another's by now */

static ssize_t write_pieces(int fd, struct handle *h, const struct iovec *v, int count, size_t n)
{
    if (!enter())
        return h->idle ? -EBADF : write_aside(h, v, count, n);
    int64_t now = sys_now_ms();
    struct file *f = handle_hold(fd, h);
    ssize_t done = f ? write_locked(h, v, count, n, now) : GONE;
    if (likely(f))
        drop_file(&f->own);
    windows_pass(now);
    leave();
    return done;
}

ssize_t tf_write(int fd, struct handle *h, const void *p, size_t n)
{
    cancellation_point();
    if (unlikely(h->kind != KIND_MANAGED || n > 0x7ffff000 || memory_unreadable(p, n)))
        return tf_barrier(fd, h, CAUSE_descriptor, false) < 0 ? -1 : real_write(fd, p, n);
    struct iovec v = {(void *)p, n};
    ssize_t done = write_pieces(fd, h, &v, 1, n);
    if (likely(done != GONE))
        return result(done);
    h = tf_get(fd);
    return h ? tf_write(fd, h, p, n) : real_write(fd, p, n);
}

ssize_t tf_writev(int fd, struct handle *h, const struct iovec *v, int count)
{
    cancellation_point();
    size_t n = 0;
    bool fine = h->kind == KIND_MANAGED && count >= 0 && count <= MOST_PIECES &&
                !memory_unreadable(v, (size_t)count * sizeof *v);
    for (int i = 0; fine && i < count; i++) {
        if (v[i].iov_len > 0x7ffff000 - n || (v[i].iov_len && memory_unreadable(v[i].iov_base, v[i].iov_len)))
            fine = false;
        n += v[i].iov_len;
    }
    if (unlikely(!fine))
        return tf_barrier(fd, h, CAUSE_descriptor, false) < 0 ? -1 : real_writev(fd, v, count);
    ssize_t done = write_pieces(fd, h, v, count, n);
    if (likely(done != GONE))
        return result(done);
    h = tf_get(fd);
    return h ? tf_writev(fd, h, v, count) : real_writev(fd, v, count);
}

/* One entry of the side buffer goes where it belongs; the merge is written down before the tail moves. */
static void merge_one(struct side *side, struct side_entry *e)
{
    struct handle *h = (struct handle *)(uintptr_t)e->handle;
    struct file *f = h->file;
    struct iovec v = {e + 1, e->length};
    take_file(f->lock);
    if (f->slot) {
        side->merge_tail = atomic_load_explicit(&f->slot->tail, memory_order_relaxed) + e->length;
        side->merge_head = atomic_load_explicit(&side->head, memory_order_relaxed);
        side->merge_slot = e->slot;
    }
    if (write_locked(h, &v, 1, e->length, sys_now_ms()) < 0 && !h->idle)
        f->err = f->record->shown->err;
    side_next(side);
    drop_file(f->lock);
}

void self_merge(void)
{
    self.frame = __builtin_frame_address(0);
    atomic_signal_fence(memory_order_seq_cst);
    for (;;) {
        struct side_entry *e;
        while ((e = side_first(self.side)))
            merge_one(self.side, e);
        uint64_t old = sys_block_signals();
        bool empty = !side_first(self.side);
        if (empty) {
            side_release(self.side);
            self.side = NULL;
            self.frame = NULL;
        }
        sys_restore_signals(old);
        if (empty)
            return;
    }
}
