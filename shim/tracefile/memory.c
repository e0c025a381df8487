/* Trying pages: see memory.h. */
#include "memory.h"

#include <limits.h>
#include <string.h>

#include "../sys.h"

_Atomic uintptr_t memory_known[MEMORY_KNOWN];

bool memory_try(uintptr_t page) {
    if (page == 0 || sys_peek((pid_t)self_tid(), (void *)(page << 12)) == -EFAULT) return false;
    atomic_store_explicit(&memory_known[page % MEMORY_KNOWN], page, memory_order_relaxed);
    return true;
}

bool memory_text(const char *text) {
    uintptr_t at = (uintptr_t)text, last = at + PATH_MAX;
    while (at <= last) {
        size_t left = 4096 - at % 4096;
        if (!memory_page(at >> 12)) return false;
        if (memchr((const void *)at, 0, left)) return true;
        at += left;
    }
    return true; /* longer than any path */
}
