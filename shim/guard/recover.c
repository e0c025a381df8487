/*
 * Recovery: see recover.h.
 *
 * The idea: a journal whose lock can be had belongs to nobody alive.  Its bytes go into the file that they were meant
 * for, if that is still the same (device, inode, time of birth) and not shorter than it was.  What a drain that was cut
 * off had written already is found by comparing (the description, whose offset is the better witness, died with its
 * last holder).
 *
 * Rules: the lock is held over all of it.  A journal goes away only when nothing is left in it, or what is left was
 * saved elsewhere.
 */
#include "recover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "../config.h"
#include "../ring/record.h"
#include "serve.h"

#define YOUNG 60 /* seconds: what is no whole journal yet may be one that is being made */

struct recovery {
    int dir;
    char where[256];  /* the directory's name */
    const char *name; /* of the journal at hand */
    enum recover_how how;
    FILE *tell;
    bool trouble;
};

static void say(const struct recovery *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const struct recovery *r, const char *format, ...)
{
    va_list list;
    if (!r->tell)
        return;
    va_start(list, format);
    vfprintf(r->tell, format, list);
    va_end(list);
}

static void warn_of(struct recovery *r, const char *path, uint64_t bytes, const char *why)
{
    r->trouble = true;
    fprintf(stderr, "traceshim: %s: %llu bytes not written: %s (kept in %s)\n", path, (unsigned long long)bytes, why,
            r->where);
}

/* ------------------------------------------------------- what was written already */

/* How much of the intended block is in file[from, size), by exactly-once's order of evidence. */
struct block {
    unsigned char *bytes;
    uint64_t length;
    uint64_t ring_offset; /* of its first byte in the ring */
    uint64_t ring_size;
};

static uint64_t common(const unsigned char *a, const unsigned char *b, uint64_t n)
{
    uint64_t i = 0;
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

/* A cut falls at a page of the file, at a page of the ring or at the ring's end. */
static bool cut_here(const struct block *b, uint64_t n, uint64_t file_end)
{
    uint64_t at = b->ring_offset + n;
    return file_end % 4096 == 0 || at % 4096 == 0 || at == b->ring_size;
}

/* The longest prefix of the block that stands in the region and ends where a write can be cut. Each place where the block may begin is
 * tried once: what follows it there is either the block's or somebody else's. */
static uint64_t longest_cut(const struct block *b, const unsigned char *region, uint64_t n, uint64_t from)
{
    uint64_t best = 0;
    const unsigned char *at = region;
    while (at < region + n && (at = memchr(at, b->bytes[0], (size_t)(region + n - at)))) {
        uint64_t room = (uint64_t)(region + n - at);
        uint64_t m = common(at, b->bytes, room < b->length ? room : b->length);
        while (m > best && !cut_here(b, m, from + (uint64_t)(at - region) + m))
            m--;
        if (m > best)
            best = m;
        at++;
    }
    return best;
}

static uint64_t found_in(const struct block *b, const unsigned char *region, uint64_t n, uint64_t from)
{
    uint64_t most = b->length < n ? b->length : n;
    uint64_t start = common(region, b->bytes, most);
    if (start == b->length || (start > 0 && start == n))
        return start;
    if (memmem(region, n, b->bytes, b->length))
        return b->length;
    return longest_cut(b, region, n, from);
}

static uint64_t written_already(struct ring ring, struct slot *s, int fd, int64_t size)
{
    uint64_t length = atomic_load(&s->intent_length);
    int64_t from = s->intent_from;
    if (from < 0 || from >= size || length > ring.size)
        return 0;
    struct block b = {malloc(length), length, s->intent_head % ring.size, ring.size};
    unsigned char *region = malloc((size_t)(size - from));
    uint64_t n = 0;
    if (b.bytes && region && pread(fd, region, (size_t)(size - from), from) == size - from) {
        for (uint64_t i = 0; i < length; i++)
            b.bytes[i] = ring.at[(s->intent_head + i) % ring.size];
        n = found_in(&b, region, (uint64_t)(size - from), (uint64_t)from);
    }
    free(region);
    free(b.bytes);
    return n;
}

/* ------------------------------------------------------------------ one file */

static const char *path_of(const struct journal *j, const struct slot *s)
{
    const struct shown *shown = journal_shown(j, s);
    const char *end = (const char *)j->memory + j->records_at + JOURNAL_RECORDS;
    return shown && memchr(shown->path, 0, (size_t)(end - shown->path)) ? shown->path : NULL;
}

/* Whether the slot has bytes that can be told from nonsense. */
static bool has_bytes(const struct journal *j, const struct slot *s)
{
    uint64_t n = ring_pending(s);
    return n > 0 && n <= journal_ring_of(j, s).size;
}

/* The file that the slot's bytes are for, or -1 and why not. */
static int target(const struct slot *s, const char *path, const char **why, struct stat *st)
{
    int flags = O_CLOEXEC | O_NOCTTY | (s->mode == RING_APPEND ? O_APPEND : 0);
    struct statx stx;
    int fd = path ? open(path, flags | O_RDWR) : -1;
    if (fd < 0 && path && errno == EACCES)
        fd = open(path, flags | O_WRONLY);
    *why = path ? strerror(errno) : "its name is not known";
    if (fd < 0)
        return -1;
    bool same = fstat(fd, st) == 0 && st->st_dev == s->dev && st->st_ino == s->ino;
    if (same && s->birth_s && statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &stx) == 0 && (stx.stx_mask & STATX_BTIME))
        same = stx.stx_btime.tv_sec == s->birth_s && stx.stx_btime.tv_nsec == s->birth_ns;
    *why = "another file has its name now";
    if (same && s->mode == RING_APPEND && ring_end(s) > st->st_size) {
        same = false;
        *why = "the file is shorter than it was";
    }
    if (same)
        return fd;
    close(fd);
    return -1;
}

/* Keeps the slot's bytes in a file of their own; the first line says whose they are. */
static bool save_lost(struct recovery *r, struct journal *j, struct slot *s, const char *path, const char *why)
{
    char name[128];
    struct ring ring = journal_ring_of(j, s);
    uint64_t head = atomic_load(&s->head), n = ring_pending(s);
    snprintf(name, sizeof name, "%s.%u.lost", r->name, (unsigned)(s - j->slots));
    int fd = openat(r->dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out)
        return false;
    fprintf(out, "traceshim: %llu bytes of process %u for %s: %s\n", (unsigned long long)n, j->header->pid,
            path ? path : "an unknown file", why);
    for (uint64_t i = 0; i < n; i++)
        putc(ring.at[(head + i) % ring.size], out);
    bool done = !ferror(out) && fflush(out) == 0;
    return fclose(out) == 0 && done;
}

/* A committed part that head doesn't show yet; then what the interrupted drain had written. */
static void settle(struct journal *j, struct slot *s, int fd, int64_t size)
{
    uint64_t head = s->commit[atomic_load(&s->seq) & 1].head;
    if (head > atomic_load(&s->head))
        atomic_store(&s->head, head);
    if (atomic_load(&s->intent_length) && s->intent_head == atomic_load(&s->head)) {
        uint64_t n = written_already(journal_ring_of(j, s), s, fd, size);
        ring_commit_written(s, n);
    }
    atomic_store(&s->intent_length, 0);
}

static void recover_slot(struct recovery *r, struct journal *j, struct slot *s)
{
    const char *path = path_of(j, s), *why;
    struct stat st;
    if (!has_bytes(j, s))
        return;
    if (r->how == RECOVER_LIST) {
        say(r, "%s: process %u: %llu bytes\n", path ? path : "?", j->header->pid, (unsigned long long)ring_pending(s));
        return;
    }
    int fd = target(s, path, &why, &st);
    if (fd < 0) {
        uint64_t n = ring_pending(s);
        if (r->how == RECOVER_DRY_RUN) {
            say(r, "%s: %llu bytes would be kept as .lost: %s\n", path ? path : "?", (unsigned long long)n, why);
            return;
        }
        bool saved = save_lost(r, j, s, path, why);
        warn_of(r, path ? path : "?", n, why);
        if (saved)
            atomic_store(&s->head, atomic_load(&s->tail));
        return;
    }
    if (r->how == RECOVER_DRY_RUN) {
        say(r, "%s: %llu bytes would be written\n", path, (unsigned long long)ring_pending(s));
        close(fd);
        return;
    }
    settle(j, s, fd, st.st_size);
    uint64_t calls = 0, bytes = 0, pending = ring_pending(s);
    int done = ring_drain(s, journal_ring_of(j, s), fd, &calls, &bytes);
    if (done < 0)
        warn_of(r, path, ring_pending(s), strerror(-done));
    else
        say(r, "%s: %llu bytes written\n", path, (unsigned long long)pending);
    close(fd);
}

/* For serve_sides: the slot's file, opened for one entry at a time. */
static int side_target(struct slot *s, void *arg)
{
    struct journal *j = arg;
    static int last = -1;
    const char *why;
    struct stat st;
    if (last >= 0)
        close(last);
    last = target(s, path_of(j, s), &why, &st);
    return last;
}

/* --------------------------------------------------------------- one journal */

static bool anything_left(struct journal *j)
{
    for (uint32_t i = 0; i < journal_slots(j); i++)
        if (has_bytes(j, &j->slots[i]))
            return true;
    return false;
}

static void recover_journal(struct recovery *r, struct journal *j)
{
    for (uint32_t i = 0; r->how != RECOVER_DISCARD && i < journal_slots(j); i++)
        recover_slot(r, j, &j->slots[i]);
    if (r->how == RECOVER_WRITE) {
        bool sides = serve_sides(j, side_target, j);
        if (sides && !anything_left(j)) {
            serve_report(j);
            unlinkat(r->dir, r->name, 0);
        }
    } else if (r->how == RECOVER_DISCARD) {
        unlinkat(r->dir, r->name, 0);
        say(r, "%s: discarded\n", r->name);
    }
}

/* Locks it for us alone; false: a process or a guard lives. */
static bool lock_journal(int fd, bool wait)
{
    uint32_t head[3];
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    /* magic, then the process: a dead one has a guard that is about to finish */
    if (!wait || pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head || kill((pid_t)head[2], 0) == 0 ||
        errno != ESRCH)
        return false;
    while (flock(fd, LOCK_EX) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

static void visit(struct recovery *r, const char *name, bool wait)
{
    struct journal j;
    struct stat st;
    int fd = openat(r->dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    r->name = name;
    bool ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid();
    if (ours && r->how == RECOVER_LIST && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        say(r, "%s: of a living process\n", name);
    } else if (ours && lock_journal(fd, wait) && fstat(fd, &st) == 0 && st.st_nlink > 0) {
        if (journal_map(&j, fd) == 0) {
            recover_journal(r, &j);
            munmap(j.memory, j.size);
        } else if (r->how != RECOVER_LIST && time(NULL) - st.st_mtime > YOUNG) {
            unlinkat(r->dir, name, 0); /* its maker died while making it */
        }
    }
    close(fd);
}

static void visit_lost(struct recovery *r, const char *name)
{
    char line[4400];
    if (r->how == RECOVER_DISCARD) {
        unlinkat(r->dir, name, 0);
        say(r, "%s: discarded\n", name);
        return;
    }
    int fd = openat(r->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!in)
        return;
    if (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        r->trouble = true;
        fprintf(r->how == RECOVER_WRITE ? stderr
                : r->tell               ? r->tell
                                        : stderr,
                "%s (kept in %s/%s)\n", line, r->where, name);
    }
    fclose(in);
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

int recover(const char *where, enum recover_how how, bool wait, FILE *tell)
{
    struct recovery r = {.how = how, .tell = tell};
    r.dir = journal_directory(where, r.where);
    if (r.dir < 0)
        return r.dir == -ENOENT ? 0 : 1;
    struct dirent **names;
    int n = scandirat(r.dir, ".", &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (ends_with(names[i]->d_name, ".lost"))
            visit_lost(&r, names[i]->d_name); /* before, so that what is lost now is said once */
    }
    for (int i = 0; i < n; i++) {
        if (strncmp(names[i]->d_name, "journal-", 8) == 0 && !ends_with(names[i]->d_name, ".lost"))
            visit(&r, names[i]->d_name, wait);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    close(r.dir);
    return r.trouble;
}
