/*
 * The configuration: TRACESHIM_* of an environment, checked and in one struct.
 *
 * One table (config.c) says which variables there are; a name that isn't in it is
 * an error, since a typo that is ignored costs a run.  Read by the library when
 * it starts and by traceshim-guard --check-config, so nothing is parsed twice.
 *
 * Nothing here allocates, locks or uses stdio or a locale, and system calls are
 * made directly: usable before the constructor of the library that interposes libc.
 */
#ifndef TRACESHIM_CONFIG_H
#define TRACESHIM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pattern.h"

enum {
    CONFIG_PATH = 4096,  /* bytes of a path, its terminator included */
    CONFIG_DIR = 200,    /* bytes of the directory of journals */
    CONFIG_ERROR = 1024, /* bytes that hold any message of config_read */
};

struct config {
    bool disabled;            /* TRACESHIM_DISABLE=1: nothing else was read */
    unsigned window_ms;       /* 0 to 3,600,000; 0 is write-through */
    size_t buffer;            /* bytes of a file's ring, 4096 to 1 GiB */
    size_t memory;            /* bytes of all rings, at least one */
    char report[CONFIG_PATH]; /* absolute, may hold %p; "-" is stderr, "" is none */
    char log[CONFIG_PATH];    /* absolute, taken as it is; "-" and "" likewise */
    char dir[CONFIG_PATH];    /* absolute, where the directory of journals is made; "" is /dev/shm */
    bool guard, cause;
    struct patterns patterns;
};

/*
 * Reads the TRACESHIM_* variables of ENVP (of a name that is there twice the first,
 * as getenv does) into C, and what isn't set from the defaults.  0, or -1 with one
 * line in ERR, without a newline:
 *
 *     traceshim: NAME=VALUE: what is wrong
 *
 * C is then not to be used.  Paths of reports and logs are made absolute with the
 * present working directory, and must be writable.  errno is left alone.
 */
int config_read(struct config *c, char *const envp[], char *err, size_t errlen);

/*
 * The report's path for process PID after EXECS successful exec calls in it, into
 * OUT: every %p becomes the pid, or it goes before the extension; from the second
 * image on, its number follows ("out.json": out-123.json, then out-123-2.json).
 * "-" stays.  0, or -1 when there is no report or OUT is too small (CONFIG_PATH isn't).
 */
int config_report_path(const struct config *c, pid_t pid, unsigned execs, char *out, size_t size);

/* The variables in the order of the table: false when there is no I-th, else its name after TRACESHIM_ and what it is. */
bool config_variable(size_t i, const char **name, const char **what);

#endif
