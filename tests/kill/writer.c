/* writer SHAPE PAGE FILES BIG END [SLOW]: writes records (record.h) to out0.tr, out1.tr, ... in the current directory and counts in
 * the file PAGE each one whose write has returned, until it is killed.
 *
 * SHAPE: open, fopen (a reopen per record), kept (one descriptor), sized (the same, and fstat after each: a size that isn't exact is EPROTO), flushed (one stream), end (no O_APPEND: open, seek to the end,
 * write, close), position (one descriptor without O_APPEND), positioned (pwrite at its own offset), aplus (fopen "a+" per record),
 * writev, mixed (two handles on each file in turn, one with and one without O_APPEND), threads (four, each with a file of its own and
 * a stream in a shared one), shared (a reopen per record of out0.tr, which other processes append to: FILES is its stream).
 * END: N:HOW, after N records: exit, _exit, abort, exec, segv, stay (sleep until killed); 0:stay never ends by itself.
 * SLOW: microseconds between records.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record.h"

static struct page *page;
static const char *shape, *how;
static int files, big;
static uint64_t last;
static unsigned slow;

static void fail(void)
{
    page->failed = (uint64_t)errno;
    for (;;)
        pause();
}

static const char *name(int file)
{
    static __thread char text[32];
    snprintf(text, sizeof text, "out%d.tr", file);
    return text;
}

static int opened(int file, int flags)
{
    int fd = open(name(file), O_WRONLY | O_CREAT | flags, 0666);
    if (fd < 0)
        fail();
    return fd;
}

static void all(int fd, const char *p, size_t n)
{
    if (write(fd, p, n) != (ssize_t)n)
        fail();
}

/* ---- one record, by shape ---- */

static void reopen(int file, const char *p, size_t n)
{
    int fd = opened(file, O_APPEND);
    all(fd, p, n);
    if (close(fd) < 0)
        fail();
}

static void at_end(int file, const char *p, size_t n)
{
    int fd = opened(file, 0);
    if (lseek(fd, 0, SEEK_END) < 0)
        fail();
    all(fd, p, n);
    if (close(fd) < 0)
        fail();
}

static void stream(int file, const char *mode, const char *p, size_t n)
{
    FILE *f = fopen(name(file), mode);
    if (!f || fwrite(p, 1, n, f) != n || fclose(f) != 0)
        fail();
}

static int kept(int file, int flags)
{
    static int fds[STREAMS];
    if (!fds[file])
        fds[file] = opened(file, flags);
    return fds[file];
}

static void flushed(int file, const char *p, size_t n)
{
    static FILE *streams[STREAMS];
    if (!streams[file])
        streams[file] = fopen(name(file), "a");
    if (!streams[file] || fwrite(p, 1, n, streams[file]) != n || fflush(streams[file]) != 0)
        fail();
}

static void positioned(int file, const char *p, size_t n)
{
    static off_t at[STREAMS];
    if (pwrite(kept(file, 0), p, n, at[file]) != (ssize_t)n)
        fail();
    at[file] += (off_t)n;
}

static void pieces(int file, const char *p, size_t n)
{
    struct iovec v[3] = {{(void *)p, 9}, {(void *)(p + 9), 0}, {(void *)(p + 9), n - 9}};
    if (writev(kept(file, O_APPEND), v, 3) != (ssize_t)n)
        fail();
}

/* Runs of seven records by each of two handles. */
static void mixed(int file, uint64_t i, const char *p, size_t n)
{
    static int plain[STREAMS];
    if (!plain[file])
        plain[file] = opened(file, 0);
    if (i / 7 % 2) {
        if (lseek(plain[file], 0, SEEK_END) < 0)
            fail();
        all(plain[file], p, n);
    } else {
        all(kept(file, O_APPEND), p, n);
    }
}

/* One descriptor, and after each record the size is what has been written. */
static void sized(int file, const char *p, size_t n)
{
    static off_t expected[STREAMS];
    struct stat st;
    all(kept(file, O_APPEND), p, n);
    expected[file] += (off_t)n;
    if (fstat(kept(file, O_APPEND), &st) != 0)
        fail();
    if (st.st_size != expected[file]) {
        errno = EPROTO;
        fail();
    }
}

static void put(int file, uint64_t i, const char *p, size_t n)
{
    if (strcmp(shape, "open") == 0)
        reopen(file, p, n);
    else if (strcmp(shape, "fopen") == 0)
        stream(file, "a", p, n);
    else if (strcmp(shape, "aplus") == 0)
        stream(file, "a+", p, n);
    else if (strcmp(shape, "kept") == 0)
        all(kept(file, O_APPEND), p, n);
    else if (strcmp(shape, "sized") == 0)
        sized(file, p, n);
    else if (strcmp(shape, "position") == 0)
        all(kept(file, 0), p, n);
    else if (strcmp(shape, "end") == 0)
        at_end(file, p, n);
    else if (strcmp(shape, "flushed") == 0)
        flushed(file, p, n);
    else if (strcmp(shape, "positioned") == 0)
        positioned(file, p, n);
    else if (strcmp(shape, "writev") == 0)
        pieces(file, p, n);
    else if (strcmp(shape, "mixed") == 0)
        mixed(file, i, p, n);
    else
        abort();
}

static void end(void)
{
    char *const argv[] = {"true", NULL};
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "exec") == 0) {
        execv("/bin/true", argv);
        fail();
    }
    while (strcmp(how, "stay") == 0)
        pause();
}

static void wait_a_little(void)
{
    if (slow)
        usleep(slow);
}

/* ---- threads ---- */

/* Thread t writes stream 2t to a file of its own, out(t+1), and stream 2t+1 to out0, which all share. */
static void *thread(void *arg)
{
    int t = (int)(intptr_t)arg;
    char memory[RECORD_MOST];
    for (uint64_t i = 0; !last || i < last; i++) {
        reopen(t + 1, memory, record(memory, 2 * t, i, big));
        page->acknowledged[2 * t] = i + 1;
        reopen(0, memory, record(memory, 2 * t + 1, i, big));
        page->acknowledged[2 * t + 1] = i + 1;
        wait_a_little();
    }
    return NULL;
}

static void threads(void)
{
    pthread_t ids[4];
    for (intptr_t t = 0; t < 4; t++)
        if (pthread_create(&ids[t], NULL, thread, (void *)t) != 0)
            abort();
    for (int t = 0; t < 4; t++)
        pthread_join(ids[t], NULL);
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    shape = argv[1];
    int fd = open(argv[2], O_RDWR);
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return 2;
    close(fd);
    files = atoi(argv[3]);
    big = atoi(argv[4]);
    last = strtoull(argv[5], NULL, 10);
    how = strchr(argv[5], ':');
    how = how ? how + 1 : "stay";
    slow = argc > 6 ? (unsigned)atoi(argv[6]) : 0;
    signal(SIGPIPE, SIG_DFL);
    page->begun = 1;
    if (strcmp(shape, "threads") == 0) {
        threads();
    } else if (strcmp(shape, "shared") == 0) {
        char memory[RECORD_MOST];
        for (uint64_t i = 0; !last || i < last; i++) {
            reopen(0, memory, record(memory, files, i, big));
            page->acknowledged[files] = i + 1;
            wait_a_little();
        }
    } else {
        char memory[RECORD_MOST];
        for (uint64_t i = 0; !last || i < last; i++) {
            for (int file = 0; file < files; file++) {
                put(file, i, memory, record(memory, file, i, big));
                page->acknowledged[file] = i + 1;
            }
            wait_a_little();
        }
    }
    end();
    return 0;
}
