/* What single calls cost, in nanoseconds: for bench/run, which runs this natively and under the shim.
 *
 * Each line is "name nanoseconds". Every figure is the least of many short batches, which leaves out what
 * else the machine does; a difference of a few nanoseconds between two runs shows only so. What a batch needs
 * beside the calls it measures is made by system calls of its own, which no preloaded library sees.
 *
 *     micro DIR         in DIR, a directory on tmpfs; "trace.tr" there matches the patterns, "other.dat" doesn't
 *     micro start N     runs `true` N times and prints the least wall time of one, with LD_PRELOAD from
 *                       MICRO_PRELOAD if that is set
 */

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 500, BATCHES = 400 };

static char record[100];
static int fds[BATCH];

/* A system call that no preloaded library can see. */
static long raw(long number, long a, long b, long c)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#endif
}

static void fail(const char *what)
{
    fprintf(stderr, "micro: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct measure {
    const char *name;
    void (*before)(void); /* each batch, not timed */
    void (*batch)(void);
    void (*after)(void);
};

static int null_fd, trace_fd;

static void nothing(void)
{
}

static void write_null(void)
{
    for (int i = 0; i < BATCH; i++)
        if (write(null_fd, record, 1) != 1)
            fail("write to /dev/null");
}

static void make_fds(void)
{
    for (int i = 0; i < BATCH; i++)
        if ((fds[i] = (int)raw(SYS_dup, null_fd, 0, 0)) < 0)
            fail("dup");
}

static void close_fds(void)
{
    for (int i = 0; i < BATCH; i++)
        if (close(fds[i]) != 0)
            fail("close");
}

static void open_other(void)
{
    for (int i = 0; i < BATCH; i++)
        if ((fds[i] = open("other.dat", O_RDONLY)) < 0)
            fail("open other.dat");
}

static void drop_fds(void)
{
    for (int i = 0; i < BATCH; i++)
        raw(SYS_close, fds[i], 0, 0);
}

static void open_trace(void)
{
    if ((trace_fd = open("kept.tr", O_WRONLY | O_CREAT | O_APPEND, 0666)) < 0)
        fail("open kept.tr");
}

static void write_trace(void)
{
    for (int i = 0; i < BATCH; i++)
        if (write(trace_fd, record, sizeof record) != sizeof record)
            fail("write kept.tr");
}

static void close_trace(void)
{
    if (close(trace_fd) != 0)
        fail("close kept.tr");
}

static void reopen_by_open(void)
{
    for (int i = 0; i < BATCH; i++) {
        int fd = open("trace.tr", O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (fd < 0 || write(fd, record, sizeof record) != sizeof record || close(fd) != 0)
            fail("trace.tr");
    }
}

static void reopen_by_fopen(void)
{
    for (int i = 0; i < BATCH; i++) {
        FILE *stream = fopen("stream.tr", "a");
        if (!stream || fwrite(record, 1, sizeof record, stream) != sizeof record || fclose(stream) != 0)
            fail("stream.tr");
    }
}

/* The files would otherwise fill the tmpfs; what isn't there yet can't be cut. */
static void shrink(void)
{
    const char *names[] = {"trace.tr", "stream.tr", "kept.tr"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (truncate(names[i], 0) != 0 && errno != ENOENT)
            fail(names[i]);
}

static const struct measure measures[] = {
    {"unmatched-write", nothing, write_null, nothing}, {"unmatched-close", make_fds, close_fds, nothing},
    {"unmatched-open", nothing, open_other, drop_fds}, {"buffered-write", open_trace, write_trace, close_trace},
    {"reopen-open", nothing, reopen_by_open, nothing}, {"reopen-fopen", nothing, reopen_by_fopen, nothing},
};

static void run(const struct measure *m)
{
    uint64_t least = UINT64_MAX;
    for (int batch = 0; batch < BATCHES; batch++) {
        m->before();
        uint64_t start = now();
        m->batch();
        uint64_t took = now() - start;
        m->after();
        if (took < least)
            least = took;
    }
    shrink();
    printf("%s %.1f\n", m->name, (double)least / BATCH);
}

/* The least wall time of starting `true` and waiting for it. */
static void start_up(int runs)
{
    const char *preload = getenv("MICRO_PRELOAD");
    char setting[4096];
    snprintf(setting, sizeof setting, "LD_PRELOAD=%s", preload ? preload : "");
    char *environment[] = {preload ? setting : NULL, NULL};
    char *arguments[] = {(char *)"true", NULL};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < runs; i++) {
        pid_t child;
        int status;
        uint64_t start = now();
        if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environment) != 0)
            fail("start true");
        if (waitpid(child, &status, 0) != child || status != 0)
            fail("true failed");
        uint64_t took = now() - start;
        if (took < least)
            least = took;
    }
    printf("start-up %.1f\n", (double)least);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "start") == 0) {
        start_up(atoi(argv[2]));
        return 0;
    }
    if (argc != 2 || chdir(argv[1]) != 0) {
        fprintf(stderr, "usage: micro DIR | micro start N\n");
        return 2;
    }
    memset(record, 'x', sizeof record - 1);
    record[sizeof record - 1] = '\n';
    int other = open("other.dat", O_WRONLY | O_CREAT, 0666);
    null_fd = open("/dev/null", O_WRONLY);
    if (other < 0 || null_fd < 0 || close(other) != 0)
        fail("prepare");
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        run(&measures[i]);
    return 0;
}
