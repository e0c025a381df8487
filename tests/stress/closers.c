/* closers ROUNDS: some threads open, write and close many traces and other files, in a process that may have few descriptors, while others write to whatever number
 * one of the first had last: they get EBADF, or their record is in one of the files. Nobody crashes, and nobody's record is lost.
 */
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "records.h"

enum { OPENERS = 4, FILES = 12, TRACES = 9, GUESSERS = 3, LIMIT = 40 };

static volatile int last[OPENERS];
static unsigned long done[OPENERS + GUESSERS];
static unsigned long rounds, refused;
static volatile bool over;

static void path_of(char path[16], unsigned long file)
{
    char *end = put_number(path, file % FILES);
    memcpy(end, file % FILES < TRACES ? ".tr" : ".no", 4);
}

static void *opening(void *of)
{
    unsigned own = (unsigned)(long)of;
    for (unsigned long i = 0; i < rounds; i++) {
        char path[16];
        path_of(path, i * 7 + own * 3);
        int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
        MUST(fd >= 0, "open");
        last[own] = fd;
        record_write(fd, own, done[own]++, 0);
        int copy = i % 2 == 0 ? dup(fd) : -1;
        MUST(close(fd) == 0, "close");
        MUST(copy < 0 || close(copy) == 0, "close of a copy");
    }
    return NULL;
}

static void *guessing(void *of)
{
    unsigned own = (unsigned)(long)of;
    char text[RECORD_MOST];
    for (unsigned long i = 0; !over; i++) {
        size_t n = record_make(text, own, done[own], 0);
        ssize_t wrote = write(last[i % OPENERS], text, n);
        if (wrote == (ssize_t)n)
            done[own]++;
        else if (wrote < 0 && errno == EBADF)
            __atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
        else
            broken("a write to somebody's number", (long)wrote);
    }
    return NULL;
}

/* Whoever writes to a number before the open that gets it has returned may be overtaken. */
static int order(const struct line *l, const struct records *r)
{
    return l->writer >= OPENERS || l->number >= r->count[l->writer];
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    struct rlimit few = {LIMIT, LIMIT};
    MUST(setrlimit(RLIMIT_NOFILE, &few) == 0, "setrlimit");
    for (int i = 0; i < OPENERS; i++)
        last[i] = -1;
    pthread_t id[OPENERS + GUESSERS];
    for (long i = 0; i < OPENERS + GUESSERS; i++)
        MUST(pthread_create(&id[i], NULL, i < OPENERS ? opening : guessing, (void *)i) == 0, "pthread_create");
    for (int i = 0; i < OPENERS; i++)
        pthread_join(id[i], NULL);
    over = true;
    for (int i = OPENERS; i < OPENERS + GUESSERS; i++)
        pthread_join(id[i], NULL);
    unsigned long found[OPENERS + GUESSERS] = {0}, all = 0;
    for (unsigned file = 0; file < FILES; file++) {
        char path[16];
        path_of(path, file);
        struct records *r = records_check(path, 2, order);
        for (int i = 0; i < OPENERS + GUESSERS; i++)
            found[i] += r->found[i];
        all += r->all;
    }
    for (int i = 0; i < OPENERS + GUESSERS; i++)
        if (found[i] != done[i])
            broken("records lost or doubled", (long)(found[i] - done[i]));
    printf("ok: %lu records, %lu writes refused\n", all, refused);
    return 0;
}
