/* storm WAY THREADS SIGNALS: threads write records as fast as they can while each is hit by a timer's signals and by others sent from the main
 * thread; the handlers write to the same trace, reopen it, and ask for its size. Ends when SIGNALS handlers have run.
 *
 * WAY: descriptor  one for all threads          path   each opens, writes and closes the same path
 *      stream      one for all threads          paths  each its own
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#include "records.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum {
    THREADS_MOST = 64,
    HANDLERS = 100,
    OTHERS = 200
}; /* writers: threads, their handlers, those in the other trace */

static struct thread {
    pthread_t id;
    char path[16];
    int fd;
    volatile unsigned long done, handled, others;
} threads[THREADS_MOST];

static const char *way;
static FILE *stream;
static int shared = -1;
static long enough;
static volatile long handled;
static volatile bool over;
static __thread struct thread *me;

static bool is(const char *what)
{
    return strcmp(way, what) == 0;
}

static void cycle(const char *path, unsigned writer, unsigned long number, unsigned long seen)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0)
        broken("open", fd);
    record_write(fd, writer, number, seen);
    if (close(fd) < 0)
        broken("close", fd);
}

/* What is behind the descriptor only grows. */
static void ask(int fd)
{
    struct stat before, after;
    if (fstat(fd, &before) < 0)
        broken("fstat", fd);
    if (fstat(fd, &after) < 0 || after.st_size < before.st_size)
        broken("a size that shrank", (long)(after.st_size - before.st_size));
}

static void handler(int number)
{
    (void)number;
    struct thread *t = me;
    int saved = errno;
    unsigned own = (unsigned)(t - threads);
    long turn = __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED);
    if (turn % 4 == 0) {
        ask(t->fd);
    } else if (turn % 4 == 1 || is("stream")) {
        cycle("other.tr", OTHERS + own, t->others, 0);
        t->others++;
    } else if (turn % 4 == 2) {
        record_write(t->fd, HANDLERS + own, t->handled, t->done);
        t->handled++;
    } else {
        cycle(t->path, HANDLERS + own, t->handled, t->done);
        t->handled++;
    }
    errno = saved;
}

static void one(struct thread *t, unsigned own)
{
    if (is("stream")) {
        char text[RECORD_MOST];
        size_t n = record_make(text, own, t->done, 0);
        if (fwrite(text, 1, n, stream) != n || (t->done % 16 == 0 && fflush(stream) != 0))
            broken("the stream", 0);
    } else if (is("descriptor")) {
        record_write(t->fd, own, t->done, t->handled);
    } else {
        cycle(t->path, own, t->done, t->handled);
    }
    t->done++;
}

static void *writing(void *of)
{
    struct thread *t = of;
    me = t;
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    struct itimerspec often = {{0, 150000}, {0, 150000}};
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
    MUST(timer_settime(timer, 0, &often, NULL) == 0, "timer_settime");
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    MUST(pthread_sigmask(SIG_UNBLOCK, &usr1, NULL) == 0, "pthread_sigmask");
    while (!over) {
        if (t->done / 100 > (unsigned long)handled)
            sched_yield(); /* more records than this show nothing more */
        else
            one(t, (unsigned)(t - threads));
    }
    MUST(timer_delete(timer) == 0, "timer_delete");
    return NULL;
}

/* As in interrupted.c, for a thread and the handlers in it. */
static int order(const struct line *l, const struct records *r)
{
    if (is("stream"))
        return 1;
    unsigned other = l->writer < HANDLERS ? l->writer + HANDLERS : l->writer - HANDLERS;
    if (l->writer >= HANDLERS && r->count[other] > l->seen + 1)
        return 0;
    return r->count[other] >= l->seen;
}

static void check(int count)
{
    unsigned long all = 0;
    struct records *r = NULL;
    for (int i = 0; i < count; i++) {
        struct thread *t = &threads[i];
        if (!r || is("paths"))
            r = records_check(t->path, 0, order);
        if (r->count[i] != t->done)
            broken("a thread's last records are lost", (long)(t->done - r->count[i]));
        if (r->count[HANDLERS + i] != t->handled)
            broken("a handler's last records are lost", (long)(t->handled - r->count[HANDLERS + i]));
        all += t->done;
    }
    r = records_check("other.tr", 0, NULL);
    for (int i = 0; i < count; i++)
        if (r->count[OTHERS + i] != threads[i].others)
            broken("records of the other trace are lost", (long)threads[i].others);
    printf("ok: %lu records of %d threads, %ld handlers\n", all, count, handled);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    way = argv[1];
    int count = atoi(argv[2]);
    enough = atol(argv[3]);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL); /* until a thread knows who it is */
    if (is("stream")) {
        stream = fopen("0.tr", "a");
        MUST(stream, "fopen");
        shared = fileno(stream);
    }
    for (int i = 0; i < count; i++) {
        struct thread *t = &threads[i];
        sprintf(t->path, "%d.tr", is("paths") ? i : 0);
        if (shared < 0 || is("paths"))
            shared = open(t->path, O_WRONLY | O_CREAT | O_APPEND, 0644);
        t->fd = shared;
        MUST(t->fd >= 0, "open");
    }
    for (int i = 0; i < count; i++)
        MUST(pthread_create(&threads[i].id, NULL, writing, &threads[i]) == 0, "pthread_create");
    for (long i = 0; handled < enough; i++)
        pthread_kill(threads[i % count].id, SIGUSR1);
    over = true;
    for (int i = 0; i < count; i++)
        MUST(pthread_join(threads[i].id, NULL) == 0, "pthread_join");
    MUST(!stream || fclose(stream) == 0, "fclose");
    check(count);
    return 0;
}
