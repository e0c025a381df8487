/*
 * What a shape program prints, so that two runs of it can be compared: each call with its value and errno,
 * each file with its size, mode, links and bytes. Descriptor numbers and addresses are never printed.
 *
 * Lines go out by write(2) at once: nothing is pending at a fork, a death or an exec.
 */
#ifndef SHOW_H
#define SHOW_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "older.h"

#define UNUSED __attribute__((unused))

/* The value of a call that returns a number: printed with errno when that was set. */
#define SHOW(call) show_number(__LINE__, #call, (errno = 0, (long long)(call)))
/* The value of a call that returns a descriptor or a stream: only whether it worked. */
#define OPENED(call)                           \
    (__extension__({                           \
        errno = 0;                             \
        __typeof__(call) opened_ = (call);     \
        show_opened(__LINE__, #call, opened_); \
        opened_;                               \
    }))

UNUSED static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
UNUSED static void say(const char *format, ...)
{
    char line[4096];
    int saved = errno;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2)
        length = sizeof line - 2;
    line[length++] = '\n';
    if (write(1, line, (size_t)length) != length)
        _exit(99);
    errno = saved;
}

/* The test can't be made on this machine: a skip. */
UNUSED static void cannot_run(const char *why)
{
    say("%s", why);
    _exit(77);
}

UNUSED static long long show_number(int where, const char *call, long long value)
{
    say("%d: %s = %lld%s%s", where, call, value, errno ? " " : "", errno ? strerror(errno) : "");
    return value;
}

UNUSED static void show_result(int where, const char *call, int worked)
{
    say("%d: %s %s%s%s", where, call, worked ? "opened" : "refused", errno ? " " : "", errno ? strerror(errno) : "");
}

#ifdef __cplusplus
UNUSED static void show_opened(int where, const char *call, int descriptor)
{
    show_result(where, call, descriptor >= 0);
}
UNUSED static void show_opened(int where, const char *call, FILE *stream)
{
    show_result(where, call, stream != NULL);
}
#else
UNUSED static void show_opened_descriptor(int where, const char *call, int descriptor)
{
    show_result(where, call, descriptor >= 0);
}
UNUSED static void show_opened_stream(int where, const char *call, const void *stream)
{
    show_result(where, call, stream != NULL);
}
#define show_opened(where, call, value) \
    _Generic((value), int : show_opened_descriptor, default : show_opened_stream)(where, call, value)
#endif

/* Short bytes are printed, long ones are hashed (FNV-1a). */
UNUSED static void show_bytes(const char *label, const void *data, long length)
{
    const unsigned char *bytes = (const unsigned char *)data;
    char text[4 * 100 + 1], *end = text;
    if (length < 0) {
        say("%s: nothing", label);
    } else if (length <= 100) {
        for (long i = 0; i < length; i++)
            end += sprintf(end, bytes[i] >= ' ' && bytes[i] < 127 ? "%c" : "\\%03o", bytes[i]);
        *end = '\0';
        say("%s: %ld bytes \"%s\"", label, length, text);
    } else {
        uint64_t hash = 14695981039346656037ULL;
        for (long i = 0; i < length; i++)
            hash = (hash ^ bytes[i]) * 1099511628211ULL;
        say("%s: %ld bytes, hash %016llx", label, length, (unsigned long long)hash);
    }
}

UNUSED static void show_stat(const char *label, int result, const struct stat *info)
{
    if (result != 0)
        say("%s: stat refused %s", label, strerror(errno));
    else
        say("%s: size %lld mode %o links %lu%s", label, (long long)info->st_size, info->st_mode,
            (unsigned long)info->st_nlink, info->st_blocks * 512 < 0 ? " blocks?" : "");
}

UNUSED static void show_fstat(const char *label, int descriptor)
{
    struct stat info;
    show_stat(label, fstat(descriptor, &info), &info);
}

UNUSED static void show_path(const char *path)
{
    struct stat info;
    show_stat(path, stat(path, &info), &info);
}

/* The file as this process reads it now, through a descriptor of its own. */
UNUSED static void show_file(const char *path)
{
    static char data[1 << 20];
    long length = 0, n;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        say("%s: open refused %s", path, strerror(errno));
        return;
    }
    while (length < (long)sizeof data && (n = read(descriptor, data + length, sizeof data - (size_t)length)) > 0)
        length += n;
    close(descriptor);
    show_bytes(path, data, length);
}

/* The i-th record: about 60 bytes, as the PHY and MAC traces of a network simulator have them. */
UNUSED static const char *record(int i)
{
    static __thread char text[128];
    snprintf(text, sizeof text, "%d.%06d\t%d\t%d\t%d\t%d\t0.00%d\t%d\n", i / 1000, i, i % 3 + 1, 1000000 + i, i % 7,
             i % 29, i * 37 % 1000, i * 4096);
    return text;
}

UNUSED static long append(int descriptor, const char *text)
{
    return write(descriptor, text, strlen(text));
}

#endif
