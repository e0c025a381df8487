/* Calls that need the bytes in the file first, and the moments when a child starts or the process ends.
 *
 * The idea: after a barrier the kernel knows all that the program knows: the bytes are in the file and the description's
 * offset is the program's. Then the real call may follow.
 *
 * Rules: a barrier inside a handler that interrupted the shim does nothing: what it would wait for is its own thread.
 */
#include "../report.h"
#include "guarding.h"

static int barrier_locked(struct handle *h, enum cause cause, bool sync)
{
    struct file *f = h->file;
    if (h->idle)
        return -EBADF;
    int done = file_drain(f, cause, !sync);
    file_forget_size(f);
    if (h->kind == KIND_MANAGED) {
        if (!handle_certain(h))
            return 0; /* the number leads elsewhere: the call is that file's */
        int synced = handle_sync(h);
        if (done == 0)
            done = synced;
    }
    if (!sync)
        return 0;
    int err = file_error(f);
    return done ? done : -err;
}

int tf_barrier(int fd, struct handle *h, enum cause cause, bool sync)
{
    int done;
    if (!h->file && h->kind == KIND_OWN) { /* a descriptor of ours */
        errno = EBADF;
        return -1;
    }
    if (enter()) {
        struct file *f = handle_hold(fd, h);
        if (unlikely(!f)) {
            leave();
            h = tf_get(fd);
            return h ? tf_barrier(fd, h, cause, sync) : 0;
        }
        done = barrier_locked(h, cause, sync);
        drop_file(f->lock);
        leave();
    } else {
        done = h->idle ? -EBADF : 0;
    }
    if (done == 0)
        return 0;
    errno = -done;
    return -1;
}

void tf_barrier_path(int dirfd, const char *path, int flags, enum cause cause)
{
    struct stat st;
    bool resized = cause == CAUSE_truncate && atomic_load_explicit(&tf_known_files, memory_order_relaxed) != 0;
    if (!path || apart() || !(resized || tf_anything_pending()))
        return;
    if (sys_fstatat(dirfd, path, &st, flags) < 0 || !S_ISREG(st.st_mode) || !enter())
        return;
    struct inode id = {st.st_dev, st.st_ino};
    take_tables();
    struct file *f = file_find(&id);
    if (f) {
        take_file(f->lock);
        if (resized)
            file_place(f);
        file_drain(f, cause, true);
        if (resized)
            file_forget_size(f);
        drop_file(f->lock);
    }
    drop_tables();
    leave();
}

int tf_barrier_all(enum cause cause)
{
    if (!tf_anything_pending() || !enter())
        return 0;
    take_tables();
    int done = drain_all(cause);
    drop_tables();
    leave();
    return done;
}

_Atomic bool tf_locks;

void tf_tell_others(void)
{
    if (tables.config.cause)
        tf_barrier_all(CAUSE_told);
}

bool tf_tell_path(int dirfd, const char *path, int flags)
{
    if (!(flags & O_CREAT) || !path || !tf_anything_pending())
        return false;
    if (sys_faccessat(dirfd, path, 0 /* F_OK */) != -ENOENT)
        return false;
    tf_tell_others();
    return true;
}

bool tf_tells(void)
{
    return shim_on() && tables.config.cause && !apart();
}

/* Any lock of the file's: closing any descriptor of it drops POSIX ones. */
bool tf_holds_lock(struct handle *h)
{
    struct file *f = __atomic_load_n(&h->file, __ATOMIC_RELAXED);
    return f && f->real_closes;
}

void tf_locking(bool takes, bool releases)
{
    bool first = takes && !atomic_load_explicit(&tf_locks, memory_order_relaxed);
    if (first)
        atomic_store_explicit(&tf_locks, true, memory_order_relaxed);
    if (releases && !first)
        tf_tell();
}

void tf_names_changed(void)
{
    if (apart())
        return;
    atomic_fetch_add(&tables.epoch, 1);
    tables.cwd = 0;
}

void tf_becomes(bool thread_only, bool for_good)
{
    if (apart())
        return;
    if (thread_only)
        atomic_store(&tables.divided, true);
    atomic_fetch_add(&tables.identity, 1);
    if (for_good && sys_geteuid() == 0 && tables.journal.header)
        journal_forget(&tables.journal);
}

void tf_directory_changed(void)
{
    if (!apart())
        tables.cwd = 0;
}

void tf_told_something(void)
{
    if (!apart())
        atomic_fetch_add(&tables.epoch, 1);
}

/* ---- children ---- */

/* The descriptor gets the flag that the program asked for: a child is about to inherit it. */
static void show_cloexec(struct handle *h)
{
    if (!h->hidden_cloexec)
        return;
    sys_fcntl(h->fd, F_SETFD, 0);
    h->hidden_cloexec = false;
    h->exposed = true;
}

/* Every managed handle that the program has open is as the kernel would show it to whoever inherits it. */
static void hand_over(bool shared)
{
    if (!enter())
        return;
    take_tables();
    for (struct file *f = tables.files; f; f = f->hh.next)
        for (struct handle *h = f->handles; h; h = h->next) {
            if (h->kind != KIND_MANAGED || h->idle)
                continue;
            show_cloexec(h);
            take_file(f->lock);
            file_drain(f, CAUSE_child, true);
            handle_sync(h);
            if (shared) {
                h->through |= 1u << REASON_SHARED;
            }
            drop_file(f->lock);
        }
    drop_tables();
    leave();
}

void tf_before_child(enum cause cause)
{
    if (tables.files == NULL || apart())
        return;
    tf_barrier_all(cause);
    tf_evict_all(cause);
    hand_over(true);
    tf_names_changed(); /* the child may do with names what it likes */
}

void let_go(enum cause cause)
{
    if (!tables.journal.header || !enter())
        return;
    take_tables();
    guard_drop_all(cause);
    drop_tables();
    leave();
}

void tf_before_exec(void)
{
    if (tables.files == NULL || apart())
        return;
    tf_barrier_all(CAUSE_exec);
    tf_evict_all(CAUSE_exec);
    hand_over(false);
    let_go(CAUSE_exec);
    report_write();
    if (!tables.journal.header)
        return;
    atomic_store(&tables.journal.header->leaving, 1);
    if (!guard_present() && !tf_anything_pending())
        journal_unlink(&tables.journal); /* nobody else will */
}

void tf_exec_failed(void)
{
    if (tables.journal.header && !apart())
        atomic_store(&tables.journal.header->leaving, 0);
}

void tf_filter(void)
{
    if (apart() || !shim_on() || !enter())
        return;
    take_tables();
    drain_all(CAUSE_told);
    guard_forbidden();
    for (struct file *f = tables.files; f; f = f->hh.next)
        f->through |= 1u << REASON_NO_GUARD;
    drop_tables();
    leave();
}

void tf_child_started(void)
{
    if (!apart())
        atomic_fetch_add(&tables.children, 1);
}

/* Whoever shared the description may have set its flags. */
static void look_at_flags(struct handle *h)
{
    long flags = sys_fcntl(h->fd, F_GETFL, 0);
    if (flags < 0)
        return;
    h->flags = (h->flags & ~FLAGS_SET) | ((int)flags & FLAGS_SET);
    h->shown_flags = 0;
    if (flags & O_DIRECT)
        h->through |= 1u << REASON_SYNCHRONOUS;
}

/* Nobody shares the descriptions any more: the kernel's offsets are right, and only we move them from here on. */
static void alone_again(void)
{
    if (!enter())
        return;
    take_tables();
    for (struct file *f = tables.files; f; f = f->hh.next)
        for (struct handle *h = f->handles; h; h = h->next) {
            take_file(f->lock);
            if (h->through & (1u << REASON_SHARED))
                look_at_flags(h);
            h->through &= ~(1u << REASON_SHARED);
            drop_file(f->lock);
        }
    drop_tables();
    leave();
}

void tf_child_ended(bool all)
{
    if (apart())
        return;
    atomic_fetch_add(&tables.epoch, 1); /* the child may have left other files behind the names */
    int32_t left = all ? 0 : atomic_fetch_sub(&tables.children, 1) - 1;
    if (left > 0)
        return;
    atomic_store(&tables.children, 0);
    if (atomic_load(&tf_known_files))
        alone_again();
}

/* The child of a fork: the parent's rings are not ours, the descriptions are also the parent's. */
void tables_in_child(void)
{
    atomic_store(&tables.children, 0);
    self.tid = 0;
    self.side = NULL;
    atomic_store(&tf_pending_files, 0);
    atomic_store(&tables.due_ms, INT64_MAX);
    for (int w = 0; w < JOURNAL_SLOTS / 64; w++)
        atomic_store(&tables.pending[w], 0);
    for (struct file *f = tables.files; f; f = f->hh.next) {
        f->owner = NULL;
        f->own = (struct lock){0};
        for (struct handle *h = f->handles; h; h = h->next)
            if (h->through & (1u << REASON_SHARED)) {
                h->through |= 1u << REASON_INHERITED;
                h->through &= ~(1u << REASON_SHARED);
            }
    }
    for (struct file *f = tables.free_files; f; f = f->next_free)
        f->own = (struct lock){0};
    for (struct handle *h = tables.others; h; h = h->next)
        h->candidate = false; /* the parent writes there too */
    guard_in_child();
    buffers_in_child();
}

/* ---- no longer managed as usual ---- */

void tf_stop(int fd, struct handle *h, enum reason why)
{
    if (tf_barrier(fd, h, CAUSE_descriptor, false) < 0 || !enter())
        return;
    take_tables();
    struct file *f = handle_hold(fd, h);
    if (!f) { /* another thread has closed it */
        drop_tables();
        leave();
        return;
    }
    file_drain(f, CAUSE_descriptor, true);
    if (h->kind == KIND_MANAGED)
        handle_sync(h);
    h->through |= 1u << why;
    if (why == REASON_LOCKED)
        f->real_closes = true;
    drop_file(f->lock);
    if (why == REASON_LOCKED)
        cache_evict_file(f, CAUSE_lock); /* closing any descriptor drops the locks */
    guard_drop(h);                       /* a lock lasts as long as any copy of the description */
    h->generation = 0;
    drop_tables();
    guard_settle();
    leave();
}

/* ---- mappings ---- */

#define MAPPINGS 64 /* of trace files at one time; one more, and its file writes through for good */

_Atomic uint32_t tf_mappings;
static struct mapping {
    struct inode id;
    uintptr_t from, to; /* to: 0 when free */
} mappings[MAPPINGS];

static void map_state(struct file *f, bool mapped)
{
    take_file(f->lock);
    file_drain(f, CAUSE_data, true);
    f->through = (f->through & ~(1u << REASON_MAPPED)) | (uint32_t)mapped << REASON_MAPPED;
    drop_file(f->lock);
}

bool file_mapped(const struct inode *id)
{
    for (int i = 0; i < MAPPINGS; i++)
        if (mappings[i].to && mappings[i].id.dev == id->dev && mappings[i].id.ino == id->ino)
            return true;
    return false;
}

void tf_mapped(int fd, void *at, size_t length)
{
    if (!enter())
        return;
    take_tables();
    struct handle *h = atomic_load(&tf_descriptors[fd]);
    int i = 0;
    while (i < MAPPINGS && mappings[i].to)
        i++;
    if (h && i < MAPPINGS) {
        mappings[i] = (struct mapping){h->id, (uintptr_t)at, (uintptr_t)at + length};
        atomic_fetch_add(&tf_mappings, 1);
    } else if (h && h->file) {
        h->file->unseen++;
        h->file->through |= 1u << REASON_UNSEEN;
    } else if (h) {
        h->unseen = true;
    }
    if (h && h->file)
        map_state(h->file, true);
    drop_tables();
    leave();
}

void tf_unmapped_some(void *at, size_t length)
{
    uintptr_t from = (uintptr_t)at, to = from + length;
    if (apart() || !enter())
        return;
    take_tables();
    for (int i = 0; i < MAPPINGS; i++) {
        struct mapping *m = &mappings[i];
        if (m->to == 0 || m->from < from || ((m->to + 4095) & ~(uintptr_t)4095) > ((to + 4095) & ~(uintptr_t)4095))
            continue;
        m->to = 0;
        atomic_fetch_sub(&tf_mappings, 1);
        struct file *f = file_find(&m->id);
        if (f && !file_mapped(&m->id))
            map_state(f, false);
    }
    drop_tables();
    leave();
}
