/* What the shim says, and where.
 *
 * The idea: nothing goes to stderr unless something is lost or the configuration is bad; everything else goes to the file named
 * by TRACESHIM_LOG, if any, a line at a time.
 *
 * Rules: no stdio, no allocation; any context, errno untouched.
 */
#ifndef TRACESHIM_LOG_H
#define TRACESHIM_LOG_H

#include <stddef.h>
#include <stdint.h>

/* The log's path, absolute, copied from the configuration; "" for none. */
void log_open(const char *path);

/* One line, without its newline, to the log. */
void log_line(const char *text);

/* One line to stderr. */
void log_stderr(const char *text);

/* A drain failed: `bytes` of the file at path are still pending. err: an errno. To the log. */
void log_failure(const char *path, uint64_t bytes, int err);

/* The process ends and `bytes` of the file at path could not be written. kept: the file that they stay in, "" when they are lost. To
 * stderr and the log. */
void log_left(const char *path, uint64_t bytes, int err, const char *kept);

#endif
