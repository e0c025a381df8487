/* Side buffers: see side.h. */
#include "side.h"

#include <string.h>

static uint32_t entry_size(size_t n)
{
    return (uint32_t)(sizeof(struct side_entry) + ((n + 7) & ~(size_t)7));
}

struct side *side_claim(struct side *sides, uint32_t count, uint32_t tid)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t nobody = 0;
        if (atomic_compare_exchange_strong(&sides[i].owner, &nobody, tid)) {
            atomic_store_explicit(&sides[i].head, 0, memory_order_relaxed);
            atomic_store_explicit(&sides[i].tail, 0, memory_order_release);
            return &sides[i];
        }
    }
    return NULL;
}

bool side_put(struct side *side, uint64_t handle, uint32_t slot, const struct iovec *v, int count, size_t n)
{
    uint32_t tail = atomic_load_explicit(&side->tail, memory_order_relaxed);
    if (n > SIDE_BYTES || tail + entry_size(n) > SIDE_BYTES)
        return false;
    struct side_entry e = {.handle = handle, .slot = slot, .length = (uint32_t)n};
    unsigned char *to = side->bytes + tail;
    memcpy(to, &e, sizeof e);
    to += sizeof e;
    for (int i = 0; i < count; i++) {
        if (v[i].iov_len)
            memcpy(to, v[i].iov_base, v[i].iov_len);
        to += v[i].iov_len;
    }
    atomic_store_explicit(&side->tail, tail + entry_size(n), memory_order_release);
    return true;
}

struct side_entry *side_first(struct side *side)
{
    uint32_t head = atomic_load_explicit(&side->head, memory_order_relaxed);
    if (head == atomic_load_explicit(&side->tail, memory_order_acquire))
        return NULL;
    return (struct side_entry *)(void *)(side->bytes + head);
}

void side_next(struct side *side)
{
    uint32_t head = atomic_load_explicit(&side->head, memory_order_relaxed);
    struct side_entry *e = (struct side_entry *)(void *)(side->bytes + head);
    atomic_store_explicit(&side->head, head + entry_size(e->length), memory_order_release);
}

struct side_entry *side_first_whole(struct side *side, struct side_entry *e)
{
    uint32_t head = atomic_load_explicit(&side->head, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit(&side->tail, memory_order_acquire);
    if (tail > SIDE_BYTES || head >= tail || head % 8 || tail - head < sizeof *e)
        return NULL;
    memcpy(e, side->bytes + head, sizeof *e);
    if (e->length > SIDE_BYTES || entry_size(e->length) > tail - head)
        return NULL;
    return (struct side_entry *)(void *)(side->bytes + head);
}

void side_next_after(struct side *side, const struct side_entry *at, const struct side_entry *e)
{
    uint32_t head = (uint32_t)((const unsigned char *)at - side->bytes);
    atomic_store_explicit(&side->head, head + entry_size(e->length), memory_order_release);
}

void side_release(struct side *side)
{
    atomic_store_explicit(&side->owner, 0, memory_order_release);
}
