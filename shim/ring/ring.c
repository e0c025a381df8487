/* Accepting bytes and draining them: see ring.h for the idea and the rules. */
#include "ring.h"

#include <string.h>

void ring_put(struct slot *s, struct ring ring, const struct iovec *v, int count, size_t n)
{
    uint64_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    size_t at = tail % ring.size;
    for (int i = 0; i < count; i++) {
        const unsigned char *p = v[i].iov_base;
        size_t left = v[i].iov_len;
        if (left == 0)
            continue; /* its base may be NULL */
        size_t first = left < ring.size - at ? left : ring.size - at;
        memcpy(ring.at + at, p, first);
        memcpy(ring.at, p + first, left - first);
        at += left;
        if (at >= ring.size)
            at -= ring.size;
    }
    atomic_store_explicit(&s->tail, tail + n, memory_order_release);
}

void ring_begin(struct slot *s, int64_t end)
{
    uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    s->commit[0] = s->commit[1] = (struct ring_commit){head, end};
}

void ring_forget_end(struct slot *s)
{
    ring_begin(s, -1);
}

void ring_discard(struct slot *s)
{
    uint64_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    s->commit[0] = s->commit[1] = (struct ring_commit){tail, -1};
    atomic_store_explicit(&s->head, tail, memory_order_release);
    atomic_store_explicit(&s->intent_length, 0, memory_order_release);
}

/* n bytes from head, no more than there are, as at most two pieces. */
static int pieces(struct ring ring, uint64_t head, uint64_t n, struct iovec v[2])
{
    size_t at = head % ring.size;
    size_t first = n < ring.size - at ? n : ring.size - at;
    v[0] = (struct iovec){ring.at + at, first};
    if (first == n)
        return 1;
    v[1] = (struct iovec){ring.at, n - first};
    return 2;
}

/* The one commit point: from here on the bytes before `head` count as being in the file. */
static void commit(struct slot *s, uint64_t head, int64_t end)
{
    uint32_t next = atomic_load_explicit(&s->seq, memory_order_relaxed) + 1;
    s->commit[next & 1] = (struct ring_commit){head, end};
    atomic_store_explicit(&s->seq, next, memory_order_release);
    atomic_store_explicit(&s->head, head, memory_order_release);
    atomic_store_explicit(&s->intent_length, 0, memory_order_release);
}

/* One write of the bytes before `until`; how many went out, or -errno. */
static long drain_once(struct slot *s, struct ring ring, int fd, uint64_t until, uint64_t *calls)
{
    uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    uint64_t n = until - head;
    struct iovec v[2];
    if (n > ring.size)
        return -EINVAL;
    int count = pieces(ring, head, n, v);
    if (s->mode == RING_AT) {
        long done = sys_pwritev(fd, v, count, s->base + (int64_t)head);
        *calls += 1;
        if (done > 0)
            commit(s, head + (uint64_t)done, s->base + (int64_t)head + done);
        return done;
    }
    if (s->refresh) { /* as every open would: others may have appended elsewhere */
        struct statx st;
        sys_statx(fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_SIZE, &st);
        *calls += 1;
    }
    int64_t from = ring_end(s);
    if (from < 0) { /* the first drain of this owner */
        from = sys_lseek(fd, 0, SEEK_END);
        *calls += 1;
    }
    /* The sentinel comes before the intent: whoever finds the intent may trust the offset. */
    long zero = sys_lseek(fd, 0, SEEK_SET);
    *calls += 1;
    if (zero < 0)
        return zero;
    s->intent_from = from;
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

int ring_drain(struct slot *s, struct ring ring, int fd, uint64_t *calls, uint64_t *written)
{
    ring_settle(s, ring, fd);
    uint64_t until = atomic_load_explicit(&s->tail, memory_order_acquire);
    while (atomic_load_explicit(&s->head, memory_order_relaxed) < until) {
        long done = drain_once(s, ring, fd, until, calls);
        if (done == -EINTR)
            continue;
        if (done < 0)
            return (int)done;
        if (done == 0)
            return -EIO; /* a file system that takes nothing and says nothing */
        *written += (uint64_t)done;
    }
    return 0;
}

/* ---- after a death ---- */

/* Whether file[at, at + n) equals the ring's bytes from `head` on. */
static bool same(struct ring ring, uint64_t head, int fd, int64_t at, uint64_t n)
{
    unsigned char memory[4096];
    while (n > 0) {
        size_t want = n < sizeof memory ? n : sizeof memory;
        struct iovec v = {memory, want};
        long got = sys_preadv(fd, &v, 1, at);
        if (got <= 0)
            return false;
        struct iovec p[2];
        int count = pieces(ring, head, (uint64_t)got, p);
        if (memcmp(memory, p[0].iov_base, p[0].iov_len) != 0)
            return false;
        if (count == 2 && memcmp(memory + p[0].iov_len, p[1].iov_base, p[1].iov_len) != 0)
            return false;
        at += got;
        head += (uint64_t)got;
        n -= (uint64_t)got;
    }
    return true;
}

/* The same file for reading: the description of a trace is often write-only. -1 when it may not be read. */
static int readable(int fd)
{
    char path[32] = "/proc/self/fd/";
    char digits[12];
    int i = 0, n = 14;
    do
        digits[i++] = (char)('0' + fd % 10);
    while ((fd /= 10) > 0);
    while (i > 0)
        path[n++] = digits[--i];
    path[n] = 0;
    return (int)sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
}

/* How many of the intended bytes end at file offset `end`. A single writer's arithmetic is checked against the bytes where they can be
 * read; otherwise the largest prefix of the block that ends there. */
static uint64_t written(const struct slot *s, struct ring ring, uint64_t head, uint64_t length, int fd, int64_t end)
{
    int64_t before = s->intent_from;
    uint64_t likely_n =
        before >= 0 && end > before && (uint64_t)(end - before) <= length ? (uint64_t)(end - before) : 0;
    int in = readable(fd);
    if (in < 0)
        return likely_n ? likely_n : length;
    uint64_t n = likely_n;
    if (n == 0 || !same(ring, head, in, end - (int64_t)n, n))
        for (n = length < (uint64_t)end ? length : (uint64_t)end; n > 0; n--)
            if (same(ring, head, in, end - (int64_t)n, n))
                break;
    sys_close(in);
    return n;
}

void ring_commit_written(struct slot *s, uint64_t n)
{
    if (n > 0)
        commit(s, s->intent_head + n, -1);
    else
        atomic_store_explicit(&s->intent_length, 0, memory_order_release);
}

void ring_settle(struct slot *s, struct ring ring, int fd)
{
    uint64_t length = atomic_load_explicit(&s->intent_length, memory_order_acquire);
    if (length == 0)
        return;
    uint64_t head = s->commit[atomic_load(&s->seq) & 1].head;
    if (length > ring.size) { /* nobody meant that */
        atomic_store_explicit(&s->intent_length, 0, memory_order_release);
        return;
    }
    if (s->intent_head != head) { /* committed, and died before the head moved */
        if (head > atomic_load(&s->head))
            atomic_store_explicit(&s->head, head, memory_order_release);
        atomic_store_explicit(&s->intent_length, 0, memory_order_release);
        return;
    }
    long end = sys_lseek(fd, 0, SEEK_CUR);
    uint64_t n = end > 0 ? written(s, ring, head, length, fd, end) : 0;
    if (n > 0)
        commit(s, head + n, end);
    else
        atomic_store_explicit(&s->intent_length, 0, memory_order_release);
}
