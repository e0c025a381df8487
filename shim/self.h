/* What each thread knows of itself, and how a wrapper enters and leaves the shim.
 *
 * What it is for: a signal handler, or a vfork child that runs in its parent's memory, may call a wrapper while
 * this very thread is inside one.
 *
 * The idea: a thread is marked busy before it takes a lock. A signal that comes meanwhile is put off until the thread
 * leaves (interpose/handlers.c). A wrapper that finds the mark all the same was called by a handler of the few that can't be put
 * off: it takes no lock and never waits (see ring/side.h for its bytes). The mark is the
 * address of the frame that set it: a handler left by siglongjmp leaves the mark behind, and a later call from
 * a frame further out than it shows that nobody is inside any more.
 *
 * Rules: initial-exec TLS only (no allocation at first use). Locks are noted here while held, so that they can be
 * given up for a frame that is gone.
 */
#ifndef TRACESHIM_SELF_H
#define TRACESHIM_SELF_H

#include "ring/lock.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct side;

struct self {
    volatile unsigned char vfork_child;
    volatile unsigned char put_off; /* signals have come and all are blocked; */
    uint32_t tid;
    volatile uint64_t mask; /* which were blocked before */
    char *volatile frame;   /* the mark: of the wrapper that is inside, NULL when none is. One word, so that no signal
                           * finds a mark with the address of an earlier call */
    struct side *volatile side;   /* bytes of handlers wait here */
    struct lock *volatile tables; /* the locks held */
    struct lock *volatile file;
};

extern __thread struct self self;

/* 1 in a process that has started, or come from a fork that we saw. The kernel makes it 0 in the child of a clone that passed around
 * libc (MADV_WIPEONFORK): what that child has is a copy of tables that describe its parent. */
extern const volatile unsigned char *process_known;

/* Whether all calls are to be the real ones, and nothing of the shim's may be touched: in the child of a vfork, whose memory is its
 * parent's, and in one of a clone that we didn't see. */
static inline bool apart(void)
{
    return unlikely(self.vfork_child || !*process_known);
}

/* A frame that nobody is further out than. */
#define OUTERMOST_FRAME ((char *)UINTPTR_MAX)

/* The rest of enter: finds out whether the mark is a dead frame's. */
bool self_enter_again(char *frame);

/* The rest of leave: appends what handlers left in the side buffer. */
void self_merge(void);

/* The rest of leave: lets the signals through that were put off. */
void self_let_through(void);

/* The kernel's thread id, asked once a thread. */
static inline uint32_t self_tid(void)
{
    if (unlikely(self.tid == 0))
        self.tid = (uint32_t)sys_gettid();
    return self.tid;
}

/* Marks the thread busy. False: the caller is a signal handler that interrupted the shim in this thread, and
 * must do without locks. */
static inline bool enter(void)
{
    char *frame = __builtin_frame_address(0);
    if (unlikely(self.frame || self.side))
        return self_enter_again(frame);
    self_tid();
    self.frame = frame;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

static inline void leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    self.frame = NULL;
    atomic_signal_fence(memory_order_seq_cst);
    if (unlikely(self.side))
        self_merge();
    if (unlikely(self.put_off))
        self_let_through();
}

/* Whether libc knows of this one thread only (glibc 2.32 and later say). Its own locks, which no other process takes, then need no atomic
 * instruction, of which a reopen had eighteen: who else could come is a handler, and it takes no lock where the shim is busy. */
extern char __libc_single_threaded __attribute__((weak));
extern bool self_shared; /* memory was shared by clone(2), of which libc doesn't know */
static inline bool only_thread(void)
{
    return likely(&__libc_single_threaded && __libc_single_threaded && !self_shared);
}
static inline void take_own(struct lock *l)
{
    if (!only_thread() || atomic_load_explicit(&l->word, memory_order_relaxed)) {
        lock_take(l, self.tid);
        return;
    }
    atomic_store_explicit(&l->word, self.tid, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    seen_acquire(l);
}
static inline void drop_own(struct lock *l)
{
    if (!only_thread() || atomic_load_explicit(&l->word, memory_order_relaxed) != self.tid) {
        lock_drop(l);
        return;
    }
    seen_release(l);
    atomic_store_explicit(&l->word, 0, memory_order_release);
}

/* Noted before it is taken and until it is given up: a handler may leave the frame at any instruction, and the lock's owner then
 * tells on which side of the instruction that was. */
static inline void take_file(struct lock *l)
{
    self.file = l;
    take_own(l);
}
static inline bool try_file(struct lock *l)
{
    self.file = l;
    if (lock_try(l, self.tid))
        return true;
    self.file = NULL;
    return false;
}
static inline void drop_file(struct lock *l)
{
    drop_own(l);
    self.file = NULL;
}

#endif
