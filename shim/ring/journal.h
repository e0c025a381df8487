/* The shared memory of one process: slots, side buffers and rings.
 *
 * What it is for: one mapping that holds everything a guard needs to finish the program's work.
 *
 * The idea: a fixed layout (header, slots, side buffers, rings), sized once from the configuration and sparse
 * until used; a ring's pages are reserved when the ring is handed out, so that a full memory is an error there
 * and never a SIGBUS later.
 *
 * Rules: allocation under the tables' lock, and never from a signal handler that interrupted the shim.
 */
#ifndef TRACESHIM_RING_JOURNAL_H
#define TRACESHIM_RING_JOURNAL_H

#include "ring.h"
#include "side.h"

#define JOURNAL_SLOTS 4096

/* What stands at the beginning of the memory. */
struct journal_header {
    char magic[8]; /* "tracesh" and a format number */
    uint32_t pid;
    uint32_t buffer;  /* bytes in a ring */
    uint32_t rings;   /* how many there is room for */
    uint32_t window_ms;
    _Atomic uint32_t slots; /* slots ever used: the first so many may hold bytes */
};

struct journal {
    struct journal_header *header; /* NULL: there is none */
    struct slot *slots;
    struct side *sides;
    unsigned char *memory; /* the whole mapping; slot.ring counts from here */
    size_t size;
    uint64_t rings_at;
    uint32_t next_ring;  /* rings never handed out begin here */
    uint32_t free_count; /* rings handed back */
    uint32_t *free_rings;
};

/* Makes the memory: rings of `buffer` bytes (rounded up to pages) in `memory` bytes altogether. 0 or -errno. */
int journal_open(struct journal *j, size_t buffer, size_t memory, unsigned window_ms);

/* Unmaps it: a forked child lets go of its parent's. */
void journal_leave(struct journal *j);

/* A slot never used before, or NULL when all are. It has no ring. */
struct slot *journal_slot(struct journal *j);

/* Gives the slot a ring whose pages exist; says whether there was one to give. */
bool journal_ring(struct journal *j, struct slot *s);

/* Takes the slot's ring back; it must be empty. */
void journal_ring_back(struct journal *j, struct slot *s);

static inline unsigned char *journal_at(const struct journal *j, const struct slot *s) { return j->memory + s->ring; }

#endif
