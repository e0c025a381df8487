/* handlers: the program's signal handlers, which run before or after one of our calls but never in the middle.
 *
 * What it is for: a handler may open, write, close and ask about the very trace that its thread is appending to. To a
 * handler a system call is one step, taken or not; the shim's calls are many instructions long and hold locks.
 *
 * The idea: the kernel is given a function of ours, which passes on to the program's. If it finds its thread busy
 * (self.h) it sends the signal to the thread once more, leaves all signals blocked, and returns; the interrupted call
 * goes on and, on its way out, sets the mask back, where the kernel delivers what has come, the same siginfo
 * with it. The program sees a signal that came some nanoseconds later. So no handler waits for a lock that its own thread
 * holds, none keeps one from other threads, and offsets, sizes and bytes are as between two calls.
 *
 * Not put off are signals that the interrupted instruction itself raised (a fault), and handlers set by raw system calls:
 * for them there is the side buffer (ring/side.h).
 *
 * Rules: sigaction(2) may be called from handlers and in a vfork child, so nothing locks; a table entry is one
 * word. The kernel's own state is the truth: the table only says what stands behind our function.
 */
#define NAMES_handlers
#include "export.h"

#include <string.h>
#include <ucontext.h>

#include "../tracefile/tracefile.h"

/* What the program asked for: the address of its function, and what our function's flags hide. */
#define WITH_INFO ((uintptr_t)1 << 62) /* SA_SIGINFO: the kernel gives it to ours always */
#define ONCE      ((uintptr_t)1 << 63) /* SA_RESETHAND: with a signal put off, the kernel would reset it too soon */

static _Atomic uintptr_t handlers[_NSIG];
static _Atomic bool interrupts[_NSIG]; /* siginterrupt(3), for signal(3) */

typedef void action(int number, siginfo_t *info, void *context);

static action *function(uintptr_t word)
{
    return (action *)(word & ~(WITH_INFO | ONCE));
}

/* Raised by the instruction that it interrupted. */
static bool is_fault(const siginfo_t *info)
{
    const uint64_t faults = (uint64_t)1 << (SIGSEGV - 1) | (uint64_t)1 << (SIGBUS - 1) | (uint64_t)1 << (SIGILL - 1) |
                            (uint64_t)1 << (SIGFPE - 1) | (uint64_t)1 << (SIGTRAP - 1) | (uint64_t)1 << (SIGSYS - 1);
    return info->si_code > 0 && (faults >> (info->si_signo - 1) & 1);
}

static char *stack_pointer(const ucontext_t *context)
{
#if defined __x86_64__
    return (char *)context->uc_mcontext.gregs[REG_RSP];
#else
    return (char *)context->uc_mcontext.sp;
#endif
}

/* Whether the context is that of the shim's frame itself: not of a handler on the other stack that interrupted it, and not of
 * one further out, which says that the frame is gone. */
static bool inside_the_shim(const ucontext_t *context)
{
    char *at = stack_pointer(context), *frame = self.frame, *other = context->uc_stack.ss_sp;
    size_t size = context->uc_stack.ss_size;
    if (frame == OUTERMOST_FRAME)
        return true;
    return at <= frame && ((size_t)(at - other) < size) == ((size_t)(frame - other) < size);
}

/* The signal comes again as soon as the interrupted call is done. */
static bool put_off(int number, siginfo_t *info, ucontext_t *context)
{
    if (is_fault(info) || apart() || !inside_the_shim(context))
        return false;
    uint64_t old = sys_block_signals();
    if (sys_requeue((pid_t)sys_getpid(), (pid_t)sys_gettid(), number, info) < 0) {
        sys_restore_signals(old);
        return false;
    }
    /* The kernel's mask is the first 64 bits of glibc's. The outermost of nested handlers comes here last, and knows the
     * mask that the interrupted call had. */
    memcpy((void *)&self.mask, &context->uc_sigmask, sizeof self.mask);
    const uint64_t all = ~(uint64_t)0;
    memcpy(&context->uc_sigmask, &all, sizeof all);
    self.put_off = 1;
    return true;
}

/* What the kernel has, as the program set it; word: what stands, or stood, behind our function. */
static void show(struct sigaction *act, uintptr_t word);

/* Of a SA_RESETHAND handler: the first that comes has it. As in the kernel, only the function goes. */
static bool reset(int number, uintptr_t word)
{
    uintptr_t expected = word;
    struct sigaction act;
    if (!atomic_compare_exchange_strong(&handlers[number], &expected, 0))
        return false;
    if (real_sigaction(number, NULL, &act) < 0)
        return true;
    show(&act, word);
    act.sa_handler = SIG_DFL;
    real_sigaction(number, &act, NULL);
    return true;
}

static void arrived(int number, siginfo_t *info, void *context)
{
    if (unlikely(self.frame) && put_off(number, info, context))
        return;
    uintptr_t word = atomic_load(&handlers[number]);
    if (unlikely(word & ONCE) && !reset(number, word)) {
        sys_requeue((pid_t)sys_getpid(), (pid_t)sys_gettid(), number, info); /* another thread was first */
        return;
    }
    if (function(word))
        function(word)(number, info, context);
}

static bool is_function(const void *handler)
{
    return handler != (void *)SIG_DFL && handler != (void *)SIG_IGN && handler != (void *)SIG_ERR &&
           handler != (void *)SIG_HOLD;
}

static void show(struct sigaction *act, uintptr_t word)
{
    if (act->sa_sigaction != arrived)
        return;
    act->sa_sigaction = function(word);
    if (!(word & WITH_INFO))
        act->sa_flags &= ~SA_SIGINFO;
    if (word & ONCE)
        act->sa_flags |= SA_RESETHAND;
}

static int set(int number, const struct sigaction *new, struct sigaction *old)
{
    struct sigaction ours = *new;
    uintptr_t word = (uintptr_t) new->sa_sigaction;
    if (new->sa_flags & SA_SIGINFO)
        word |= WITH_INFO;
    if (new->sa_flags & SA_RESETHAND)
        word |= ONCE;
    ours.sa_sigaction = arrived;
    ours.sa_flags = (int)(((unsigned)new->sa_flags | SA_SIGINFO) & ~(unsigned)SA_RESETHAND);
    uintptr_t before = atomic_exchange(&handlers[number], word);
    int done = real_sigaction(number, &ours, old);
    if (done < 0)
        atomic_store(&handlers[number], before);
    else if (old)
        show(old, before);
    return done;
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    if (number < 1 || number >= _NSIG)
        return real_sigaction(number, new, old);
    if (new &&is_function(new->sa_sigaction) && !apart() && tf_on())
        return set(number, new, old);
    uintptr_t before = atomic_load(&handlers[number]);
    int done = real_sigaction(number, new, old);
    if (done == 0 && old)
        show(old, before);
    return done;
}

/* The rest as libc makes them of sigaction: signal.c, sysv_signal.c, sigset.c. */
static __sighandler_t simple(int number, __sighandler_t handler, int flags, bool blocks_itself)
{
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;
    if (blocks_itself)
        sigaddset(&new.sa_mask, number);
    return sigaction(number, &new, &old) < 0 ? SIG_ERR : old.sa_handler;
}

__sighandler_t signal(int number, __sighandler_t handler)
{
    if (number < 1 || number >= _NSIG || handler == SIG_ERR)
        return real_signal(number, handler);
    return simple(number, handler, interrupts[number] ? 0 : SA_RESTART, true);
}

__sighandler_t __sysv_signal(int number, __sighandler_t handler)
{
    const int interrupt = 0x20000000; /* SA_INTERRUPT: means nothing to the kernel, and is shown */
    if (number < 1 || number >= _NSIG || handler == SIG_ERR)
        return real___sysv_signal(number, handler);
    return simple(number, handler, (int)(SA_RESETHAND | (unsigned)SA_NODEFER | (unsigned)interrupt), false);
}

__sighandler_t sigset(int number, __sighandler_t handler)
{
    if (number < 1 || number >= _NSIG || handler == SIG_ERR)
        return real_sigset(number, handler);
    if (handler == SIG_HOLD) {
        __sighandler_t held = real_sigset(number, handler);
        return held == (__sighandler_t)(void *)arrived ? (__sighandler_t)(void *)function(handlers[number]) : held;
    }
    __sighandler_t old = simple(number, handler, 0, false);
    sigset_t mask, before;
    sigemptyset(&mask);
    sigaddset(&mask, number);
    if (old == SIG_ERR || sigprocmask(SIG_UNBLOCK, &mask, &before) < 0)
        return SIG_ERR;
    return sigismember(&before, number) ? SIG_HOLD : old;
}

int siginterrupt(int number, int interrupt)
{
    int done = real_siginterrupt(number, interrupt);
    if (done == 0)
        interrupts[number] = interrupt != 0;
    return done;
}
