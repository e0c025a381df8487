/* open: a path, a template or a descriptor becomes a descriptor or a stream. */
#define NAMES_open
#include "export.h"

#include "../text.h"
#include "cookie.h"
#include "fd.h"

#include <string.h>

static bool needs_mode(int flags)
{
    return (flags & O_CREAT) || (flags & __O_TMPFILE) == __O_TMPFILE;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (needs_mode(flags)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    return tf_open(AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (needs_mode(flags)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    return tf_open(dir, path, flags, mode);
}

/* Fortified forms: they end the program when a mode is missing, which libc is left to do. */
int __open_2(const char *path, int flags)
{
    return needs_mode(flags) ? real___open_2(path, flags) : tf_open(AT_FDCWD, path, flags, 0);
}

int __openat_2(int dir, const char *path, int flags)
{
    return needs_mode(flags) ? real___openat_2(dir, path, flags) : tf_open(dir, path, flags, 0);
}

/* Their own, since they say their own names when they abort. */
int __open64_2(const char *path, int flags)
{
    return needs_mode(flags) ? real___open64_2(path, flags) : tf_open(AT_FDCWD, path, flags, 0);
}

int __openat64_2(int dir, const char *path, int flags)
{
    return needs_mode(flags) ? real___openat64_2(dir, path, flags) : tf_open(dir, path, flags, 0);
}

int creat(const char *path, mode_t mode)
{
    return tf_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static int made(int fd, int flags)
{
    if (fd >= 0)
        tf_opened(fd, flags, false);
    return fd;
}

int open_by_handle_at(int mount, struct file_handle *handle, int flags)
{
    if (flags & O_TRUNC)
        tf_barrier_all(CAUSE_truncate);
    int fd;
    RELIEVED(fd, real_open_by_handle_at(open_number(mount), handle, flags));
    return made(fd, flags);
}

/* The real call fills in the name even when it then fails: what stands for the random part comes back before the second try. */
#define MAKES(call, template, suffix, flags)                                  \
    do {                                                                      \
        int fd, before = errno;                                               \
        tf_tell();                                                            \
        fd = call;                                                            \
        if (fd < 0 && (errno == EMFILE || errno == ENFILE) && tf_relieve()) { \
            errno = before;                                                   \
            memset(template + strlen(template) - (size_t)(suffix)-6, 'X', 6); \
            fd = call;                                                        \
        }                                                                     \
        return made(fd, O_RDWR | (flags));                                    \
    } while (0)

int mkstemp(char *template)
{
    MAKES(real_mkstemp(template), template, 0, 0);
}

int mkostemp(char *template, int flags)
{
    MAKES(real_mkostemp(template, flags), template, 0, flags);
}

int mkstemps(char *template, int suffix)
{
    MAKES(real_mkstemps(template, suffix), template, suffix, 0);
}

int mkostemps(char *template, int suffix, int flags)
{
    MAKES(real_mkostemps(template, suffix, flags), template, suffix, flags);
}

/* A stream of libc's. */
static void unseen(FILE *stream, int flags)
{
    tf_opened(stream->_fileno, flags, true);
    tf_stream(stream->_fileno, true);
}

FILE *tmpfile(void)
{
    int before = errno;
    FILE *stream = real_tmpfile();
    if (!stream && (errno == EMFILE || errno == ENFILE) && tf_relieve()) {
        errno = before;
        stream = real_tmpfile();
    }
    if (stream)
        unseen(stream, O_RDWR);
    return stream;
}

/* ---- streams ---- */

/* libc is about to open the path for a stream: it truncates, or looks for the end. */
static void prepare_path(const char *path, const struct stream_mode *m)
{
    if (m->flags & (O_TRUNC | O_APPEND))
        tf_barrier_path(AT_FDCWD, path, 0, m->flags & O_TRUNC ? CAUSE_truncate : CAUSE_offset);
}

/* A stream of libc's: what it does is not seen, so a trace file behind it writes through meanwhile. */
static FILE *libcs_stream(const char *path, const char *mode, const struct stream_mode *m)
{
    int before = errno;
    if (!tf_tell_path(AT_FDCWD, path, m->flags))
        prepare_path(path, m);
    FILE *stream = real_fopen(path, mode);
    if (!stream && (errno == EMFILE || errno == ENFILE) && tf_relieve()) {
        stream = real_fopen(path, mode);
        if (stream)
            errno = before;
    }
    if (stream) {
        unseen(stream, m->flags);
        tf_unmatched(stream->_fileno, path, m->flags);
    }
    return stream;
}

/* A stream of libc's on a descriptor: one that appends looks for the end at once. */
static FILE *libcs_stream_on(int fd, const char *mode)
{
    if (!ready(fd, CAUSE_offset))
        return NULL;
    FILE *stream = real_fdopen(fd, mode);
    if (stream) {
        tf_used_unseen(fd);
        tf_stream(fd, true);
    }
    return stream;
}

/* A stream on a descriptor that has just been opened for it. */
static FILE *stream_on(int fd, const char *mode, const struct stream_mode *m)
{
    struct handle *h = tf_get(fd);
    FILE *stream;
    if (h && tf_managed(h)) {
        stream = cookie_open(fd, tf_block(h), m);
        if (stream && m->flags & O_CLOEXEC)
            stream->_flags2 |= STREAM_CLOEXEC;
        if (stream && m->cookie[0] == 'a' && !m->cookie[1])
            tf_seek_end(h);
    } else {
        stream = libcs_stream_on(fd, mode);
    }
    if (!stream) {
        int err = errno;
        shim_close(fd);
        errno = err;
    }
    return stream;
}

FILE *fopen(const char *path, const char *mode)
{
    if (!path || !mode)
        return real_fopen(path, mode);
    struct stream_mode m = cookie_mode(mode);
    bool writes = (m.flags & O_ACCMODE) != O_RDONLY;
    int cached = m.known && m.ours && writes ? tf_reopen(path, m.flags) : -1;
    if (cached >= 0)
        return stream_on(cached, mode, &m);
    bool wants = m.known && writes && tf_wants(path, m.flags);
    if (wants && !m.ours)
        tf_cannot(path, REASON_STREAM_MODE);
    if (!wants || !m.ours)
        return libcs_stream(path, mode, &m);
    int fd = tf_open(AT_FDCWD, path, m.flags, 0666);
    return fd < 0 ? NULL : stream_on(fd, mode, &m);
}

/* fdopen(3) refuses what the descriptor can't do. */
static bool fits(struct handle *h, const struct stream_mode *m)
{
    int has = tf_flags(h) & O_ACCMODE, wants = m->flags & O_ACCMODE;
    return has == O_RDWR || has == wants;
}

/* What a stream of libc's sends by itself, when its buffer is full or it has none, is not seen: one that writes down a pipe or a socket,
 * where it would tell others, is one of ours. Those that read as well are left to libc. */
static bool tells_others(int fd, const struct stream_mode *m)
{
    struct stat st;
    if (fd <= 2 || !m->known || !m->ours || m->cookie[0] != 'w' || m->cookie[1] || !tf_tells())
        return false;
    if (sys_fstat(fd, &st) < 0 || !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
        return false;
    long flags = sys_fcntl(fd, F_GETFL, 0);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

FILE *fdopen(int fd, const char *mode)
{
    struct handle *h = tf_get(fd);
    struct stream_mode m = mode ? cookie_mode(mode) : (struct stream_mode){0};
    if (!h && tells_others(fd, &m)) {
        FILE *stream = cookie_open(fd, 4096, &m); /* st_blksize of both */
        if (stream)
            return stream;
    }
    if (!h || tf_closed(h) || !tf_managed(h) || !m.known || !m.ours || !fits(h, &m))
        return libcs_stream_on(fd, mode);
    bool appends = false;
    if (m.cookie[0] == 'a') {
        int flags = fcntl(fd, F_GETFL); /* whoever shares the description may have set others */
        appends = !(flags & O_APPEND);
        if (flags < 0 || (appends && fcntl(fd, F_SETFL, flags | O_APPEND) < 0))
            return NULL;
    }
    FILE *stream = cookie_open(fd, tf_block(h), &m);
    if (stream && appends && !m.cookie[1])
        tf_seek_end(h);
    return stream;
}

/* glibc's freopen looks into a cookie stream as if it were one of its own. Ours keeps the stream and gives it another
 * descriptor. */
static FILE *reopen_ours(const char *path, FILE *stream, const struct stream_mode *m)
{
    char same[32];
    int old = stream->_fileno;
    fflush(stream);
    if (!path) {
        struct text t = text_in(same, sizeof same);
        text_add(&t, "/proc/self/fd/");
        text_number(&t, (unsigned long long)old);
        path = same;
    }
    int before = errno, err;
    int fd = m->known ? open(path, m->flags, 0666) : (errno = EINVAL, -1);
    if (fd >= 0 && old >= 0 && fd != old) { /* the number stays */
        if (m->flags & O_CLOEXEC)
            stream->_flags2 |= STREAM_CLOEXEC; /* which no later mode takes back */
        int to = dup3(fd, old, stream->_flags2 & STREAM_CLOEXEC ? O_CLOEXEC : 0);
        err = errno;
        shim_close(fd);
        errno = err;
        fd = to;
    } else if (fd < 0) {
        shim_close(old);
    }
    if (fd < 0) {
        err = errno;
        stream->_fileno = -1;
        struct stream_mode none = {.flags = O_RDONLY, .cookie = "r"};
        cookie_reopen(stream, -1, &none);
        fclose(stream);
        errno = err;
        return NULL;
    }
    cookie_reopen(stream, fd, m);
    struct handle *h = tf_get(fd);
    if (m->cookie[0] == 'a' && !m->cookie[1]) {
        if (h && tf_managed(h))
            tf_seek_end(h);
        else
            lseek(fd, 0, SEEK_END);
    }
    errno = before;
    return stream;
}

FILE *freopen(const char *path, const char *mode, FILE *stream)
{
    if (!stream || !mode)
        return real_freopen(path, mode, stream);
    struct stream_mode m = cookie_mode(mode);
    if (cookie_ours(stream))
        return reopen_ours(path, stream, &m);
    if (!tf_tell_path(AT_FDCWD, path, m.flags))
        prepare_path(path, &m);
    int old = stream->_fileno;
    if (old >= 0) {
        tf_tell_close(old, tf_get(old));
        tf_replace(old);
    }
    tf_evict_all(CAUSE_evict); /* it can't be tried again when it meets EMFILE */
    FILE *done = real_freopen(path, mode, stream);
    if (done)
        unseen(done, m.flags);
    else
        tf_stream(old, false);
    return done;
}
