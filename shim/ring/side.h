/* Side buffers: where a signal handler's bytes wait that interrupted the shim itself.
 *
 * What it is for: a handler that writes to a trace file while its own thread is inside the shim can neither
 * wait for the thread's locks nor touch what they guard.
 *
 * The idea: the handler puts its bytes into a side buffer that its thread claims for as long as something is in
 * it; the interrupted call appends them on its way out, in order. Signals are blocked while an entry is made, so
 * entries never nest. Before an entry is merged its end and the ring's tail after it are written down: whoever
 * finishes a dead process's work sees whether the merge happened.
 *
 * Rules: one thread owns a side buffer; it alone, and the handlers in it, touch it while it lives.
 */
#ifndef TRACESHIM_RING_SIDE_H
#define TRACESHIM_RING_SIDE_H

#include "lock.h"

#define SIDES      64
#define SIDE_BYTES (64 * 1024 - 64)

/* An entry: this, then `length` bytes, padded to 8. */
struct side_entry {
    uint64_t handle; /* the process's own name for the handle */
    uint32_t slot;   /* the trace file's number in the journal, UINT32_MAX when it has none */
    uint32_t length;
};

struct side {
    _Atomic uint32_t owner; /* thread id, 0: free */
    uint32_t merge_slot;    /* the merge under way: which slot, */
    uint64_t merge_tail;    /* its tail once the entry is in, */
    uint32_t merge_head;    /* and where the next entry begins */
    uint32_t reserved;
    _Atomic uint32_t head; /* offsets into bytes */
    _Atomic uint32_t tail;
    _Alignas(64) unsigned char bytes[SIDE_BYTES];
};

/* A free one of `count` side buffers, now the thread's; NULL when all are taken. Any context. */
struct side *side_claim(struct side *sides, uint32_t count, uint32_t tid);

/* Adds an entry; says whether it fitted. Signals must be blocked. */
bool side_put(struct side *side, uint64_t handle, uint32_t slot, const struct iovec *v, int count, size_t n);

/* The oldest entry, or NULL; its bytes follow it. */
struct side_entry *side_first(struct side *side);

/* Drops the oldest entry. */
void side_next(struct side *side);

/* The same of a side buffer that others may write: *e is the entry's head as it was found, and lies within; NULL: there is none that could be. */
struct side_entry *side_first_whole(struct side *side, struct side_entry *e);
void side_next_after(struct side *side, const struct side_entry *at, const struct side_entry *e);

/* Gives the empty buffer back. Signals must be blocked. */
void side_release(struct side *side);

#endif
