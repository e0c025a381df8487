/* Laying out the shared memory and handing out its parts: see journal.h. */
#include "journal.h"

#include <string.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif

static size_t pages(size_t n) { return (n + 4095) & ~(size_t)4095; }

int journal_open(struct journal *j, size_t buffer, size_t memory, unsigned window_ms) {
    buffer = pages(buffer);
    size_t rings = memory / buffer > 0 ? memory / buffer : 1;
    size_t slots_at = pages(sizeof(struct journal_header));
    size_t sides_at = slots_at + pages(JOURNAL_SLOTS * sizeof(struct slot));
    size_t rings_at = sides_at + pages(SIDES * sizeof(struct side));
    size_t size = rings_at + rings * buffer;

    long fd = sys_memfd_create("traceshim", MFD_CLOEXEC);
    if (fd < 0) return (int)fd;
    long done = sys_ftruncate((int)fd, (int64_t)size);
    void *p = done < 0 ? (void *)done : sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
    sys_close((int)fd);
    if (sys_bad(p)) return (int)(long)p;
    void *list = sys_mmap(NULL, pages(rings * sizeof(uint32_t)), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                          -1, 0);
    if (sys_bad(list)) {
        sys_munmap(p, size);
        return (int)(long)list;
    }
    *j = (struct journal){.header = p,
                          .memory = p,
                          .slots = (void *)((char *)p + slots_at),
                          .sides = (void *)((char *)p + sides_at),
                          .size = size,
                          .rings_at = rings_at,
                          .free_rings = list};
    memcpy(j->header->magic, "tracesh\1", 8);
    j->header->pid = (uint32_t)sys_getpid();
    j->header->buffer = (uint32_t)buffer;
    j->header->rings = (uint32_t)rings;
    j->header->window_ms = window_ms;
    return 0;
}

void journal_leave(struct journal *j) {
    if (!j->header) return;
    sys_munmap(j->free_rings, pages(j->header->rings * sizeof(uint32_t)));
    sys_munmap(j->memory, j->size);
    *j = (struct journal){0};
}

struct slot *journal_slot(struct journal *j) {
    uint32_t next = atomic_load_explicit(&j->header->slots, memory_order_relaxed);
    if (next == JOURNAL_SLOTS) return NULL;
    struct slot *s = &j->slots[next];
    s->commit[0].end = s->commit[1].end = -1;
    atomic_store_explicit(&j->header->slots, next + 1, memory_order_release);
    return s;
}

/* Makes the ring's pages exist. A kernel before 5.14 doesn't know the call: there the first touch reserves them. */
static bool reserve(unsigned char *p, size_t n) {
    long done = sys_madvise(p, n, MADV_POPULATE_WRITE);
    return done == 0 || done == -EINVAL;
}

bool journal_ring(struct journal *j, struct slot *s) {
    uint32_t which;
    bool fresh = j->free_count == 0;
    if (!fresh)
        which = j->free_rings[--j->free_count];
    else if (j->next_ring < j->header->rings)
        which = j->next_ring;
    else
        return false;
    uint64_t at = j->rings_at + (uint64_t)which * j->header->buffer;
    if (fresh) {
        if (!reserve(j->memory + at, j->header->buffer)) return false;
        j->next_ring++;
    }
    s->ring = at;
    s->size = j->header->buffer;
    return true;
}

void journal_ring_back(struct journal *j, struct slot *s) {
    if (s->size == 0) return;
    j->free_rings[j->free_count++] = (uint32_t)((s->ring - j->rings_at) / j->header->buffer);
    s->size = 0;
    s->ring = 0;
}
