/* stepper once|many STRIDE CALLS PROGRAM [ARGUMENT...]
 *
 * Runs PROGRAM (stepped.h) under ptrace and sends it SIGUSR1 in the middle of a call, at a chosen instruction of the processor:
 * what a timer hits once in a million times is done for each instruction in turn.
 *
 *   once  one call is stepped to know its instructions; then each call gets one signal, at the first instruction, the next
 *         STRIDE instructions later, and so on to the end, with 1 at every instruction, CALLS calls at most. The instruction is
 *         found again by a breakpoint and by how often it is passed (in a loop the first rounds only); where a call
 *         takes another way, another one is stepped.
 *   many  CALLS calls are stepped and get a signal every STRIDE instructions, each call at others: interrupts what the
 *         signals themselves cause, too
 *
 * STEP_PRELOAD is PROGRAM's LD_PRELOAD. Prints "stepped CALLS calls, SIGNALS signals, LONGEST instructions, MISSED missed" at
 * the end, and has PROGRAM's exit status.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sched.h>

#include "stepped.h"

static pid_t child;
static long calls, signals, longest, missed, stride, most;
static bool many;

#define MOST   200000
#define ROUNDS 20               /* of a loop */
static unsigned long way[MOST]; /* the instructions of a call */
static long length;

#if defined __x86_64__
#define SAID(r)         (r).rdi
#define MAGIC(r)        (r).rsi
#define PC(r)           (r).rip
#define BREAKPOINT      0xccUL
#define BREAKPOINT_BITS 0xffUL
#define FROM_BREAKPOINT SI_KERNEL /* a step over a system call has TRAP_BRKPT here */
#else
#define SAID(r)         (r).regs[0]
#define MAGIC(r)        (r).regs[1]
#define PC(r)           (r).pc
#define BREAKPOINT      0xd4200000UL
#define BREAKPOINT_BITS 0xffffffffUL
#define FROM_BREAKPOINT TRAP_BRKPT
#endif

static void die(const char *what)
{
    perror(what);
    if (child > 0)
        kill(child, SIGKILL);
    exit(97);
}

static struct user_regs_struct registers(void)
{
    struct user_regs_struct r;
    struct iovec v = {&r, sizeof r};
    if (ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &v) < 0)
        die("PTRACE_GETREGSET");
    return r;
}

static void set_registers(struct user_regs_struct *r)
{
    struct iovec v = {r, sizeof *r};
    if (ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &v) < 0)
        die("PTRACE_SETREGSET");
}

/* Lets the child go on, by one instruction or freely, with a signal or 0. The next thing that it says, 0 for a step; signals
 * of its own are passed on. Ends when it ends. */
static int go(bool step, int number)
{
    for (;;) {
        int status;
        if (ptrace(step ? PTRACE_SINGLESTEP : PTRACE_CONT, child, 0, number) < 0)
            die("ptrace");
        if (waitpid(child, &status, 0) < 0)
            die("waitpid");
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            printf("stepped %ld calls, %ld signals, %ld instructions, %ld missed\n", calls, signals, longest, missed);
            if (WIFSIGNALED(status))
                printf("not ok: killed by signal %d\n", WTERMSIG(status));
            exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        }
        number = WSTOPSIG(status);
        siginfo_t info;
        if (number == SIGTRAP && ptrace(PTRACE_GETSIGINFO, child, 0, &info) == 0) {
            if (info.si_code == TRAP_TRACE)
                return 0;
            struct user_regs_struct r = registers();
            if (info.si_code == FROM_BREAKPOINT && MAGIC(r) == STEP_MAGIC) {
                int said = (int)SAID(r);
#if defined __aarch64__
                r.pc += 4;
                set_registers(&r);
#endif
                return said;
            }
            return 0; /* a breakpoint of ours, or the step over a system call */
        }
        if (number == SIGUSR1 && step)
            return -1; /* was blocked, and comes now */
    }
}

static void answer(long value)
{
    struct user_regs_struct r = registers();
    SAID(r) = (unsigned long)value;
    set_registers(&r);
}

/* Through one call, with a signal every stride instructions. */
static void many_signals(long first)
{
    long steps = 0, due = first;
    bool in_handler = false;
    for (int number = 0;;) {
        int said = go(!in_handler, number);
        number = said < 0 ? SIGUSR1 : 0;
        if (said == STEP_END)
            break;
        if (said == STEP_HANDLER || said == STEP_HANDLED)
            in_handler = said == STEP_HANDLER;
        if (said != 0 || ++steps < due)
            continue;
        number = SIGUSR1;
        due = steps + stride;
        signals++;
    }
    if (steps > longest)
        longest = steps;
}

/* Steps through one call to learn its way. */
static void learn(void)
{
    length = 0;
    do {
        struct user_regs_struct r = registers();
        way[length++] = PC(r);
    } while (length < MOST && go(true, 0) == 0);
    if (length > longest)
        longest = length;
}

static long passes_before(long n)
{
    long passes = 0;
    for (long i = 0; i < n; i++)
        passes += way[i] == way[n];
    return passes;
}

/* One signal at instruction n of the way. False: the call ended without coming there. */
static bool one_signal(long n)
{
    long passes = passes_before(n) + 1;
    errno = 0;
    unsigned long word = (unsigned long)ptrace(PTRACE_PEEKTEXT, child, way[n], 0);
    unsigned long with = (word & ~BREAKPOINT_BITS) | BREAKPOINT;
    bool there = false;
    if (n == 0)
        there = true;
    while (!there) {
        if (errno || ptrace(PTRACE_POKETEXT, child, way[n], with) < 0)
            die("a breakpoint");
        int said = go(false, 0);
        if (ptrace(PTRACE_POKETEXT, child, way[n], word) < 0)
            die("a breakpoint");
        if (said == STEP_END)
            return false;
        struct user_regs_struct r = registers();
        PC(r) = way[n];
        set_registers(&r);
        there = --passes == 0;
        if (!there)
            go(true, 0);
    }
    signals++;
    for (int number = SIGUSR1; go(false, number) != STEP_END;)
        number = 0;
    return true;
}

/* The next call, as the mode has it; false when everything was done. */
static bool one_call(void)
{
    static long next = -1;
    static bool known, tried;
    calls++;
    if (many) {
        next++;
        many_signals(1 + next * stride / most);
        return next + 1 < most;
    }
    if (!known) {
        learn();
        known = true;
        if (next < 0)
            next = 0;
        return next < length;
    }
    if (!one_signal(next)) {
        known = tried; /* another way: learnt in the next call, and tried once more */
        tried = !tried;
        missed += known;
        if (!known)
            return true;
    }
    tried = false;
    do {
        next += stride;
    } while (next < length && passes_before(next) >= ROUNDS);
    return next < length && calls < most;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    many = strcmp(argv[1], "many") == 0;
    stride = atol(argv[2]);
    most = atol(argv[3]);
    child = fork();
    if (child == 0) {
        const char *preload = getenv("STEP_PRELOAD");
        if (preload)
            setenv("LD_PRELOAD", preload, 1);
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[4], argv + 4);
        _exit(127);
    }
    /* Stepping is two switches an instruction: far cheaper on one processor. */
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(child, sizeof one, &one);
    sched_setaffinity(0, sizeof one, &one);
    int status;
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
        die("starting");
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL);
    bool more = true;
    int said;
    while ((said = go(false, 0)) == STEP_BEGIN || said == STEP_HANDLER || said == STEP_HANDLED) {
        if (said != STEP_BEGIN)
            continue; /* a signal that came with the call's last instructions */
        answer(!more);
        if (more)
            more = one_call();
    }
    fprintf(stderr, "not ok: it says %d\n", said);
    exit(97);
}
