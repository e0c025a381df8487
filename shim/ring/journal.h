/* The shared memory of one process: slots, side buffers, records and rings; on a tmpfs it is a journal that outlives its process.
 *
 * What it is for: one mapping that holds everything a guard, or recovery, needs to finish the program's work.
 *
 * The idea: a fixed layout (header, slots, side buffers, records, rings), sized once from the configuration and sparse until
 * used; pages are reserved when a part is handed out, so that a full memory is an error there and never a SIGBUS later. The file lies
 * in a directory of the user's own and is locked (flock) by one open file description that the program and its guard hold: who gets
 * the lock knows that both are gone. It gets its name when it is whole and has a guard, so that a process that dies earlier leaves
 * nothing. Where no such directory can be had it is a memfd, which nobody can recover.
 *
 * Rules: allocation under the tables' lock or the lock of rings, and never from a signal handler that interrupted the shim.
 */
#ifndef TRACESHIM_RING_JOURNAL_H
#define TRACESHIM_RING_JOURNAL_H

#include "ring.h"
#include "side.h"

struct shown;

#define JOURNAL_SLOTS   4096
#define JOURNAL_RECORDS (1024u * 1024) /* bytes for records */
#define JOURNAL_NAME    64             /* bytes of a file name */
#define JOURNAL_MAGIC   "tracesh\3"    /* the last byte is the format */

/* What stands at the beginning of the memory. */
struct journal_header {
    char magic[8];
    uint32_t pid;
    uint32_t buffer; /* bytes in a ring */
    uint32_t rings;  /* how many there is room for */
    uint32_t window_ms;
    uint64_t slots_at, sides_at, records_at, rings_at, size;
    _Atomic uint32_t slots;        /* slots ever used: the first so many may hold bytes */
    _Atomic uint32_t records_used; /* bytes */
    _Atomic uint32_t guard;        /* thread id of the guard, with FUTEX_OWNER_DIED once it is dead; 0: none yet */
    _Atomic uint32_t guard_thread; /* its thread id, which stays */
    _Atomic uint32_t ready;        /* the guard has begun: its death will be seen in `guard` */
    _Atomic uint32_t acknowledged; /* the number of the last drop (guard.h) that is done */
    _Atomic uint32_t ended;        /* the process wrote its own report */
    _Atomic uint32_t leaving;      /* it is about to become another program */
    _Atomic uint32_t drains;       /* raised by the guard before and after each of its drains */
    _Atomic uint32_t silent;       /* it ended, and left the report and the journal's name to the guard */
    _Atomic uint32_t sides;        /* side buffers whose pages exist: the first so many */
    int64_t started;               /* seconds since 1970 */
    int64_t started_ms;            /* sys_now_ms */
    uint64_t start_ticks;          /* of the process, from /proc */
    char program[32];
    char path[256 + JOURNAL_NAME]; /* the journal's own name, "" for a memfd */
    char report[4096];             /* where the report goes, final; "" for none */
};

struct journal {
    struct journal_header *header; /* NULL: there is none */
    struct slot *slots;
    struct side *sides;
    unsigned char *memory; /* the whole mapping; slot.ring counts from here */
    size_t size;
    uint64_t records_at, rings_at; /* as in the header, which others may write */
    uint32_t buffer;
    int fd;                        /* its descriptor, to reserve pages by and to hand to the guard */
    char path[256 + JOURNAL_NAME]; /* "" for a memfd */
    bool unnamed;                  /* path is chosen, but the file isn't there yet */
    uint32_t next_ring;            /* rings never handed out begin here */
    uint32_t free_count;           /* rings handed back */
    uint32_t *free_rings;
};

/* Opens the directory of journals: `where` (its parent exists), or that of the user under /dev/shm; made if need be, and refused unless
 * it is the user's own, closed to others, and no link. Its descriptor, or -errno. path: 256 bytes for its name. */
int journal_directory(const char *where, char *path);

/* Makes the memory: rings of `buffer` bytes (rounded up to pages) in `memory` bytes altogether, at most a quarter of what is free in
 * the directory. 0 or -errno. The descriptor in j->fd is the caller's to place. */
int journal_open(struct journal *j, const char *where, size_t buffer, size_t memory, unsigned window_ms);

/* Gives it the name in j->path, if it has none yet. From then on it must be removed. */
void journal_name(struct journal *j);

/* Maps a journal that another process made; checks that it is whole. 0 or -errno. */
int journal_map(struct journal *j, int fd);

/* Unmaps it and closes the descriptor: a forked child lets go of its parent's. */
void journal_leave(struct journal *j);

/* Removes its name. Any context. */
void journal_unlink(const struct journal *j);

/* The same, and it never has one again. */
void journal_forget(struct journal *j);

/* A slot never used before, or NULL when all are or memory is full. It has no ring. */
struct slot *journal_slot(struct journal *j);

/* Gives the slot a ring whose pages exist; says whether there was one to give. */
bool journal_ring(struct journal *j, struct slot *s);

/* Takes the slot's ring back; it must be empty. */
void journal_ring_back(struct journal *j, struct slot *s);

/* n bytes (rounded up to 8) among the records, NULL when they don't fit. They follow each other without gaps. */
void *journal_record(struct journal *j, size_t n);

/* A side buffer for the thread, pages reserved; NULL when there is none. Any context. */
struct side *journal_side(struct journal *j, uint32_t tid);

/* The ring of a slot of our own. */
static inline struct ring journal_at(const struct journal *j, const struct slot *s)
{
    return (struct ring){j->memory + s->ring, s->size};
}

/* ---- of another process's journal: what it says is believed as far as it stays inside the memory ---- */

/* The slot's ring, its size 0 when there is none, or none that can be. */
struct ring journal_ring_of(const struct journal *j, const struct slot *s);

/* How many slots and side buffers there are to look at. */
uint32_t journal_slots(const struct journal *j);
uint32_t journal_sides(const struct journal *j);

/* How many bytes of records. */
uint32_t journal_records(const struct journal *j);

/* The slot's record, or NULL: there is none. Its path may lack an end. */
struct shown *journal_shown(const struct journal *j, const struct slot *s);

#endif
