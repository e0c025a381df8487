/* What the report says of one path, in memory that the guard sees, too.
 *
 * Rules: plain counters, written without locks by whoever does the work: a report is a picture, not a proof. Never freed. In the
 * journal they follow each other, each `size` bytes, a multiple of 8.
 */
#ifndef TRACESHIM_RING_RECORD_H
#define TRACESHIM_RING_RECORD_H

#include <stdbool.h>

#include "../tracefile/reason.h"

struct shown {
    uint32_t size;
    uint32_t length;    /* of path */
    uint32_t through;   /* a bit for each enum reason that made its last write go through */
    uint16_t unmanaged; /* enum reason of the last open that could not be managed */
    bool managed;       /* it was managed at some time */
    int err;            /* the last error of a drain */
    struct counters n;
    char path[]; /* absolute, with a terminator */
};

#endif
