/* The functions behind our streams, and how one is made: see cookie.h. */
#include "../libc.h"

#include <stdio_ext.h>
#include <string.h>

#include "../real.h"
#include "cookie.h"
#include "fd.h"

/* Bits of FILE._flags, as glibc's own freopen sets them. */
#define STREAM_OWN_BUFFER 0x0001
#define STREAM_UNBUFFERED 0x0002
#define STREAM_NO_READS   0x0004
#define STREAM_NO_WRITES  0x0008
#define STREAM_END        0x0010
#define STREAM_ERROR      0x0020
#define STREAM_LINES      0x0200
#define STREAM_PUTS       0x0800
#define STREAM_APPENDS    0x1000

#define WIDE_MOST 400 /* more than struct _IO_wide_data of any glibc */

struct cookie {
    int fd;
    unsigned size;
    char *buffer;
    FILE *stream;
    int flags; /* the stream's, when it was made */
    char wide[WIDE_MOST] __attribute__((aligned(16)));
};

/* Closed streams, or just what they had, for the next one: programs that reopen have few streams at a time. A parked stream stays in
 * libc's list, with nothing in it to flush. */
#define PARKED 4
static _Atomic(struct cookie *) parked[PARKED];

static bool park(struct cookie *c)
{
    seen_release(c);
    for (int i = 0; i < PARKED; i++) {
        struct cookie *none = NULL;
        if (!atomic_load_explicit(&parked[i], memory_order_relaxed) &&
            atomic_compare_exchange_strong(&parked[i], &none, c))
            return true;
    }
    return false;
}

static void give_back(struct cookie *c)
{
    if (c->stream)
        real_fclose(c->stream);
    tf_memory_back(c->buffer, c->size);
    tf_memory_back(c, sizeof *c);
}

/* A cookie with a buffer of that size, or without one when memory is out; NULL when there isn't even a cookie. */
static struct cookie *new_cookie(unsigned size)
{
    for (int i = 0; i < PARKED; i++) {
        struct cookie *c =
            atomic_load_explicit(&parked[i], memory_order_relaxed) ? atomic_exchange(&parked[i], NULL) : NULL;
        if (c)
            seen_acquire(c);
        if (c && c->size == size)
            return c;
        if (c && !park(c))
            give_back(c);
    }
    struct cookie *c = tf_memory(sizeof *c);
    if (!c)
        return NULL;
    c->size = size;
    c->buffer = tf_memory(size);
    return c;
}

static ssize_t cookie_read(void *cookie, char *to, size_t n)
{
    return read(((struct cookie *)cookie)->fd, to, n);
}

/* libc takes less than n for an error, as its own streams never do. */
static ssize_t cookie_write(void *cookie, const char *from, size_t n)
{
    struct cookie *c = cookie;
    size_t done = 0;
    while (done < n) {
        ssize_t m = shim_write(c->fd, from + done, n - done);
        if (m < 0)
            break;
        done += (size_t)m;
    }
    if (c->stream->_offset >= 0) /* libc keeps count of what its own streams write, but not of what we do */
        c->stream->_offset += (off64_t)done;
    return (ssize_t)done;
}

static int cookie_seek(void *cookie, off64_t *at, int whence)
{
    off_t now = lseek(((struct cookie *)cookie)->fd, *at, whence);
    if (now < 0)
        return -1;
    *at = now;
    return 0;
}

static int cookie_close(void *cookie)
{
    struct cookie *c = cookie;
    int fd = c->fd;
    c->stream = NULL;
    if (!park(c))
        give_back(c);
    return shim_close(fd);
}

static const cookie_io_functions_t functions = {cookie_read, cookie_write, cookie_seek, cookie_close};

/* What fopencookie puts behind the public part of a stream: a table of functions of libc's, our cookie, our functions. */
struct behind {
    const void *table;
    void *cookie;
    cookie_io_functions_t functions;
};

/* What a stream of ours has there, once one was made: libc's table for cookie streams, and our function as libc keeps it (with
 * its bits mixed). */
static const void *cookie_table;
static cookie_write_function_t *cookie_mixed;

static struct behind *behind(FILE *stream)
{
    return (struct behind *)(stream + 1);
}

bool cookie_ours(FILE *stream)
{
    const void *table = __atomic_load_n(&cookie_table, __ATOMIC_ACQUIRE);
    return table && behind(stream)->table == table && behind(stream)->functions.write == cookie_mixed;
}

/* Nothing was read or written yet, as far as the stream shows, and it has no buffer but ours: libc's own would have none. */
bool cookie_fresh(FILE *stream)
{
    const struct cookie *c = behind(stream)->cookie;
    bool used = stream->_flags & (STREAM_PUTS | STREAM_END | STREAM_ERROR);
    return !used && stream->_IO_buf_base == c->buffer && stream->_IO_read_end == stream->_IO_buf_base;
}

/* ---- wide characters ---- */

/* Where struct _IO_wide_data, which libc gives each of its own streams, points to the functions of a wide stream: behind the fields for
 * conversion. All such tables of functions lie together; 0: it isn't where it has been since glibc 2.31. */
#define WIDE_FIELDS 0xd8
#define TABLES_MOST 8192
extern struct {
    FILE file;
    const char *table;
} _IO_2_1_stdout_;

static size_t wide_table_at(void)
{
    const char *wide = (const char *)_IO_2_1_stdout_.file._wide_data;
    for (size_t at = WIDE_FIELDS; wide && at + sizeof(void *) <= WIDE_MOST; at += sizeof(void *)) {
        ptrdiff_t away = *(const char *const *)(wide + at) - _IO_2_1_stdout_.table;
        if (away > -TABLES_MOST && away < TABLES_MOST)
            return at;
    }
    return 0;
}

/* fopencookie's streams are narrow for ever. This one may still become wide, as fopen's: at its first wide call libc turns it into
 * a wide stream of its own. */
static void undecided(FILE *stream, struct cookie *c)
{
    size_t at = wide_table_at();
    if (at == 0)
        return;
    memset(c->wide, 0, sizeof c->wide);
    memcpy(c->wide + at, (const char *)_IO_2_1_stdout_.file._wide_data + at, sizeof(void *));
    stream->_wide_data = (struct _IO_wide_data *)c->wide;
    stream->_mode = 0;
}

void cookie_widens(FILE *stream)
{
    struct cookie *c = behind(stream)->cookie;
    tf_used_unseen(c->fd); /* libc reads and writes it from here on */
    tf_stream(c->fd, true);
    if (stream->_IO_buf_base != c->buffer)
        return;
    /* No buffer yet, as libc's own: it makes one of each kind. */
    stream->_flags &= ~STREAM_OWN_BUFFER;
    stream->_IO_buf_base = stream->_IO_buf_end = NULL;
    stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = NULL;
    stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = NULL;
}

struct cookie *cookie_was(FILE *stream)
{
    bool any = __atomic_load_n(&cookie_table, __ATOMIC_ACQUIRE);
    return any && behind(stream)->functions.write == cookie_mixed ? behind(stream)->cookie : NULL;
}

void cookie_over(struct cookie *c)
{
    if (!c)
        return;
    c->stream = NULL;
    if (!park(c))
        give_back(c);
}

struct stream_mode cookie_mode(const char *mode)
{
    struct stream_mode m = {.ours = true, .known = true};
    const char *plus = "";
    switch (mode[0]) {
    case 'r': m.flags = O_RDONLY; break;
    case 'w': m.flags = O_WRONLY | O_CREAT | O_TRUNC; break;
    case 'a': m.flags = O_WRONLY | O_CREAT | O_APPEND; break;
    default: m.known = false; return m;
    }
    for (int i = 1; i < 7 && mode[i]; i++) {
        switch (mode[i]) {
        case '+':
            m.flags = (m.flags & ~O_ACCMODE) | O_RDWR;
            plus = "+";
            break;
        case 'x': m.flags |= O_EXCL; break;
        case 'e': m.flags |= O_CLOEXEC; break;
        case 'm': m.ours = false; break;
        default: break;
        }
    }
    if (mode[1] && mode[2] && strstr(mode, ",ccs="))
        m.ours = false;
    m.cookie[0] = mode[0];
    m.cookie[1] = plus[0];
    return m;
}

/* The size that libc's stream would choose (filedoalloc.c). */
static unsigned buffer_size(unsigned block)
{
    return block > 0 && block < BUFSIZ ? block : BUFSIZ;
}

/* libc's list of streams, the newest first, which is the order in which they are flushed at the end. */
extern void *_IO_list_all;
extern void _IO_un_link(void *stream);
extern void _IO_link_in(void *stream);

/* The stream as fopen would give it, on fd. What it had is flushed and closed. */
static void renew(FILE *stream, struct cookie *c, int fd, const struct stream_mode *mode)
{
    if (_IO_list_all != stream) {
        _IO_un_link(stream);
        _IO_link_in(stream);
    }
    bool plus = (mode->flags & O_ACCMODE) == O_RDWR;
    if (c->buffer &&
        (stream->_IO_buf_base != c->buffer || (stream->_flags ^ c->flags) & (STREAM_UNBUFFERED | STREAM_LINES)))
        setvbuf(stream, c->buffer, _IOFBF, c->size);
    stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_buf_base;
    stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = stream->_IO_buf_base;
    stream->_offset = -1; /* not known */
    if (stream->_mode < 0 && stream->_wide_data == (struct _IO_wide_data *)c->wide)
        stream->_mode = 0;
    c->fd = fd;
    stream->_fileno = fd;
    int flags = stream->_flags &
                ~(STREAM_PUTS | STREAM_NO_READS | STREAM_NO_WRITES | STREAM_APPENDS | STREAM_END | STREAM_ERROR);
    if (mode->cookie[0] == 'a')
        flags |= STREAM_APPENDS;
    if (!plus)
        flags |= mode->cookie[0] == 'r' ? STREAM_NO_WRITES : STREAM_NO_READS;
    stream->_flags = c->flags = flags;
}

FILE *cookie_open(int fd, unsigned block, const struct stream_mode *mode)
{
    struct cookie *c = new_cookie(buffer_size(block));
    if (!c) {
        errno = ENOMEM;
        return NULL;
    }
    if (c->stream) {
        renew(c->stream, c, fd, mode);
        c->stream->_flags2 &= ~STREAM_CLOEXEC; /* of its earlier life */
        return c->stream;
    }
    c->fd = fd;
    FILE *stream = fopencookie(c, mode->cookie, functions);
    if (!stream) {
        if (!park(c))
            give_back(c);
        return NULL;
    }
    c->stream = stream;
    stream->_fileno = fd;
    if (c->buffer)
        setvbuf(stream, c->buffer, _IOFBF, c->size);
    c->flags = stream->_flags;
    undecided(stream, c);
    cookie_mixed = behind(stream)->functions.write;
    __atomic_store_n(&cookie_table, behind(stream)->table, __ATOMIC_RELEASE);
    return stream;
}

void cookie_reopen(FILE *stream, int fd, const struct stream_mode *mode)
{
    __fpurge(stream);
    renew(stream, behind(stream)->cookie, fd, mode);
}

/* Whether nothing about the stream would have to be undone: only written, and only with what stdio does by itself. Its lock is free, as
 * libc keeps it: a thread that has it makes fclose wait, or owns it and never gives it back. */
static bool plain(FILE *stream, const struct cookie *c)
{
    const int changes = STREAM_PUTS | STREAM_END | STREAM_ERROR | STREAM_APPENDS;
    return stream->_fileno >= 0 && stream->_flags & STREAM_NO_READS && !((stream->_flags ^ c->flags) & ~changes) &&
           stream->_IO_buf_base == c->buffer && stream->_lock && *(const volatile int *)stream->_lock == 0;
}

int cookie_end(FILE *stream)
{
    struct cookie *c = behind(stream)->cookie;
    if (!plain(stream, c))
        return real_fclose(stream); /* it calls our close function */
    int flushed = stream->_IO_write_ptr > stream->_IO_write_base ? real_fflush_unlocked(stream) : 0;
    int closed = shim_close(c->fd);
    stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end =
        stream->_IO_buf_base; /* no bytes that it failed to write */
    stream->_fileno = c->fd = -1;
    if (!park(c))
        give_back(c);
    return closed ? closed : flushed;
}
