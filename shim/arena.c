/* The allocator of arena.h: size classes over pages. */
#include "arena.h"

#include <string.h>

#include "sys.h"

#define SMALLEST 5  /* 32 bytes */
#define LARGEST  16 /* 64 KiB; what is larger has pages of its own */
#define CHUNK    (256u * 1024)

struct hole {
    struct hole *next;
};

static struct hole *holes[LARGEST + 1];
static unsigned char *chunk;
static size_t chunk_left;

static unsigned size_class(size_t n)
{
    unsigned c = SMALLEST;
    while (((size_t)1 << c) < n)
        c++;
    return c;
}

static void *from_kernel(size_t n)
{
    void *p = sys_mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return sys_bad(p) ? NULL : p;
}

void *arena_alloc(size_t n)
{
    unsigned c = size_class(n);
    if (c > LARGEST)
        return from_kernel(n);
    size_t size = (size_t)1 << c;
    if (holes[c]) {
        struct hole *h = holes[c];
        holes[c] = h->next;
        return memset(h, 0, size);
    }
    if (chunk_left < size) {
        unsigned char *fresh = from_kernel(CHUNK);
        if (!fresh)
            return NULL;
        chunk = fresh;
        chunk_left = CHUNK;
    }
    void *p = chunk;
    chunk += size;
    chunk_left -= size;
    return p;
}

void arena_free(void *p, size_t n)
{
    if (!p)
        return;
    unsigned c = size_class(n);
    if (c > LARGEST) {
        sys_munmap(p, n);
        return;
    }
    struct hole *h = p;
    h->next = holes[c];
    holes[c] = h;
}
