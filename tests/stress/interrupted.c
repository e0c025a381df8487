/* interrupted CALL HANDLER [jump] [stack] [raw]: a thread makes one call again and again; the stepper interrupts it anywhere, and the handler uses the same
 * trace. At the end each record is there once and whole, in an order in which the calls may have been made.
 *
 * CALL:    write      one record through a kept O_APPEND descriptor
 *          rewrite    the same without O_APPEND
 *          cycle      open, write, close
 *          stream     fopen, fputs, fclose
 *          drain      write and fsync
 *          names      write, and a rename there and back
 * HANDLER: write      one record through the descriptor that the thread uses
 *          cycle      open, write, close of the same path
 *          stream     fopen, fputs, fclose of the same path (a CALL that isn't in malloc itself)
 *          other      open, write, close of another trace
 *          ask        fstat and lseek of the thread's descriptor: sizes as between two calls
 *          fork       fork; the child writes a record (to another trace) and leaves
 *          all        all of these but stream and fork
 * jump: the handler leaves by siglongjmp; stack: it runs on a stack of its own; raw: it is set by the system call, so that the shim
 * doesn't know of it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "records.h"
#include "stepped.h"

enum { THREAD, HANDLER, OTHER };

static const char *call, *how;
static bool jumps, gathers, unknown; /* unknown: the shim doesn't know of the handler */
static int kept = -1;
static volatile unsigned long done[3], started; /* records whose write has returned; the thread's that were begun */
static volatile off_t bytes;                    /* written by calls that returned */
static volatile size_t flying;                  /* the thread's record that is being written */
static sigjmp_buf back;

/* A system call that nobody interposes. */
static long raw(long call_number, long a, long b, long c, long d)
{
#if defined __x86_64__
    register long r10 __asm__("r10") = d;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(call_number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long x8 __asm__("x8") = call_number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                     x3 __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
#endif
}

static bool is(const char *what)
{
    return strcmp(how, what) == 0 ||
           (strcmp(how, "all") == 0 && strcmp(what, "stream") != 0 && strcmp(what, "fork") != 0);
}

static size_t length(unsigned writer, unsigned long number, unsigned long seen)
{
    char text[RECORD_MOST];
    return record_make(text, writer, number, seen);
}

static void by_open(const char *path, unsigned writer, unsigned long seen)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0)
        broken("open", fd);
    record_write(fd, writer, done[writer], seen);
    if (close(fd) < 0)
        broken("close", fd);
}

static void by_stream(const char *path, unsigned writer, unsigned long seen)
{
    char text[RECORD_MOST];
    FILE *out = fopen(path, "a");
    if (!out)
        broken("fopen", 0);
    size_t n = record_make(text, writer, done[writer], seen);
    if (fwrite(text, 1, n, out) != n || fclose(out) != 0)
        broken("a stream", 0);
}

/* The handler's records, one a call of it and way. */
static void handled(void (*by)(const char *, unsigned, unsigned long))
{
    size_t n = length(HANDLER, done[HANDLER], done[THREAD]);
    if (by)
        by("a.tr", HANDLER, done[THREAD]);
    else
        record_write(kept, HANDLER, done[HANDLER], done[THREAD]);
    bytes += (off_t)n;
    done[HANDLER]++;
}

static void ask(void)
{
    struct stat st;
    off_t low = bytes, high = bytes + (off_t)flying;
    if (fstat(kept, &st) < 0 || (!jumps && st.st_size != low && st.st_size != high))
        broken("fstat's size", (long)(st.st_size - low));
    if (strcmp(call, "rewrite") == 0)
        return; /* moving its offset would be the thread's loss */
    off_t end = lseek(kept, 0, SEEK_END);
    if (end != st.st_size)
        broken("lseek's end is not fstat's size", (long)(end - st.st_size));
    if (lseek(kept, 0, SEEK_CUR) != end)
        broken("lseek's offset", (long)end);
}

static void fork_child(void)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (!unknown)
            by_open("b.tr", OTHER, 0);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        broken("a child of the handler", pid);
    done[OTHER] += !unknown;
}

static void handler(int number)
{
    (void)number;
    int saved = errno;
    step_mark(STEP_HANDLER);
    if (is("ask"))
        ask();
    if (is("write"))
        handled(NULL);
    if (is("cycle") && strcmp(call, "names") != 0) /* the name leads elsewhere in between */
        handled(by_open);
    if (is("stream") || strcmp(how, "stream") == 0)
        handled(by_stream);
    if (is("other")) {
        by_open("b.tr", OTHER, 0);
        done[OTHER]++;
    }
    if (is("fork"))
        fork_child();
    step_mark(STEP_HANDLED);
    errno = saved;
    if (jumps)
        siglongjmp(back, 1);
}

/* As the kernel has it: what libc set, with another function. */
static void set_raw(int number, void (*function)(int))
{
    struct {
        void (*function)(int);
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } act;
    MUST(signal(number, function) != SIG_ERR, "signal");
    MUST(raw(SYS_rt_sigaction, number, 0, (long)&act, 8) == 0, "rt_sigaction");
    act.function = function;
    MUST(raw(SYS_rt_sigaction, number, (long)&act, 0, 8) == 0, "rt_sigaction");
}

static void one(void)
{
    unsigned long number = started++, seen = done[HANDLER];
    flying = length(THREAD, number, seen);
    if (strcmp(call, "cycle") == 0)
        by_open("a.tr", THREAD, seen);
    else if (strcmp(call, "stream") == 0)
        by_stream("a.tr", THREAD, seen);
    else
        record_write(kept, THREAD, number, seen);
    if (strcmp(call, "drain") == 0 && fsync(kept) < 0)
        broken("fsync", 0);
    if (strcmp(call, "names") == 0 && (rename("a.tr", "c.tr") < 0 || rename("c.tr", "a.tr") < 0))
        broken("rename", 0);
}

static void returned(void)
{
    bytes += (off_t)flying;
    flying = 0;
    done[THREAD] = started;
}

/* A record of the handler comes after those that had been written, and at most the one that was being written. */
static int order(const struct line *l, const struct records *r)
{
    if (l->writer == OTHER)
        return 0;
    unsigned other = l->writer == THREAD ? HANDLER : THREAD;
    if (l->writer == HANDLER && r->count[THREAD] > l->seen + 1)
        return 0;
    return gathers || r->count[other] >= l->seen;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    call = argv[1];
    how = argv[2];
    static char stack[65536];
    struct sigaction action = {.sa_handler = handler};
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "jump") == 0)
            jumps = gathers = true;
        if (strcmp(argv[i], "stack") == 0) {
            stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
            MUST(sigaltstack(&other, NULL) == 0, "sigaltstack");
            action.sa_flags = SA_ONSTACK;
        }
    }
    kept = open("a.tr", O_WRONLY | O_CREAT | (strcmp(call, "rewrite") == 0 ? 0 : O_APPEND), 0644);
    MUST(kept >= 0, "opening the trace");
    MUST(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
    unknown = strcmp(argv[argc - 1], "raw") == 0;
    if (unknown)
        set_raw(SIGUSR1, handler);
    for (int i = 0; i < 3; i++) { /* whatever is done the first time only is done */
        one();
        returned();
    }
    if (sigsetjmp(back, 1)) /* before the first step there is a place to jump to */
        broken("a jump without a signal", 0);
    while (!step_mark(STEP_BEGIN)) {
        if (!jumps || sigsetjmp(back, 1) == 0)
            one();
        step_mark(STEP_END);
        returned();
    }
    struct records *r = records_check("a.tr", jumps, order);
    if (r->count[HANDLER] != done[HANDLER] || (!jumps && r->count[THREAD] != started))
        broken("records at the end of the trace are lost", (long)r->count[THREAD]);
    if (done[OTHER] && records_check("b.tr", 0, NULL)->count[OTHER] != done[OTHER])
        broken("records of the other trace are lost", (long)done[OTHER]);
    printf("ok: %lu records of the thread, %lu and %lu of the handler\n", started, done[HANDLER], done[OTHER]);
    return 0;
}
