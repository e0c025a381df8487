/* Trying pages: see memory.h. */
#include "memory.h"

#include <limits.h>
#include <string.h>

#include "../sys.h"

_Atomic uintptr_t memory_known[MEMORY_KNOWN];

#define AT_ONCE 32 /* pages: who writes from one often writes from the next */

bool memory_try(uintptr_t page)
{
    if (page == 0)
        return false;
    long n = sys_peek((pid_t)sys_getpid(), page << 12, AT_ONCE);
    if (n == -EFAULT)
        return false;
    if (n < 1)
        n = 1; /* the call is not to be had: the page is taken to be there */
    for (uintptr_t i = 0; i < (uintptr_t)n; i++)
        atomic_store_explicit(&memory_known[(page + i) % MEMORY_KNOWN], page + i, memory_order_relaxed);
    return true;
}

bool memory_text(const char *text)
{
    uintptr_t at = (uintptr_t)text, last = at + PATH_MAX;
    while (at <= last) {
        size_t left = 4096 - at % 4096;
        if (!memory_page(at >> 12))
            return false;
        if (memchr((const void *)at, 0, left))
            return true;
        at += left;
    }
    return true; /* longer than any path */
}
