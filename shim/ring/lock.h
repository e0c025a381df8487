/* A futex lock that lives in shared memory.
 *
 * What it is for: the tables of a process, and the rings that a process shares with its guard.
 *
 * The idea: the word holds the owner's thread id, so that the other side can tell whether the owner is
 * dead, and one bit for "somebody waits". Not a pthread mutex: robust ones cost 18 ns, and none may be
 * used in a signal handler.
 *
 * Rules, and the order in which locks are taken (add new locks here):
 *   1. the tables' lock (tracefile/tables.h)
 *   2. one trace file's lock (struct slot); never two at once, save by lock_try
 *   3. the arena's lock and the journal's allocation lock: leaves
 * A holder is busy (self.h): a signal handler that interrupts it never waits for it.
 */
#ifndef TRACESHIM_RING_LOCK_H
#define TRACESHIM_RING_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../sys.h"

#define LOCK_WAITERS 0x80000000u

struct lock {
    _Atomic uint32_t word;
};

/* Asked by a thread that has waited a while: whether the owner (a thread id) is dead, so that its lock may be taken over. Set once a
 * process; NULL: nobody dies. */
extern bool (*lock_orphaned)(uint32_t owner);

/* The slow ways in and out; see lock_take. */
void lock_wait(struct lock *l, uint32_t tid);
void lock_wake(struct lock *l);

/* In a program built with ThreadSanitizer: it sees what memcpy and other functions of libc do for us in memory that threads share,
 * and would not see the locks. Elsewhere there are none. */
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
static inline void seen_acquire(void *p)
{
    if (__builtin_expect(__tsan_acquire != NULL, 0))
        __tsan_acquire(p);
}
static inline void seen_release(void *p)
{
    if (__builtin_expect(__tsan_release != NULL, 0))
        __tsan_release(p);
}

/* Takes the lock for thread tid, waiting as long as it takes. The thread must not hold it. */
static inline void lock_take(struct lock *l, uint32_t tid)
{
    uint32_t free_word = 0;
    if (!atomic_compare_exchange_strong_explicit(&l->word, &free_word, tid, memory_order_acquire, memory_order_relaxed))
        lock_wait(l, tid);
    seen_acquire(l);
}

/* Takes the lock if nobody holds it; says whether it did. */
static inline bool lock_try(struct lock *l, uint32_t tid)
{
    uint32_t free_word = 0;
    if (!atomic_compare_exchange_strong_explicit(&l->word, &free_word, tid, memory_order_acquire, memory_order_relaxed))
        return false;
    seen_acquire(l);
    return true;
}

/* Gives up a lock that the caller holds. */
static inline void lock_drop(struct lock *l)
{
    seen_release(l);
    if (atomic_exchange_explicit(&l->word, 0, memory_order_release) & LOCK_WAITERS)
        lock_wake(l);
}

/* Gives up the lock that a dead owner held, unless somebody has taken it over already. */
void lock_break(struct lock *l, uint32_t dead);

static inline uint32_t lock_owner(struct lock *l)
{
    return atomic_load_explicit(&l->word, memory_order_relaxed) & ~LOCK_WAITERS;
}

#endif
