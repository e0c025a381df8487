/* Where a trace file gets its buffer from: a slot and a ring of the journal, which is made when the first is wanted.
 *
 * The idea: a file keeps its slot until it ends, and a ring as long as memory lasts: when all rings are out, the file that was
 * written least recently drains and gives up its own.
 *
 * Rules: one lock (rings) guards the journal's parts and which file has which slot; it is taken with a file's lock held, and
 * under it another file's only by lock_try. Signals are blocked.
 */
#include "guarding.h"

#include <string.h>

static struct lock rings;

static uint32_t slot_number(const struct file *f)
{
    return (uint32_t)(f->slot - tables.journal.slots);
}

/* ---- the journal ---- */

/* When the kernel started the process, in ticks since boot: what tells it from an earlier one with its number. */
uint64_t process_start_ticks(void)
{
    char memory[1024];
    long fd = sys_openat(AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    long n = sys_read((int)fd, memory, sizeof memory - 1);
    sys_close((int)fd);
    if (n <= 0)
        return 0;
    memory[n] = 0;
    const char *p = strrchr(memory, ')');
    for (int field = 2; p && field < 22; field++)
        p = strchr(p + 1, ' ');
    uint64_t ticks = 0;
    if (p)
        for (p++; *p >= '0' && *p <= '9'; p++)
            ticks = ticks * 10 + (uint64_t)(*p - '0');
    return ticks;
}

/* The process's name, as the kernel has it, terminated if it is shorter than size; its length. */
size_t process_name(char *name, size_t size)
{
    long fd = sys_openat(AT_FDCWD, "/proc/self/comm", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    long n = sys_read((int)fd, name, size);
    sys_close((int)fd);
    if (n > 0 && name[n - 1] == '\n')
        n--;
    if (n < 0)
        n = 0;
    if ((size_t)n < size)
        name[n] = 0;
    return (size_t)n;
}

/* What a guard needs for the report of a process that died. */
static void describe(struct journal_header *h)
{
    h->started = tables.started;
    h->started_ms = tables.started_ms;
    h->start_ticks = process_start_ticks();
    process_name(h->program, sizeof h->program - 1);
    report_path(h->report, sizeof h->report);
}

static bool journal(void)
{
    struct journal *j = &tables.journal;
    if (j->header)
        return true;
    if (tables.no_journal)
        return false;
    if (journal_open(j, tables.config.dir, tables.config.buffer, tables.config.memory, tables.config.window_ms) < 0) {
        tables.no_journal = true; /* asked for once: it would fail at every write */
        return false;
    }
    describe(j->header);
    own_place(OWN_JOURNAL, j->fd);
    return true;
}

/* ---- slots ---- */

/* The record's counters move to where the guard sees them. */
static void share_record(struct record *r)
{
    if (r->shared)
        return;
    size_t size = r->shown->size;
    struct shown *s = journal_record(&tables.journal, size);
    r->shared = true; /* or the records are full: it is not tried again */
    if (!s)
        return;
    memcpy(s, r->shown, size);
    r->shown = s;
}

static bool slot(struct file *f)
{
    if (likely(f->slot != NULL))
        return true;
    if (!journal())
        return false;
    struct journal *j = &tables.journal;
    struct slot *s = tables.free_slot_count ? &j->slots[tables.free_slots[--tables.free_slot_count]] : journal_slot(j);
    if (!s)
        return false;
    share_record(f->record);
    s->dev = f->id.dev;
    s->ino = f->id.ino;
    s->birth_s = f->birth_s;
    s->birth_ns = f->birth_ns;
    s->refresh = f->publishes;
    s->record = f->record->shown ? (uint64_t)((unsigned char *)f->record->shown - j->memory) : 0;
    if (s->record >= j->size)
        s->record = 0;
    s->owner = 0;
    atomic_store(&s->error, 0);
    atomic_store(&s->asked, 0);
    atomic_store(&s->closed, 0);
    ring_begin(s, f->opened_size);
    f->slot = s;
    f->size_ms = -1; /* what is known of the size counts from another ring's bytes, or from none */
    tables.slot_files[s - j->slots] = f;
    return true;
}

/* ---- rings ---- */

/* The ring of the file that was written least recently, emptied; false when every other file is busy. */
static bool steal_ring(const struct file *wants)
{
    struct file *oldest = NULL;
    for (uint32_t i = 0; i < atomic_load(&tables.journal.header->slots); i++) {
        struct file *f = tables.slot_files[i];
        if (f && f != wants && f->slot->size && (!oldest || f->slot->last_ms < oldest->slot->last_ms))
            oldest = f;
    }
    if (!oldest || !lock_try(oldest->lock, self.tid))
        return false;
    bool done = oldest->slot->size && file_drain(oldest, CAUSE_memory, true) == 0 && file_pending_bytes(oldest) == 0;
    if (done) {
        lock_take(&oldest->slot->lock, self.tid); /* the guard may still be looking at it */
        journal_ring_back(&tables.journal, oldest->slot);
        lock_drop(&oldest->slot->lock);
    }
    lock_drop(oldest->lock);
    return done;
}

bool file_ring_slow(struct file *f)
{
    if (tables.limited)
        return false;
    uint64_t old = sys_block_signals();
    lock_take(&rings, self.tid);
    bool got = slot(f) && (f->slot->size || journal_ring(&tables.journal, f->slot) ||
                           (steal_ring(f) && journal_ring(&tables.journal, f->slot)));
    lock_drop(&rings);
    sys_restore_signals(old);
    return got;
}

void file_ring_back(struct file *f)
{
    if (!f->slot)
        return;
    lock_take(&rings, self.tid);
    lock_take(&f->slot->lock, self.tid);
    journal_ring_back(&tables.journal, f->slot);
    lock_drop(&f->slot->lock);
    tables.slot_files[slot_number(f)] = NULL;
    tables.free_slots[tables.free_slot_count++] = slot_number(f);
    f->slot = NULL;
    lock_drop(&rings);
}

void buffers_in_child(void)
{
    struct journal parents = tables.journal;
    rings = (struct lock){0};
    tables.journal = (struct journal){.fd = -1};
    tables.free_slot_count = 0;
    tables.no_journal = false;
    memset(tables.slot_files, 0, sizeof tables.slot_files);
    for (struct record *r = tables.records; r; r = r->hh.next)
        record_own(r);
    for (struct file *f = tables.files; f; f = f->hh.next)
        f->slot = NULL;
    if (parents.header)
        own_close(OWN_JOURNAL);
    parents.fd = -1;
    journal_leave(&parents);
}
