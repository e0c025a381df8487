/* The report: what was asked, what reached the kernel, and which promises are weaker than usual.
 *
 * The idea: written once, when the process ends or becomes another program; as text, or as JSON for a path that ends in
 * .json, to a name of its own first and then renamed, so that a reader finds all of it or nothing.
 *
 * Rules: it never appears unless asked for. No stdio, no malloc.
 */
#ifndef TRACESHIM_REPORT_H
#define TRACESHIM_REPORT_H

/* Writes the report if one is wanted. No lock may be held; not in a signal handler that interrupted the shim. */
void report_write(void);

#endif
