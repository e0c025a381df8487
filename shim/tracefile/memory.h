/* Whether the program's memory can be read, without dying of it.
 *
 * What it is for: the kernel looks at memory before it takes a byte and answers EFAULT; copying from what isn't there would kill
 * the program.
 *
 * The idea: pages that were readable once are taken to be so still; others are tried through the kernel first. Only the first and
 * the last page of a buffer are looked at.
 *
 * Rules: any context; errno untouched.
 */
#ifndef TRACESHIM_MEMORY_H
#define TRACESHIM_MEMORY_H

#include "../self.h"

#define MEMORY_KNOWN 4096
extern _Atomic uintptr_t memory_known[MEMORY_KNOWN];

/* Tries a page (its address / 4096) through the kernel. */
bool memory_try(uintptr_t page);

/* Whether a path can be read up to its end. */
bool memory_text(const char *text);

static inline bool memory_page(uintptr_t page)
{
    uintptr_t known = atomic_load_explicit(&memory_known[page % MEMORY_KNOWN], memory_order_relaxed);
    return likely(known == page && page) || memory_try(page);
}

/* Whether some of the n bytes are nobody's: the real call then says so. */
static inline bool memory_unreadable(const void *p, size_t n)
{
    uintptr_t at = (uintptr_t)p;
    if (unlikely(n == 0))
        return false;
    return unlikely(at + n < at) || !memory_page(at >> 12) ||
           ((at + n - 1) >> 12 != at >> 12 && !memory_page((at + n - 1) >> 12));
}

#endif
