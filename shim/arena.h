/* Memory for the shim's own tables.
 *
 * What it is for: the program's malloc may not be called from inside its open or write (it may be the caller).
 *
 * The idea: pages from the kernel, cut into sizes of powers of two; what is given back waits in a list of its
 * size. Nothing goes back to the kernel: the tables only shrink when the program ends.
 *
 * Rules: everything here is called under the tables' lock (ring/lock.h), so it needs none of its own, and never from
 * a handler that interrupted the shim. Memory is zeroed.
 */
#ifndef TRACESHIM_ARENA_H
#define TRACESHIM_ARENA_H

#include <stddef.h>

/* n bytes of zeroed memory, aligned to 16; NULL when the kernel has none. */
void *arena_alloc(size_t n);

/* Gives back what arena_alloc(n) gave: n as it was then. NULL is fine. */
void arena_free(void *p, size_t n);

#endif
