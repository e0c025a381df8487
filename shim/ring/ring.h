/* A trace file's append buffer, in shared memory, and how it drains into the file exactly once.
 *
 * What it is for: bytes that the program wrote are here from the return of its write until they are in
 * the file. Whoever maps the memory (the program, its guard, recovery) can finish the work after any death.
 *
 * The idea: two counters that never wrap. The program copies bytes and then moves `tail` (a release store:
 * the write is acknowledged). A drain declares what it is about to write (intent), writes, and then commits
 * the new head together with the file offset at which the bytes end, by one store to `seq`. On an O_APPEND
 * description the kernel's own offset is the witness: it is set to 0 before the write and the kernel moves
 * it in the same system call that moves the bytes. Elsewhere bytes go to a tracked offset and can be written twice.
 *
 * Rules: two sides. The appending side (one thread at a time, by a lock of the process's own) moves tail; the draining side, under the
 * slot's lock, moves head, seq, commit and intent, with signals blocked. A slow drain doesn't hold up an append that has room.
 * Only this file moves any of them. Nothing here touches errno; errors are returned as -errno.
 */
#ifndef TRACESHIM_RING_RING_H
#define TRACESHIM_RING_RING_H

#include "lock.h"

enum ring_mode {
    RING_APPEND, /* the owner has O_APPEND: bytes go to the end of the file, wherever that is */
    RING_AT      /* bytes go to base + counter */
};

struct ring_commit {
    uint64_t head;
    int64_t end; /* the file offset at which the byte before head lies, plus one; -1: not known */
};

/* One trace file's shared part. What the appending side sets (mode, base, owner) changes only while the ring is empty. */
struct slot {
    struct lock lock; /* the drain's: whoever holds it may move bytes into the file. Appending doesn't take it. */
    uint32_t mode;    /* enum ring_mode of the pending bytes */
    uint32_t
        refresh; /* the file system keeps a size of its own: it is asked for the true one before bytes are appended */
    uint32_t owner;          /* the number of the handle whose bytes are pending */
    _Atomic uint32_t asked;  /* the guard was asked to drain ahead, and has not begun */
    _Atomic uint32_t closed; /* the program has no descriptor of the file open */
    uint64_t record;         /* where the path's record is in the journal, 0: nowhere */
    _Atomic int32_t error;   /* errno of a drain that nobody has been told of */
    uint64_t dev;            /* st_dev and st_ino */
    uint64_t ino;
    int64_t birth_s; /* the birth time, 0 where the file system has none */
    uint32_t birth_ns;
    uint32_t size;       /* the ring's size in bytes; 0: the slot has no ring now */
    uint64_t ring;       /* where it begins in the journal */
    int64_t base;        /* RING_AT: file offset of counter 0 (may be negative) */
    int64_t intent_from; /* RING_APPEND: no byte of the intended ones is in the file before this offset */

    _Alignas(64) _Atomic uint64_t tail; /* bytes accepted since the slot was made */
    int64_t first_ms;                   /* when the oldest pending byte was accepted (sys_now_ms) */
    int64_t last_ms;                    /* when the newest was */

    _Alignas(64) _Atomic uint64_t head; /* bytes known to be in the file */
    _Atomic uint32_t seq;               /* commit[seq & 1] is the one that counts */
    struct ring_commit commit[2];
    uint64_t intent_head;
    _Atomic uint64_t intent_length; /* not 0: a drain of this many bytes from intent_head is under way */
};

/* A ring's bytes, as the caller knows them: the slot is in memory that others may write. */
struct ring {
    unsigned char *at;
    uint32_t size; /* 0: there is none */
};

static inline uint64_t ring_pending(const struct slot *s)
{
    uint64_t head = atomic_load_explicit(&s->head, memory_order_acquire); /* before tail, which only grows */
    return atomic_load_explicit(&s->tail, memory_order_acquire) - head;
}

static inline uint64_t ring_room(const struct slot *s)
{
    return s->size - ring_pending(s);
}

/* The file offset at which the pending bytes of a RING_AT ring end. */
static inline int64_t ring_next_offset(const struct slot *s)
{
    return s->base + (int64_t)atomic_load_explicit(&s->tail, memory_order_relaxed);
}

/* Accepts n bytes of v[0..count), which the caller has checked to fit (ring_room). The bytes count as written when this returns. */
void ring_put(struct slot *s, struct ring ring, const struct iovec *v, int count, size_t n);

/* Finishes what a drainer that died left: if there is an intent, finds out how much of it is in the file and commits that. fd: as for
 * ring_drain. Slot's lock held. */
void ring_settle(struct slot *s, struct ring ring, int fd);

/* Writes the bytes that are pending when it begins to fd, a descriptor of the ring's owner. 0, or -errno, and what could
 * not be written is still pending; -EINVAL: the slot's numbers can't be. Slot's lock held. calls: raised by the system calls made, written: by the bytes.
 * For RING_APPEND the description's offset is the end of the written bytes afterwards. */
int ring_drain(struct slot *s, struct ring ring, int fd, uint64_t *calls, uint64_t *written);

/* Recovery found n of the intended bytes in the file: they count as drained, the intent is over. */
void ring_commit_written(struct slot *s, uint64_t n);

/* Forgets the pending bytes: the program truncated the file. Both sides' locks held. */
void ring_discard(struct slot *s);

/* The slot gets another file, which ends at `end`, -1: not known. The slot is nobody's. */
void ring_begin(struct slot *s, int64_t end);

/* Nothing is known any more of where its bytes end. Nothing is pending. */
void ring_forget_end(struct slot *s);

/* The file offset at which the last drained byte ends, -1 when nothing was drained. */
static inline int64_t ring_end(const struct slot *s)
{
    return s->commit[atomic_load_explicit(&s->seq, memory_order_relaxed) & 1].end;
}

#endif
