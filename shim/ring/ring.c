/* Accepting bytes and draining them: see ring.h for the idea and the rules. */
#include "ring.h"

#include <string.h>

void ring_put(struct slot *s, unsigned char *ring, const struct iovec *v, int count, size_t n) {
    uint64_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    size_t at = tail % s->size;
    for (int i = 0; i < count; i++) {
        const unsigned char *p = v[i].iov_base;
        size_t left = v[i].iov_len;
        size_t first = left < s->size - at ? left : s->size - at;
        memcpy(ring + at, p, first);
        memcpy(ring, p + first, left - first);
        at += left;
        if (at >= s->size) at -= s->size;
    }
    atomic_store_explicit(&s->tail, tail + n, memory_order_release);
}

void ring_discard(struct slot *s) {
    atomic_store_explicit(&s->head, atomic_load_explicit(&s->tail, memory_order_relaxed), memory_order_release);
    s->commit[0].end = s->commit[1].end = -1;
}

/* The pending bytes as at most two pieces. */
static int pieces(const struct slot *s, const unsigned char *ring, uint64_t head, uint64_t n, struct iovec v[2]) {
    size_t at = head % s->size;
    size_t first = n < s->size - at ? n : s->size - at;
    v[0] = (struct iovec){(void *)(ring + at), first};
    if (first == n) return 1;
    v[1] = (struct iovec){(void *)ring, n - first};
    return 2;
}

/* The one commit point: from here on the bytes before `head` count as being in the file. */
static void commit(struct slot *s, uint64_t head, int64_t end) {
    uint32_t next = atomic_load_explicit(&s->seq, memory_order_relaxed) + 1;
    s->commit[next & 1] = (struct ring_commit){head, end};
    atomic_store_explicit(&s->seq, next, memory_order_release);
    atomic_store_explicit(&s->head, head, memory_order_release);
    atomic_store_explicit(&s->intent_length, 0, memory_order_release);
}

/* One write of the pending bytes; how many went out, or -errno. */
static long drain_once(struct slot *s, const unsigned char *ring, int fd, uint64_t *calls) {
    uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    uint64_t n = ring_pending(s);
    struct iovec v[2];
    int count = pieces(s, ring, head, n, v);
    if (s->mode == RING_AT) {
        long done = sys_pwritev(fd, v, count, s->base + (int64_t)head);
        *calls += 1;
        if (done > 0) commit(s, head + (uint64_t)done, s->base + (int64_t)head + done);
        return done;
    }
    /* The sentinel comes before the intent: whoever finds the intent may trust the offset. */
    long zero = sys_lseek(fd, 0, SEEK_SET);
    *calls += 1;
    if (zero < 0) return zero;
    s->intent_head = head;
    atomic_store_explicit(&s->intent_length, n, memory_order_release);
    long done = sys_writev(fd, v, count);
    *calls += 1;
    if (done <= 0) {
        atomic_store_explicit(&s->intent_length, 0, memory_order_release);
        return done;
    }
    long end = sys_lseek(fd, 0, SEEK_CUR);
    *calls += 1;
    commit(s, head + (uint64_t)done, end);
    return done;
}

int ring_drain(struct slot *s, const unsigned char *ring, int fd, uint64_t *calls, uint64_t *written) {
    while (ring_pending(s) > 0) {
        long done = drain_once(s, ring, fd, calls);
        if (done == -EINTR) continue;
        if (done < 0) return (int)done;
        if (done == 0) return -EIO; /* a file system that takes nothing and says nothing */
        *written += (uint64_t)done;
    }
    return 0;
}
