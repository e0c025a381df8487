/* C streams on trace files.
 *
 * What it is for: libc's own streams read and write inside libc, where nothing can be interposed.
 *
 * The idea: fopencookie makes a stream of libc's that calls our functions; its _fileno is set to the real descriptor, so that fileno and
 * what programs do with it (std::ofstream writes to it) work. Its buffer has the size that libc's would have.
 *
 * Rules: which streams are ours is seen in the stream itself; there is no table to keep right.
 */
#ifndef TRACESHIM_INTERPOSE_COOKIE_H
#define TRACESHIM_INTERPOSE_COOKIE_H

#include <stdbool.h>
#include <stdio.h>

#define STREAM_CLOEXEC 64 /* a bit of FILE._flags2: opened with "e" once */

/* A stream mode of fopen(3), taken apart as glibc does. */
struct stream_mode {
    int flags;      /* for open(2) */
    bool known;     /* r, w or a */
    bool ours;      /* no mmap, no ,ccs= */
    char cookie[4]; /* for fopencookie(3) */
};

struct stream_mode cookie_mode(const char *mode);

/* A stream on fd, which it will close. NULL and errno when memory is out; fd is then still open. */
FILE *cookie_open(int fd, unsigned block, const struct stream_mode *mode);

/* Whether the stream was made by cookie_open. Any stream that isn't NULL. */
bool cookie_ours(FILE *stream);

/* Of a stream of ours: whether it is as just opened. */
bool cookie_fresh(FILE *stream);

/* Of a stream of ours without orientation: a call is about to be made that makes it wide, and a stream of libc's by that. */
void cookie_widens(FILE *stream);

/* What a stream of libc's has of ours, that was turned into one; else NULL. To be given back when the stream is closed. */
struct cookie *cookie_was(FILE *stream);
void cookie_over(struct cookie *c);

/* freopen(3) of a stream of ours: it goes on with fd, in this mode. What it had is closed. */
void cookie_reopen(FILE *stream, int fd, const struct stream_mode *mode);

/* fclose(3) of a stream of ours. The stream itself is kept for the next, when it can be. */
int cookie_end(FILE *stream);

#endif
