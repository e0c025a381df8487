/* forks HOW WAY FORKS: threads write while one of them starts child after child; what it, its children and the others wrote is there once.
 *
 * HOW: fork   the child writes a record and leaves by _exit        vfork  the child becomes true(1)
 *      clone  the same, by clone(2)                                spawn  true(1), by posix_spawn
 *      handler  fork, in a signal handler that interrupts the writing threads
 *      atfork   fork; handlers of the program's own, set by pthread_atfork, write records too
 *      many     fork without waiting for the child before the next, up to 8 at a time
 *      storm    fork, while a timer's signals hit whichever thread; their handler writes
 * WAY: as in storm.c.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "records.h"

extern char **environ;

enum { THREADS = 4, CHILDREN = 100, PREPARE, PARENT, CHILD, MANY, ALARMS = MANY + 8 };

static const char *how, *way;
static FILE *stream;
static int fds[THREADS];
static char paths[THREADS][16];
static unsigned long done[THREADS], prepared;
static volatile unsigned long started;
static unsigned long forks;
static volatile bool over;
static volatile int ready; /* threads that know who they are */

static bool is(const char *what)
{
    return strcmp(way, what) == 0;
}

static void write_one(int thread, unsigned writer, unsigned long number)
{
    if (is("stream") && writer < CHILDREN) {
        char text[RECORD_MOST];
        size_t n = record_make(text, writer, number, 0);
        if (fwrite(text, 1, n, stream) != n || fflush(stream) != 0)
            broken("the stream", 0);
    } else if (is("path") || is("paths")) {
        int fd = open(paths[thread], O_WRONLY | O_CREAT | O_APPEND, 0644);
        MUST(fd >= 0, "open");
        record_write(fd, writer, number, 0);
        MUST(close(fd) == 0, "close");
    } else {
        record_write(fds[thread], writer, number, 0);
    }
}

static __thread unsigned alarmed; /* whose the handler's records are: 0 for the main thread */

static void *writing(void *of)
{
    int i = (int)(long)of;
    alarmed = (unsigned)i + 1;
    __atomic_add_fetch(&ready, 1, __ATOMIC_RELEASE);
    while (!over) {
        if (done[i] / 100 > started) {
            sched_yield(); /* more records than this show nothing more */
            continue;
        }
        write_one(i, (unsigned)i, done[i]);
        done[i]++;
    }
    return NULL;
}

/* In a child: writers' numbers go up by one, whichever child it is, so that nothing may be lost or doubled. */
static int child(void *number)
{
    write_one(0, CHILDREN, (unsigned long)number);
    _exit(0);
}

static void wait_for(pid_t pid, const char *what)
{
    int status;
    if (pid < 0)
        broken(what, pid);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            broken("waitpid", pid);
    if (status != 0)
        broken("a child's status", status);
}

static void start(unsigned long number)
{
    static char *const arguments[] = {"true", NULL};
    static char stack[65536] __attribute__((aligned(16)));
    pid_t pid = -1;
    if (strcmp(how, "vfork") == 0) {
        pid = vfork();
        if (pid == 0) {
            execv("/bin/true", arguments);
            _exit(127);
        }
    } else if (strcmp(how, "spawn") == 0) {
        if (posix_spawn(&pid, "/bin/true", NULL, NULL, arguments, environ) != 0)
            pid = -1;
    } else if (strcmp(how, "clone") == 0) {
        pid = clone(child, stack + sizeof stack, SIGCHLD, (void *)number);
    } else {
        pid = fork();
        if (pid == 0)
            child((void *)number);
    }
    wait_for(pid, how);
}

static void handler(int signal)
{
    (void)signal;
    int saved = errno;
    start(started);
    started++;
    errno = saved;
}

/* ---- the program's own atfork handlers ---- */

static void prepare(void)
{
    write_one(0, PREPARE, prepared);
}

static void parent(void)
{
    write_one(0, PARENT, prepared);
    prepared++;
}

static void in_child(void)
{
    write_one(0, CHILD, prepared);
}

static unsigned long alarms[THREADS + 1];

static void on_alarm(int signal)
{
    (void)signal;
    int saved = errno;
    write_one(0, ALARMS + alarmed, alarms[alarmed]);
    alarms[alarmed]++;
    errno = saved;
}

static void start_many(void)
{
    pid_t running[8] = {0};
    for (; started < forks; started++) {
        pid_t *slot = &running[started % 8];
        if (*slot)
            wait_for(*slot, "fork");
        *slot = fork();
        if (*slot == 0) {
            write_one(0, MANY + (unsigned)(started % 8), started / 8);
            _exit(0);
        }
    }
    for (int i = 0; i < 8; i++)
        if (running[i])
            wait_for(running[i], "fork");
}

static void check(void)
{
    struct records *r = records_check(paths[0], 0, NULL);
    bool by_exec = strcmp(how, "vfork") == 0 || strcmp(how, "spawn") == 0, many = strcmp(how, "many") == 0;
    if (!by_exec && !many && r->count[CHILDREN] != forks)
        broken("children's records are lost", (long)r->count[CHILDREN]);
    for (unsigned i = 0; many && i < 8; i++)
        if (r->count[MANY + i] != (forks + 7 - i) / 8)
            broken("children's records are lost", i);
    if (r->count[PREPARE] != prepared || r->count[PARENT] != prepared || r->count[CHILD] != prepared)
        broken("records of the atfork handlers are lost", (long)r->count[CHILD]);
    for (unsigned i = 0; i <= THREADS; i++)
        if (r->count[ALARMS + i] != alarms[i])
            broken("records of the timer's handler are lost", i);
    unsigned long all = 0, all_alarms = 0;
    for (int i = 0; i <= THREADS; i++)
        all_alarms += alarms[i];
    for (int i = 0; i < THREADS; i++) {
        if (i > 0 && is("paths"))
            r = records_check(paths[i], 0, NULL);
        if (r->count[i] != done[i])
            broken("a thread's last records are lost", i);
        all += done[i];
    }
    printf("ok: %lu records of %d threads, %lu of a timer's handlers, %lu children\n", all, THREADS, all_alarms, forks);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    how = argv[1];
    way = argv[2];
    forks = strtoul(argv[3], NULL, 10);
    for (int i = 0; i < THREADS; i++) {
        sprintf(paths[i], "%d.tr", is("paths") ? i : 0);
        fds[i] = i == 0 || is("paths") ? open(paths[i], O_WRONLY | O_CREAT | O_APPEND, 0644) : fds[0];
        MUST(fds[i] >= 0, "open");
    }
    if (is("stream"))
        MUST(stream = fopen(paths[0], "a"), "fopen");
    if (strcmp(how, "atfork") == 0)
        MUST(pthread_atfork(prepare, parent, in_child) == 0, "pthread_atfork");
    bool by_handler = strcmp(how, "handler") == 0;
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    MUST(signal(SIGUSR1, handler) != SIG_ERR, "signal");
    pthread_t id[THREADS];
    for (long i = 0; i < THREADS; i++) {
        if (i == 1) /* one thread takes the signals, so that its children's numbers go up */
            pthread_sigmask(SIG_BLOCK, &usr1, NULL);
        MUST(pthread_create(&id[i], NULL, writing, (void *)i) == 0, "pthread_create");
    }
    while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) < THREADS)
        sched_yield();
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    bool storm = strcmp(how, "storm") == 0;
    if (storm)
        MUST(signal(SIGALRM, on_alarm) != SIG_ERR && setitimer(ITIMER_REAL, &often, NULL) == 0, "setitimer");
    if (strcmp(how, "many") == 0)
        start_many();
    for (unsigned long seen = 0; by_handler && seen < forks;) {
        if (started == seen)
            pthread_kill(id[0], SIGUSR1);
        while (started == seen)
            sched_yield();
        seen = started;
        if (seen >= forks)
            break;
    }
    for (; started < forks; started++)
        start(started);
    if (storm)
        MUST(setitimer(ITIMER_REAL, &never, NULL) == 0 && signal(SIGALRM, SIG_IGN) != SIG_ERR, "setitimer");
    over = true;
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_join(id[i], NULL) == 0, "pthread_join");
    MUST(!stream || fclose(stream) == 0, "fclose");
    forks = started;
    check();
    return 0;
}
