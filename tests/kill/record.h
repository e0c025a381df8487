/* The records that the writers write: stream s's record i is the same in every run, so that a reader can tell exactly what is in a
 * file. Lengths vary from 16 to 127 bytes, with one of BIG bytes in 97 when asked for.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define STREAMS     32
#define BIG         6000
#define RECORD_MOST 8192

/* What the writer shares with whoever watches it: all are counts. */
struct page {
    volatile uint64_t acknowledged[STREAMS]; /* records whose write has returned, by stream */
    volatile uint64_t begun;                 /* 1 once the writer is about to write */
    volatile uint64_t failed;                /* an errno: a write failed */
};

static inline size_t record(char *to, int stream, uint64_t i, int big)
{
    size_t length = big && i % 97 == 96 ? BIG : 16 + (size_t)(i * 7919 % 112);
    int n = snprintf(to, RECORD_MOST, "%c%08llu ", 'A' + stream, (unsigned long long)i);
    memset(to + n, 'a' + (int)(i % 26), length - (size_t)n - 1);
    to[length - 1] = '\n';
    return length;
}

#endif
