/* The slow half of lock.h: waiting for a lock, and waking who waits.
 *
 * The idea: a waiter sets the bit LOCK_WAITERS and sleeps on the word. Whoever took the lock by waiting
 * keeps the bit set, since it can't know whether others sleep; the cost is one needless wake-up.
 *
 * Rules: the futex is a shared one (the guard waits on the same word from another process).
 */
#include "lock.h"

bool (*lock_orphaned)(uint32_t owner);

void lock_wait(struct lock *l, uint32_t tid)
{
    const struct timespec a_while = {0, 20 * 1000000};
    for (int spin = 0; spin < 100; spin++) {
        if (lock_try(l, tid))
            return;
        __asm__ volatile("" ::: "memory");
    }
    for (;;) {
        uint32_t seen = atomic_load_explicit(&l->word, memory_order_relaxed);
        if (seen == 0) {
            if (atomic_compare_exchange_strong_explicit(&l->word, &seen, tid | LOCK_WAITERS, memory_order_acquire,
                                                        memory_order_relaxed))
                return;
            continue;
        }
        if (!(seen & LOCK_WAITERS) &&
            !atomic_compare_exchange_strong_explicit(&l->word, &seen, seen | LOCK_WAITERS, memory_order_relaxed,
                                                     memory_order_relaxed))
            continue;
        long woken = sys_futex(&l->word, FUTEX_WAIT, seen | LOCK_WAITERS, &a_while);
        seen |= LOCK_WAITERS;
        if (woken == -ETIMEDOUT && lock_orphaned && lock_orphaned(seen & ~LOCK_WAITERS) &&
            atomic_compare_exchange_strong_explicit(&l->word, &seen, tid | LOCK_WAITERS, memory_order_acquire,
                                                    memory_order_relaxed))
            return;
    }
}

void lock_break(struct lock *l, uint32_t dead)
{
    uint32_t seen = atomic_load(&l->word);
    while ((seen & ~LOCK_WAITERS) == dead)
        if (atomic_compare_exchange_strong(&l->word, &seen, 0)) {
            if (seen & LOCK_WAITERS)
                lock_wake(l);
            return;
        }
}

void lock_wake(struct lock *l)
{
    sys_futex(&l->word, FUTEX_WAKE, 1, NULL);
}
