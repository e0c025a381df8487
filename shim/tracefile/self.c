/* A wrapper that finds its thread busy: a handler, or the remains of a frame that siglongjmp left. See self.h. */
#include "tables.h"

/* On an alternate signal stack addresses say nothing of who called whom. */
static bool on_signal_stack(void)
{
    stack_t stack;
    return sys_sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK);
}

/* A lock that the dead frame held, or had just given up without having woken who waits. */
static void give_up(struct lock *l)
{
    if (l && lock_owner(l) == self.tid)
        lock_drop(l);
    else if (l)
        lock_wake(l);
}

static void give_up_locks(void)
{
    struct lock *file = self.file, *all = self.tables;
    self.file = NULL;
    self.tables = NULL;
    give_up(file);
    give_up(all);
}

bool tf_on(void)
{
    return shim_on();
}

void self_let_through(void)
{
    uint64_t mask = self.mask;
    self.put_off = 0;
    sys_restore_signals(mask);
}

bool self_enter_again(char *frame)
{
    if (self.frame) {
        if (frame <= self.frame || on_signal_stack())
            return false;
        give_up_locks();
        self.frame = NULL;
    }
    if (self.side)
        self_merge();
    self.frame = frame;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}
