/* The report: what was asked, what reached the kernel, and which promises are weaker than usual.
 *
 * The idea: written once, when the process ends or becomes another program, or by its guard when a signal killed it; as text, or
 * as JSON for a path that ends in .json, to a name of its own first and then renamed, so that a reader finds all of it or nothing.
 *
 * Rules: it never appears unless asked for. No stdio, no malloc: it runs in the program's process and in the guard's.
 */
#ifndef TRACESHIM_REPORT_H
#define TRACESHIM_REPORT_H

#include "ring/record.h"

#define WEAKER_NO_JOURNAL                                                                                              \
    "no journal that outlives them (no directory for it, or the process is no longer root): if process and guard are " \
    "killed together, what is younger than the window is lost"

/* What the report says beside the records. */
struct report_facts {
    uint32_t pid;
    uint64_t start_ticks; /* of the process: tells it from an earlier one with its number */
    const char *program;  /* its name, terminated */
    int64_t started;      /* seconds since 1970 */
    int64_t started_ms;   /* the same on sys_now_ms's clock */
    const char *state;
    const char *weaker[4];          /* which promises are weaker than usual, ending in NULL */
    uint64_t cached, evicted, most; /* descriptors */
    const struct shown *(*next)(const struct shown *before,
                                void *arg); /* the records: the first after NULL, NULL after the last */
    void *arg;
};

/* Writes the report to a file, or to stderr for "-". 0, or -errno and there is no report. */
int report_to(const char *path, const struct report_facts *facts);

/* Whether the file is a report of the process that started at these ticks. */
bool report_is_of(const char *path, uint64_t start_ticks);

/* Writes this process's report if one is wanted (tracefile/reporting.c). No lock may be held; not in a signal handler that
 * interrupted the shim. */
void report_write(void);

#endif
