/* causes NAME ROUNDS, causes --list: cause before effect, one channel at a time.
 *
 * The reader, this process, starts the writer, the same program with the library of CAUSES_LIBRARY preloaded. In each round the writer
 * writes a record to a trace file and then tells the reader by the channel NAME; the reader looks at the trace at once, and the record must be
 * there. It prints one line when it is not.
 */
#include <stdarg.h>

#include "wires.h"

#include <aio.h>
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <wordexp.h>

extern char **environ;

static char *program;
static int trace = -1, out = -1, round_, port;
static int to = -1; /* a file, a semaphore's queue or another end that a channel needs */
static int inner[2] = {-1, -1};
static FILE *stream;
static sem_t *posted;

/* cloexec: the next image would find a description that it did not open, and write through. */
static void open_trace(bool cloexec)
{
    trace = must(open("t.tr", O_WRONLY | O_CREAT | O_APPEND | (cloexec ? O_CLOEXEC : 0), 0666), "t.tr");
}

static void record(void)
{
    char text[RECORD + 1];
    snprintf(text, sizeof text, "%015d\n", round_);
    if (write(trace, text, RECORD) != RECORD)
        fail("write");
}

#define IS(name) static void name(void)
#define DO(call) must((int)(call), #call)

#include "effects.h"

/* ---- the table ---- */

static const struct channel {
    const char *name;
    enum wire wire;
    void (*ready)(void);  /* before the record; may be NULL */
    void (*effect)(void); /* tells */
    void (*after)(void);  /* when the reader has looked; may be NULL */
    const char *cause;    /* what the report calls the drain */
    int bytes;            /* of a message, where it isn't one */
    const char *(*path)(int i);
} channels[] = {
#define TOLD(name, wire, ready, effect, after) {name, wire, ready, effect, after, "told", 1, done_name},
#include "channels.h"
};
enum { CHANNELS = sizeof channels / sizeof *channels };

static const struct channel *find(const char *name)
{
    for (int i = 0; i < CHANNELS; i++)
        if (strcmp(channels[i].name, name) == 0)
            return &channels[i];
    fail("no channel %s", name);
}

/* ---- both sides ---- */

static void round_of_writer(const struct channel *c)
{
    char go;
    if (trace < 0)
        open_trace(strcmp(c->cause, "exec") == 0);
    out = writers_end(c->wire, port);
    if (c->ready)
        c->ready();
    if (c->wire == GOES)
        DO(write(MEET_FD, "m", 1)); /* what will go is there */
    record();
    c->effect();
    if (read(GO_FD, &go, 1) != 1)
        _exit(0); /* the reader has found what is wrong */
    if (c->after)
        c->after();
}

static int write_all(const struct channel *c, int from, int until)
{
    setenv("CAUSES_NAME", c->name, 1);
    for (round_ = from; round_ < until; round_++)
        round_of_writer(c);
    return 0;
}

/* A process for each round: numbers of processes come again, those of rounds don't. */
static void number_report(int number)
{
    const char *report = getenv("TRACESHIM_REPORT");
    size_t n = report ? strlen(report) : 0;
    char path[5000];
    if (n < 5 || strcmp(report + n - 5, ".json") != 0)
        return;
    snprintf(path, sizeof path, "%.*s-%d.json", (int)n - 5, report, number);
    setenv("TRACESHIM_REPORT", path, 1);
}

static void start_writer(const struct channel *c, int from, int until)
{
    const char *library = getenv("CAUSES_LIBRARY");
    char numbers[3][16];
    snprintf(numbers[0], 16, "%d", from);
    snprintf(numbers[1], 16, "%d", until);
    snprintf(numbers[2], 16, "%d", c->wire == TCP_END ? port_of(listener) : 0);
    char name[] = "--write", *arguments[] = {program, name, (char *)c->name, numbers[0], numbers[1], numbers[2], NULL};
    writer = DO(fork());
    if (writer != 0)
        return;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (library)
        setenv("LD_PRELOAD", library, 1);
    if (c->wire == ENDS)
        number_report(from);
    execv(program, arguments);
    fail("%s", program);
}

static void look(int file, int i)
{
    char found[RECORD + 1] = "", text[RECORD + 1];
    snprintf(text, sizeof text, "%015d\n", i);
    ssize_t n = pread(file, found, RECORD, (off_t)i * RECORD);
    if (n != RECORD || memcmp(found, text, RECORD) != 0)
        fail("round %d: %zd bytes of the record are there", i, n < 0 ? 0 : n);
}

static int read_all(const struct channel *c, int rounds)
{
    int go[2], ends[2], status;
    int file = DO(open("t.tr", O_RDONLY | O_CREAT | O_CLOEXEC, 0666));
    DO(pipe2(go, O_CLOEXEC));
    DO(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    meeting = ends[0];
    DO(dup2(go[0], GO_FD));
    DO(dup2(ends[1], MEET_FD));
    close(go[0]);
    close(ends[1]);
    lay_wire(c->wire);
    alarm(600);
    for (int i = 0; i < rounds; i++) {
        if (i == 0 || c->wire == ENDS)
            start_writer(c, i, c->wire == ENDS ? i + 1 : rounds);
        if (i == 0 && c->wire != ENDS) { /* the writer alone holds its ends: an end of its is then seen as one */
            close(GO_FD);
            close(MEET_FD);
            close(OUT_FD);
        }
        meet(c->wire);
        wait_to_be_told(c->wire, i, c->path(i));
        look(file, i);
        part(c->wire, c->bytes - 1);
        if (c->wire != ENDS)
            DO(write(go[1], "g", 1));
    }
    close(go[1]);
    take_up_wire(c->wire);
    if (c->wire != ENDS && (DO(waitpid(writer, &status, 0)), status != 0))
        fail("the writer ended with %x", status);
    return 0;
}

static int list_all(void)
{
    for (int i = 0; i < CHANNELS; i++)
        printf("%s %s\n", channels[i].name, channels[i].cause);
    return 0;
}

int main(int argc, char **argv)
{
    program = realpath("/proc/self/exe", NULL);
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list_all();
    if (argc == 2 && strcmp(argv[1], "--tell") == 0)
        return write(OUT_FD, "x", 1) != 1;
    if (argc == 2 && strcmp(argv[1], "--relay") == 0)
        return relay();
    if (argc == 3)
        return read_all(find(argv[1]), atoi(argv[2]));
    if (argc != 6)
        return 2;
    port = atoi(argv[5]);
    if (strcmp(argv[1], "--told") == 0) { /* after an exec */
        char go;
        DO(write(OUT_FD, "x", 1));
        if (read(GO_FD, &go, 1) != 1)
            return 0;
    }
    return write_all(find(argv[2]), atoi(argv[3]), atoi(argv[4]));
}
