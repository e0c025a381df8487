/* The process's side of its guard: starting it, telling it of handles, noticing its death.
 *
 * Rules: what is called with a file's lock held says so. Nothing here may run in a handler that interrupted the shim.
 */
#ifndef TRACESHIM_GUARDING_H
#define TRACESHIM_GUARDING_H

#include "tables.h"

/* What the guard's word is: the journal's, or a constant while there is no journal or no guard is wanted. */
extern _Atomic(_Atomic uint32_t *) guard_word;

static inline bool guard_alive(void)
{
    uint32_t word = atomic_load_explicit(atomic_load_explicit(&guard_word, memory_order_relaxed), memory_order_relaxed);
    return word != 0 && !(word & FUTEX_OWNER_DIED);
}

/* The same, exactly: also of a guard that has been started and isn't at work yet. A system call then. */
bool guard_present(void);

/* Buffering without a guard was asked for: everything counts as guarded. */
void guard_not_wanted(void);

/* Makes sure that a guard lives, starting one if need be. False: there can be none, and files must write through. A file's lock held. */
bool guard_ensure(void);

/* For lock_orphaned: whether the owner of a lock is a guard, and dead. */
bool guard_owned(uint32_t owner);

/* The guard gets the handle's description, unless it has it. False: it doesn't, so nothing may be buffered now. File's lock held. */
bool guard_add(struct handle *h);

/* The guard closes its copy of the handle's description. */
void guard_drop(struct handle *h);

/* Everything drains, and the guard closes all its copies, so that nobody holds a file whose process is about to end; it has done so
 * when this returns. Where bytes can't be written it keeps them. Tables' lock held. */
void guard_drop_all(enum cause cause);

/* Waits until the guard has done all drops. */
void guard_settle(void);

/* A ring is half full: the guard looks at all of them now. */
void guard_kick(void);

/* The program needs the numbers of our own descriptors: nothing is buffered from here on. Everything has drained. */
void guard_give_up(void);

/* In the child of a fork: the guard is the parent's. */
void guard_in_child(void);

/* Whether filters of system calls forbid using the guard from now on. */
void guard_forbidden(void);

/* Descriptors of our own: high, close-on-exec, and closed as far as the program can tell. */
enum own { OWN_JOURNAL, OWN_SOCKET, OWN_COUNT };

/* Moves fd to a high number and remembers it in tables.journal.fd or tables.guard_socket; false when no number is left. */
bool own_place(enum own which, int fd);
bool own_is(int fd);
/* The number is wanted by the program: ours moves elsewhere. */
void own_move(int fd);
/* The number turned out to be the program's: ours was closed behind our back. */
void own_lost(int fd);
void own_close(enum own which);

#endif
