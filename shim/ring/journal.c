/* Laying out the shared memory and handing out its parts: see journal.h. */
#include "journal.h"

#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>

#include "../text.h"
#include "record.h"

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif
#define SLOTS_AT_A_TIME   64
#define RECORDS_AT_A_TIME (64u * 1024)

static size_t pages(size_t n)
{
    return (n + 4095) & ~(size_t)4095;
}

/* ---- the directory ---- */

int journal_directory(const char *where, char *path)
{
    struct text t = text_in(path, 256);
    uid_t me = (uid_t)sys_geteuid();
    text_add(&t, where && where[0] ? where : "/dev/shm");
    text_add(&t, "/traceshim-");
    text_number(&t, me);
    if (text_cut(&t))
        return -ENAMETOOLONG;
    long made = sys_mkdirat(AT_FDCWD, path, 0700);
    if (made < 0 && made != -EEXIST)
        return (int)made;
    long dir = sys_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
    if (dir < 0)
        return (int)dir;
    struct stat st;
    long done = sys_fstat((int)dir, &st);
    if (done == 0 && (st.st_uid != me || (st.st_mode & 077)))
        done = -EPERM;
    if (done < 0) {
        sys_close((int)dir);
        return (int)done;
    }
    return (int)dir;
}

static void name_file(char *name, uint64_t random)
{
    struct text t = text_in(name, JOURNAL_NAME);
    text_add(&t, "journal-");
    text_number(&t, (unsigned long long)sys_getpid());
    text_byte(&t, '-');
    for (int i = 0; i < 16; i++)
        text_byte(&t, "0123456789abcdef"[random >> (60 - 4 * i) & 15]);
}

/* A file without a name in the directory; where the file system has no such thing, one with its name. */
static long make_file(struct journal *j, int dir, const char *name)
{
    long fd = sys_openat(dir, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    j->unnamed = fd >= 0;
    return fd >= 0 ? fd : sys_openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* A new file in the directory, locked; *memory is cut down to what may be taken there. -errno: there can be none. */
static int new_file(struct journal *j, const char *where, size_t *memory)
{
    char dir_path[256], name[JOURNAL_NAME];
    uint64_t random;
    int dir = journal_directory(where, dir_path);
    if (dir < 0)
        return dir;
    struct statfs fs;
    long fd = sys_getrandom(&random, sizeof random);
    if (fd >= 0)
        fd = sys_fstatfs(dir, &fs);
    if (fd >= 0) {
        uint64_t quarter = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize / 4;
        if (*memory > quarter)
            *memory = quarter;
        name_file(name, random);
        fd = make_file(j, dir, name);
    }
    sys_close(dir);
    if (fd < 0)
        return (int)fd;
    sys_flock((int)fd, LOCK_EX); /* at most recovery looks at it for a moment */
    struct text t = text_in(j->path, sizeof j->path);
    text_add(&t, dir_path);
    text_byte(&t, '/');
    text_add(&t, name);
    return (int)fd;
}

/* ---- the memory ---- */

static void point(struct journal *j, void *p, size_t size, const struct journal_header *h)
{
    j->header = p;
    j->memory = p;
    j->size = size;
    j->records_at = h->records_at;
    j->rings_at = h->rings_at;
    j->buffer = h->buffer;
    j->slots = (void *)((char *)p + h->slots_at);
    j->sides = (void *)((char *)p + h->sides_at);
}

/* Makes pages exist: an error here is one that would be a SIGBUS later. */
static bool reserve(const struct journal *j, uint64_t at, uint64_t n)
{
    long done = sys_fallocate(j->fd, 0, (int64_t)at, (int64_t)n);
    return done == 0 || done == -EOPNOTSUPP;
}

static long lay_out(struct journal *j, size_t buffer, size_t memory, unsigned window_ms)
{
    size_t rings = memory / buffer;
    if (rings == 0)
        return -ENOSPC;
    struct journal_header h = {.buffer = (uint32_t)buffer, .rings = (uint32_t)rings, .window_ms = window_ms};
    memcpy(h.magic, JOURNAL_MAGIC, 8);
    memcpy(h.path, j->path, sizeof h.path);
    h.pid = (uint32_t)sys_getpid();
    h.slots_at = pages(sizeof h);
    h.sides_at = h.slots_at + pages(JOURNAL_SLOTS * sizeof(struct slot));
    h.records_at = h.sides_at + pages(SIDES * sizeof(struct side));
    h.rings_at = h.records_at + JOURNAL_RECORDS;
    h.size = h.rings_at + rings * buffer;
    long done = sys_ftruncate(j->fd, (int64_t)h.size);
    if (done < 0)
        return done;
    if (!reserve(j, 0, h.slots_at))
        return -ENOSPC;
    void *p = sys_mmap(NULL, h.size, PROT_READ | PROT_WRITE, MAP_SHARED, j->fd, 0);
    if (sys_bad(p))
        return (long)p;
    void *list =
        sys_mmap(NULL, pages(rings * sizeof(uint32_t)), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (sys_bad(list)) {
        sys_munmap(p, h.size);
        return (long)list;
    }
    memcpy(p, &h, sizeof h);
    point(j, p, h.size, &h);
    j->free_rings = list;
    return 0;
}

int journal_open(struct journal *j, const char *where, size_t buffer, size_t memory, unsigned window_ms)
{
    *j = (struct journal){.fd = -1};
    buffer = pages(buffer);
    size_t most = memory;
    j->fd = new_file(j, where, &most);
    if (j->fd >= 0) {
        long done = lay_out(j, buffer, most, window_ms);
        if (done == 0)
            return 0;
        journal_unlink(j);
        sys_close(j->fd);
        j->path[0] = 0;
        j->unnamed = false;
    }
    j->fd = (int)sys_memfd_create("traceshim", MFD_CLOEXEC);
    if (j->fd < 0)
        return j->fd;
    long done = lay_out(j, buffer, memory < buffer ? buffer : memory, window_ms);
    if (done == 0)
        return 0;
    sys_close(j->fd);
    *j = (struct journal){.fd = -1};
    return (int)done;
}

static bool whole(const struct journal_header *h, uint64_t size)
{
    if (h->slots_at > size || h->sides_at > size || h->records_at > size || h->rings_at > size || h->slots_at % 4096 ||
        h->sides_at % 4096 || h->records_at % 4096)
        return false;
    return memcmp(h->magic, JOURNAL_MAGIC, 8) == 0 && h->size == size && h->slots_at >= sizeof *h &&
           h->sides_at >= h->slots_at + JOURNAL_SLOTS * sizeof(struct slot) &&
           h->records_at >= h->sides_at + SIDES * sizeof(struct side) &&
           h->rings_at == h->records_at + JOURNAL_RECORDS && h->rings_at + (uint64_t)h->rings * h->buffer == size &&
           h->slots <= JOURNAL_SLOTS && h->records_used <= JOURNAL_RECORDS && h->sides <= SIDES;
}

int journal_map(struct journal *j, int fd)
{
    struct stat st;
    *j = (struct journal){.fd = fd};
    long done = sys_fstat(fd, &st);
    if (done < 0)
        return (int)done;
    if ((size_t)st.st_size < sizeof(struct journal_header))
        return -EINVAL;
    void *p = sys_mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (sys_bad(p))
        return (int)(long)p;
    struct journal_header h; /* as it is now: what is checked is what is used */
    memcpy(&h, p, sizeof h);
    if (!whole(&h, (uint64_t)st.st_size)) {
        sys_munmap(p, (size_t)st.st_size);
        return -EINVAL;
    }
    point(j, p, (size_t)st.st_size, &h);
    return 0;
}

void journal_leave(struct journal *j)
{
    if (!j->header)
        return;
    if (j->free_rings)
        sys_munmap(j->free_rings, pages(j->header->rings * sizeof(uint32_t)));
    sys_munmap(j->memory, j->size);
    sys_close(j->fd);
    *j = (struct journal){.fd = -1};
}

void journal_name(struct journal *j)
{
    char link[32];
    if (!j->unnamed)
        return;
    struct text t = text_in(link, sizeof link);
    text_add(&t, "/proc/self/fd/");
    text_number(&t, (unsigned long long)j->fd);
    if (sys_linkat(AT_FDCWD, link, AT_FDCWD, j->path, AT_SYMLINK_FOLLOW) < 0)
        j->path[0] = 0; /* no /proc: it stays as a memfd is */
    j->unnamed = false;
}

void journal_unlink(const struct journal *j)
{
    if (j->path[0] && !j->unnamed)
        sys_unlinkat(AT_FDCWD, j->path, 0);
}

void journal_forget(struct journal *j)
{
    journal_unlink(j);
    j->path[0] = 0;
    j->unnamed = false;
}

/* ---- another process's ---- */

struct ring journal_ring_of(const struct journal *j, const struct slot *s)
{
    uint64_t at = __atomic_load_n(&s->ring, __ATOMIC_RELAXED);
    uint32_t size = __atomic_load_n(&s->size, __ATOMIC_RELAXED);
    if (size == 0 || size > j->buffer || at < j->rings_at || at > j->size || size > j->size - at)
        return (struct ring){NULL, 0};
    return (struct ring){j->memory + at, size};
}

static uint32_t at_most(const _Atomic uint32_t *n, uint32_t most)
{
    uint32_t found = atomic_load(n);
    return found < most ? found : most;
}

uint32_t journal_slots(const struct journal *j)
{
    return at_most(&j->header->slots, JOURNAL_SLOTS);
}
uint32_t journal_sides(const struct journal *j)
{
    return at_most(&j->header->sides, SIDES);
}
uint32_t journal_records(const struct journal *j)
{
    return at_most(&j->header->records_used, JOURNAL_RECORDS);
}

struct shown *journal_shown(const struct journal *j, const struct slot *s)
{
    uint64_t at = __atomic_load_n(&s->record, __ATOMIC_RELAXED);
    if (at < j->records_at || at % 8 || at - j->records_at > JOURNAL_RECORDS - sizeof(struct shown))
        return NULL;
    return (void *)(j->memory + at);
}

/* ---- its parts ---- */

struct slot *journal_slot(struct journal *j)
{
    uint32_t next = atomic_load_explicit(&j->header->slots, memory_order_relaxed);
    if (next == JOURNAL_SLOTS)
        return NULL;
    if (next % SLOTS_AT_A_TIME == 0 &&
        !reserve(j, j->header->slots_at + next * sizeof(struct slot), SLOTS_AT_A_TIME * sizeof(struct slot)))
        return NULL;
    struct slot *s = &j->slots[next];
    s->commit[0].end = s->commit[1].end = -1;
    atomic_store_explicit(&j->header->slots, next + 1, memory_order_release);
    return s;
}

bool journal_ring(struct journal *j, struct slot *s)
{
    uint32_t which;
    bool fresh = j->free_count == 0;
    if (!fresh)
        which = j->free_rings[--j->free_count];
    else if (j->next_ring < j->header->rings)
        which = j->next_ring;
    else
        return false;
    uint64_t at = j->header->rings_at + (uint64_t)which * j->header->buffer;
    if (fresh) {
        if (!reserve(j, at, j->header->buffer))
            return false;
        j->next_ring++;
    }
    s->ring = at;
    s->size = j->header->buffer;
    return true;
}

void journal_ring_back(struct journal *j, struct slot *s)
{
    if (s->size == 0)
        return;
    j->free_rings[j->free_count++] = (uint32_t)((s->ring - j->header->rings_at) / j->header->buffer);
    s->size = 0;
    s->ring = 0;
}

void *journal_record(struct journal *j, size_t n)
{
    n = (n + 7) & ~(size_t)7;
    uint32_t used = atomic_load(&j->header->records_used);
    if (n > JOURNAL_RECORDS - used)
        return NULL;
    /* Pages exist up to the next multiple of RECORDS_AT_A_TIME, which divides JOURNAL_RECORDS. */
    uint64_t have = (used + RECORDS_AT_A_TIME - 1) / RECORDS_AT_A_TIME * RECORDS_AT_A_TIME;
    uint64_t want = (used + n + RECORDS_AT_A_TIME - 1) / RECORDS_AT_A_TIME * RECORDS_AT_A_TIME;
    if (want > have && !reserve(j, j->header->records_at + have, want - have))
        return NULL;
    void *p = j->memory + j->header->records_at + used;
    atomic_store(&j->header->records_used, (uint32_t)(used + n));
    return p;
}

struct side *journal_side(struct journal *j, uint32_t tid)
{
    for (;;) {
        uint32_t ready = atomic_load(&j->header->sides);
        struct side *side = side_claim(j->sides, ready, tid);
        if (side || ready == SIDES)
            return side;
        if (!reserve(j, j->header->sides_at + ready * sizeof *side, sizeof *side))
            return NULL;
        atomic_compare_exchange_strong(&j->header->sides, &ready, ready + 1); /* or another thread did */
    }
}
