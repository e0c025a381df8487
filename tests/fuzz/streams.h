/* Streams of the fuzzer: see machine.h, to which this belongs. */
#ifndef STREAMS_H
#define STREAMS_H

#include "machine.h"

extern wchar_t *__fgetws_chk(wchar_t *to, size_t room, int n,
                             FILE *from); /* declared only where everything is fortified */

/* glibc's wide streams keep what couldn't be written, narrow ones drop it: no wide ones where writes may fail. */
static bool sizes_limited;

UNUSED static int limit_sizes(rlim_t most)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream[i] && wide_stream[i])
            return -2;
    sizes_limited = true;
    struct rlimit limit = {most, RLIM_INFINITY};
    return turn % 2 ? setrlimit(RLIMIT_FSIZE, &limit) : prlimit(0, RLIMIT_FSIZE, &limit, NULL);
}

UNUSED static int keep_stream(int slot, FILE *new, bool wide)
{
    int error = errno;
    if (!new)
        return -1;
    if (stream[slot])
        fclose(stream[slot]);
    stream[slot] = new;
    wide_stream[slot] = wide && !sizes_limited;
    mixed_stream[slot] = moved_stream[slot] = false;
    errno = error;
    return 0;
}

/* The descriptor becomes the stream's. */
UNUSED static int keep_fdopen(int slot, int descriptor, const char *mode, bool wide)
{
    if (used_by_stream(fd[descriptor]))
        return -2;
    wide = wide && descriptor < FLOATING && fstat(fd[descriptor], &st) == 0 &&
           S_ISREG(st.st_mode); /* others may be full */
    FILE *new = fdopen(fd[descriptor], mode);
    if (new)
        gone(descriptor);
    int done = keep_stream(slot, new, wide);
    mixed_stream[slot] |= new != NULL; /* it may have been copied before */
    return done;
}

UNUSED static int shut_stream(int slot)
{
    FILE *old = stream[slot];
    if (slot == STREAMS - 1)
        return fflush(old);
    stream[slot] = NULL;
    return fclose(old);
}

/* glibc's freopen with "m" makes a stream that reads at a wrong place. */
UNUSED static const char *not_mapped(const char *mode)
{
    return strchr(mode, 'm') ? "r" : mode;
}

/* freopen keeps the number, and closes the stream when it fails. */
UNUSED static int reopened(int slot, const char *path, const char *mode)
{
    int number = fileno(stream[slot]);
    FILE *new = freopen(path, mode, stream[slot]);
    int error = errno;
    if (!new &&slot < STREAMS - 1)
        stream[slot] = NULL;
    if (!new &&slot == STREAMS - 1 && fcntl(1, F_GETFD) < 0)
        dup2(0, 1);
    errno = error;
    return new ? fileno(new) == number : -1;
}

/* All numbers below FIXED are free when the limit is set: else some are beyond it by exception (d), or fewer of those below are taken
 * than natively. */
UNUSED static int limit_numbers(rlim_t most)
{
    for (int i = 0; i < STREAMS - 1; i++)
        if (stream[i])
            shut_stream(i);
    if (fileno(stdout) > 2)
        return -2;
    for (int i = 0; i < FLOATING; i++)
        if (fd[i] >= 0)
            shut(i);
    return setrlimit(RLIMIT_NOFILE, &(struct rlimit){most, 1024});
}

static char own_buffers[STREAMS][3000];

/* The size of an own buffer: see operations.h for those that are passed over. */
UNUSED static size_t room_of(size_t n)
{
    n %= sizeof own_buffers[0];
    return n > 1 && n < 128 ? n + 128 : n;
}

static fpos_t position[STREAMS];
static bool positioned[STREAMS];

UNUSED static long got_position(int slot)
{
    int done = fgetpos(stream[slot], &position[slot]);
    positioned[slot] = done == 0;
    return done;
}

UNUSED static long got_text(const char *read)
{
    if (!read)
        return -1;
    return got((long)strlen(read));
}

UNUSED static long got_wide(const wchar_t *read)
{
    if (!read)
        return -1;
    long n = (long)wcslen(read);
    extra[0] = hash(read, n * (long)sizeof *read);
    return n;
}

/* A stream that has moved keeps more or less in its buffer afterwards, depending on what libc knows of the offset: what it
 * wrote goes out at once. */
UNUSED static void after(int slot)
{
    if (stream[slot] && moved_stream[slot] && __fwriting(stream[slot]))
        fflush(stream[slot]);
}

/* A result of a stream's. What it does inside may set errno when all goes well. */
#define SHOW_STREAM(slot, wide, ...)                                                                 \
    do {                                                                                             \
        if (!stream[slot] || wide_stream[slot] != (wide))                                            \
            break;                                                                                   \
        errno = EXDEV;                                                                               \
        bool before_ = ferror(stream[slot]);                                                         \
        long value_ = (long)(__VA_ARGS__);                                                           \
        int error_ = errno;                                                                          \
        show(value_, value_ < 0 || (stream[slot] && !before_ && ferror(stream[slot])) ? error_ : 0); \
        after(slot);                                                                                 \
    } while (0)

/* The stream's descriptor, for a use behind its back from here on. */
UNUSED static int mixing(int slot)
{
    mixed_stream[slot] = true;
    fflush(stream[slot]);
    return fileno(stream[slot]);
}

UNUSED static long settled(int slot, long done)
{
    int error = errno;
    moved_stream[slot] = true;
    if (mixed_stream[slot] || __freadable(stream[slot]))
        fflush(stream[slot]);
    errno = error;
    return done;
}

UNUSED static long read_from(int slot, long done)
{
    moved_stream[slot] = true;
    return done;
}

/* See operations.h: what a large read does then is glibc's own affair. */
UNUSED static bool unusual(int slot)
{
    return __fwriting(stream[slot]) || feof(stream[slot]) || !__freadable(stream[slot]);
}

/* A character goes back and is read again, before anything is written. */
UNUSED static long put_back(int slot, int c)
{
    const int maps = 1; /* glibc's _IO_FLAGS2_MMAP: fclose crashes after ungetc */
    if (stream[slot]->_flags2 & maps)
        return -2;
    if (__fwriting(stream[slot]) || getc(stream[slot]) == EOF || ungetc(c, stream[slot]) == EOF)
        return -2;
    if (c % 2)
        extra[0] = (uint64_t)ftell(stream[slot]);
    int again = getc(stream[slot]);
    fseek(stream[slot], 0, SEEK_CUR);
    settled(slot, 0);
    return again;
}

/* Wide input between wide outputs, as C asks for it. */
UNUSED static wchar_t *between_wide(int slot)
{
    if (__freadable(stream[slot]))
        fflush(stream[slot]);
    return (wchar_t *)(void *)buffer;
}

UNUSED static long between(int slot, long done)
{
    int error = errno;
    fseek(stream[slot], 0, SEEK_CUR);
    moved_stream[slot] = true;
    errno = error;
    return done;
}

UNUSED static long put_wide(wchar_t c, FILE *to, int how)
{
    switch (how % 4) {
    case 0: return (long)fputwc(c, to);
    case 1: return (long)putwc(c, to);
    case 2: return (long)fputwc_unlocked(c, to);
    default: return (long)putwc_unlocked(c, to);
    }
}

/* What goes back is what was read: glibc's own streams abort after some others. */
UNUSED static long get_wide(FILE *from, int how)
{
    wint_t c;
    fflush(from);
    switch (how % 6) {
    case 4:
        c = 0;
        extra[0] = (uint64_t)fwscanf(from, L"%d", (int *)&c);
        return (long)c;
    case 0: return (long)getwc(from);
    case 3: return got_wide(__fgetws_chk((wchar_t *)(void *)buffer, sizeof buffer / sizeof(wchar_t), how, from));
    case 1: return (long)getwc_unlocked(from);
    case 2: c = fgetwc(from); return c == WEOF || ungetwc(c, from) == WEOF ? -2 : (long)fgetwc(from);
    default: return got_wide(fgetws_unlocked((wchar_t *)(void *)buffer, how, from));
    }
}

UNUSED static long got_line(FILE *from)
{
    static char *line;
    static size_t room;
    long n = getline(&line, &room, from);
    extra[0] = hash(line, n);
    return n;
}

#endif
