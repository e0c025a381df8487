/* cancelled ROUNDS: pthread_cancel.
 *
 * Each cancellation point on a trace file still is one: with a cancel pending the call never returns. And threads cancelled in the
 * middle of endless writing leave whole records and no lock held.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "records.h"

static int fd;
static unsigned long numbers[3];
static volatile unsigned long begun;

/* ---- a cancel is pending ---- */

static struct iovec one_byte = {"x", 1};
static void call_open(void)
{
    open("a.tr", O_WRONLY | O_APPEND);
}
static void call_openat(void)
{
    openat(AT_FDCWD, "a.tr", O_WRONLY | O_APPEND);
}
static void call_creat(void)
{
    creat("new.tr", 0644);
}
static void call_write(void)
{
    if (write(fd, "x", 1) < 0)
        return;
}
static void call_writev(void)
{
    if (writev(fd, &one_byte, 1) < 0)
        return;
}
static void call_pwrite(void)
{
    if (pwrite(fd, "x", 1, 0) < 0)
        return;
}
static void call_fsync(void)
{
    fsync(fd);
}
static void call_fdatasync(void)
{
    fdatasync(fd);
}
static void call_close(void)
{
    close(fd);
}
static void call_lockf(void)
{
    if (lockf(fd, F_LOCK, 0) < 0)
        return;
}
static void call_setlkw(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(fd, F_SETLKW, &lock);
}

static const struct {
    const char *name;
    void (*call)(void);
} points[] = {
    {"open", call_open},     {"openat", call_openat}, {"creat", call_creat},           {"write", call_write},
    {"writev", call_writev}, {"pwrite", call_pwrite}, {"fsync", call_fsync},           {"fdatasync", call_fdatasync},
    {"close", call_close},   {"lockf", call_lockf},   {"fcntl F_SETLKW", call_setlkw},
};

static void *pending(void *which)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    points[(long)which].call();
    return NULL;
}

static void *join(pthread_t id)
{
    void *result;
    if (pthread_join(id, &result) != 0)
        broken("pthread_join", 0);
    return result;
}

static void check_points(void)
{
    struct stat before, after;
    MUST(fstat(fd, &before) == 0, "fstat");
    for (long i = 0; i < (long)(sizeof points / sizeof *points); i++) {
        pthread_t id;
        MUST(pthread_create(&id, NULL, pending, (void *)i) == 0, "pthread_create");
        if (join(id) != PTHREAD_CANCELED)
            broken(points[i].name, i);
    }
    MUST(fstat(fd, &after) == 0,
         "a descriptor whose close was cancelled is open"); /* as with glibc, which acts on entry */
    if (after.st_size != before.st_size || access("new.tr", F_OK) == 0)
        broken("a cancelled call did something", (long)after.st_size);
}

/* ---- in the middle ---- */

static void *by_descriptor(void *unused)
{
    for (;;) {
        unsigned long number = numbers[0]++;
        begun++;
        record_write(fd, 0, number, 0);
    }
    return unused;
}

static void closing(void *of)
{
    int *own = of;
    if (*own >= 0)
        close(*own);
}

static void *by_path(void *unused)
{
    int own = -1;
    pthread_cleanup_push(closing, &own);
    for (;;) {
        own = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        unsigned long number = numbers[1]++;
        begun++;
        record_write(own, 1, number, 0);
        close(own);
        own = -1;
    }
    pthread_cleanup_pop(1);
    return unused;
}

static void *by_writev(void *unused)
{
    for (;;) {
        char text[RECORD_MOST];
        size_t n = record_make(text, 2, numbers[2]++, 0);
        struct iovec v[2] = {{text, 5}, {text + 5, n - 5}};
        begun++;
        if (writev(fd, v, 2) != (ssize_t)n)
            broken("writev", (long)n);
    }
    return unused;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 100;
    static void *(*const ways[])(void *) = {by_descriptor, by_path, by_writev};
    fd = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    MUST(fd >= 0, "open");
    check_points();
    for (long i = 0; i < rounds; i++) {
        pthread_t id;
        unsigned long from = begun;
        MUST(pthread_create(&id, NULL, ways[i % 3], NULL) == 0, "pthread_create");
        while (begun < from + 1 + (unsigned long)i % 7)
            sched_yield();
        pthread_cancel(id);
        MUST(join(id) == PTHREAD_CANCELED, "a thread that was cancelled");
    }
    int next = open("a.tr", O_WRONLY | O_APPEND);
    MUST(next >= 0, "open");
    record_write(next, 3, 0, 0);
    struct records *r = records_check("a.tr", 1, NULL);
    MUST(r->count[3] == 1, "the last record");
    printf("ok: %lu records, %ld threads cancelled\n", r->all, rounds);
    return 0;
}
