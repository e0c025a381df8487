/* Files, handles, paths and records: finding, making and forgetting them. See tables.h for the rules. */
#include "tables.h"

#include <string.h>
#include <sys/resource.h>

_Atomic(struct handle *) tf_descriptors[TF_DESCRIPTORS];
_Atomic uint32_t tf_pending_files;
_Atomic uint32_t tf_known_files;
struct tables tables;

#define PATHS_MOST 65536 /* spellings remembered at most; then those that lead nowhere go */

struct handle *tf_get_known(struct handle *h)
{
    if (h->kind == KIND_OTHER && h->candidate)
        __atomic_store_n(&h->touched, 1, __ATOMIC_RELAXED);
    if (h->kind == KIND_OTHER || apart())
        return NULL;
    return h;
}

/* ---- records ---- */

/* The path as the report shows it: absolute. */
static size_t absolute(const char *path, char out[2 * PATH_MAX])
{
    size_t n = 0, length = strlen(path);
    if (path[0] != '/') {
        long got = sys_getcwd(out, PATH_MAX);
        if (got > 1)
            n = (size_t)got - 1;
        if (n == 0 || out[n - 1] != '/')
            out[n++] = '/';
        while (path[0] == '.' && path[1] == '/') {
            path += 2;
            length -= 2;
        }
    }
    if (length >= PATH_MAX)
        length = PATH_MAX - 1;
    memcpy(out + n, path, length);
    return n + length;
}

struct record *record_get(const char *path)
{
    char whole[2 * PATH_MAX];
    size_t n = absolute(path, whole);
    struct record *r;
    HASH_FIND(hh, tables.records, whole, n, r);
    if (r)
        return r;
    uint32_t size = (uint32_t)(sizeof *r->shown + n + 8) & ~7u;
    r = arena_alloc(sizeof *r);
    if (!r)
        return NULL;
    if (!(r->shown = arena_alloc(size)))
        return NULL;
    r->length = r->shown->length = (uint32_t)n;
    r->shown->size = size;
    memcpy(r->shown->path, whole, n);
    HASH_ADD_KEYPTR(hh, tables.records, r->shown->path, n, r);
    return r;
}

void record_own(struct record *r)
{
    struct shown *s = arena_alloc(r->shown->size);
    if (s) {
        s->size = r->shown->size;
        s->length = r->shown->length;
        memcpy(s->path, r->shown->path, s->length);
        r->hh.key = s->path;
        r->shown = s;
    }
    r->shared = false;
}

/* ---- files ---- */

struct file *file_find(const struct inode *id)
{
    struct file *f;
    HASH_FIND(hh, tables.files, id, sizeof *id, f);
    return f;
}

/* A limit on file sizes sends SIGXFSZ from within write(2), which a drain can't do in the program's name. */
static bool sizes_limited(void)
{
    struct rlimit limit;
    return sys_prlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* All files begin or cease to write through for this reason. Tables' lock held. */
static void all_through(enum reason why, bool through)
{
    for (struct file *f = tables.files; f; f = f->hh.next) {
        take_file(f->lock);
        if (through)
            file_drain(f, CAUSE_through, true);
        f->through = (f->through & ~(1u << why)) | (uint32_t)through << why;
        drop_file(f->lock);
    }
}

void number_beyond(void)
{
    if (!tables.beyond)
        all_through(REASON_NUMBER, true);
    tables.beyond = true;
}

void tf_limits_changed(void)
{
    if (apart() || !shim_on() || !enter())
        return;
    bool limited = sizes_limited();
    take_tables();
    tables.idle_limit = cache_limit();
    tables.limited = limited;
    all_through(REASON_FILE_SIZE, limited);
    drop_tables();
    leave();
}

/* All zero but its lock, which a thread that comes late may be holding. */
static struct file *new_file(void)
{
    struct file *f = tables.free_files;
    if (!f)
        return arena_alloc(sizeof *f);
    tables.free_files = f->next_free;
    const size_t lock = offsetof(struct file, own), after = lock + sizeof f->own;
    memset(f, 0, lock);
    memset((char *)f + after, 0, sizeof *f - after);
    return f;
}

struct file *file_make(const struct stat *st, const char *path)
{
    struct inode id = {st->st_dev, st->st_ino};
    struct file *f = file_find(&id);
    if (f)
        return f;
    struct record *r = record_get(path);
    f = r ? new_file() : NULL;
    if (!f)
        return NULL;
    f->id = id;
    f->record = r;
    f->lock = &f->own;
    if (tables.limited)
        f->through |= 1u << REASON_FILE_SIZE;
    if (tables.beyond)
        f->through |= 1u << REASON_NUMBER;
    if (file_mapped(&id))
        f->through |= 1u << REASON_MAPPED;
    if (tables.config.window_ms == 0)
        f->through |= 1u << REASON_WINDOW_0;
    f->mode = st->st_mode;
    f->uid = st->st_uid;
    f->gid = st->st_gid;
    f->block = (uint32_t)st->st_blksize;
    HASH_ADD(hh, tables.files, id, sizeof f->id, f);
    atomic_fetch_add(&tf_known_files, 1);
    for (struct handle *h = tables.others, *next; h; h = next) {
        next = h->next;
        if (h->id.dev == id.dev && h->id.ino == id.ino)
            handle_watch(h, f);
    }
    return f;
}

void file_end(struct file *f)
{
    while (f->paths)
        path_unset(f->paths);
    file_ring_back(f);
    HASH_DEL(tables.files, f);
    atomic_fetch_sub(&tf_known_files, 1);
    f->next_free = tables.free_files;
    tables.free_files = f;
}

/* ---- handles ---- */

struct handle *handle_make(struct file *f, enum kind kind, int fd, int flags)
{
    if ((unsigned)fd >= TF_DESCRIPTORS)
        return NULL;
    struct handle *h = tables.free_handles;
    if (h)
        tables.free_handles = h->next;
    else if (!(h = arena_alloc(sizeof *h)))
        return NULL;
    struct handle **list = f ? &f->handles : &tables.others;
    *h = (struct handle){.file = f, .next = *list, .fd = fd, .fds = 1, .flags = flags, .kind = (uint8_t)kind};
    h->identity = atomic_load_explicit(&tables.identity, memory_order_relaxed);
    if (f)
        h->id = f->id;
    *list = h;
    atomic_store_explicit(&tf_descriptors[fd], h, memory_order_release);
    return h;
}

static void unlink_handle(struct handle **list, struct handle *h)
{
    while (*list != h)
        list = &(*list)->next;
    *list = h->next;
}

void handle_end(struct handle *h)
{
    struct file *f = h->file;
    unlink_handle(f ? &f->handles : &tables.others, h);
    if (h->fds == 1) {
        if (atomic_load(&tf_descriptors[h->fd]) == h)
            atomic_store(&tf_descriptors[h->fd], NULL);
    } else {
        for (int fd = 0; fd < TF_DESCRIPTORS; fd++)
            if (atomic_load_explicit(&tf_descriptors[fd], memory_order_relaxed) == h)
                atomic_store(&tf_descriptors[fd], NULL);
    }
    if (h->idle)
        tables.idle--;
    if (f && f->owner == h)
        f->owner = NULL;
    if (f && h->unseen) {
        file_forget_size(f); /* libc's stream may write its last bytes just after this */
        if (--f->unseen == 0)
            f->through &= ~(1u << REASON_UNSEEN);
    }
    h->next = tables.free_handles;
    tables.free_handles = h;
    if (f && !f->handles)
        file_end(f);
}

void handle_watch(struct handle *h, struct file *f)
{
    unlink_handle(&tables.others, h);
    h->file = f;
    h->next = f->handles;
    f->handles = h;
    if (h->unseen) {
        h->unseen = false;
        handle_unseen(h);
    }
    h->kind = KIND_WATCHED;
    if (atomic_load(&tf_locks))
        f->real_closes = true; /* it may hold one, which any close drops */
}

void handle_unseen(struct handle *h)
{
    struct file *f = h->file;
    if (h->unseen || !f) {
        h->unseen = true;
        return;
    }
    h->unseen = true;
    f->unseen++;
    f->through |= 1u << REASON_UNSEEN;
    if (f->record->shown->n.writes == 0)
        f->record->shown->through |= f->through;
}

/* ---- paths ---- */

/* Which current directory relative paths count from: a number for each one seen, by its inode. 0: not to be had. */
static uint32_t current_directory(void)
{
    static struct inode seen[64];
    static uint32_t count, newest;
    if (tables.cwd)
        return tables.cwd;
    struct stat st;
    if (sys_fstatat(AT_FDCWD, ".", &st, 0) < 0)
        return 0;
    for (uint32_t i = 0; i < 64 && i < count; i++)
        if (seen[i].dev == st.st_dev && seen[i].ino == st.st_ino)
            return tables.cwd = newest - (newest - 1 - i) % 64;
    /* Numbers are never used twice: an older directory in this place is forgotten with its paths. */
    newest++;
    seen[(newest - 1) % 64] = (struct inode){st.st_dev, st.st_ino};
    if (count < 64)
        count++;
    return tables.cwd = newest;
}

/* The key of a path; its length, 0 when there can be none. */
static size_t path_key(const char *path, char key[PATH_MAX + 4])
{
    size_t n = strlen(path);
    if (n == 0 || n >= PATH_MAX)
        return 0;
    uint32_t cwd = path[0] == '/' ? 0 : current_directory();
    if (path[0] != '/' && cwd == 0)
        return 0;
    memcpy(key, &cwd, 4);
    memcpy(key + 4, path, n);
    return n + 4;
}

uint64_t path_hash(const char *path)
{
    char key[PATH_MAX + 4];
    size_t n = path_key(path, key);
    return n ? hash_bytes(key, n) | 1 : 0;
}

struct path *path_find(const char *path)
{
    char key[PATH_MAX + 4];
    size_t n = path_key(path, key);
    if (n == 0)
        return NULL;
    struct path *p;
    HASH_FIND(hh, tables.paths, key, n, p);
    return p;
}

static void path_purge(void)
{
    struct path *p, *next;
    HASH_ITER (hh, tables.paths, p, next) {
        if (p->file)
            continue;
        HASH_DEL(tables.paths, p);
        arena_free(p, sizeof *p + p->length);
        tables.path_count--;
    }
}

void path_set(const char *path, struct file *f)
{
    char key[PATH_MAX + 4];
    size_t n = path_key(path, key);
    if (n == 0)
        return;
    struct path *p;
    HASH_FIND(hh, tables.paths, key, n, p);
    if (!p) {
        if (tables.path_count >= PATHS_MOST)
            path_purge();
        if (tables.path_count >= PATHS_MOST || !(p = arena_alloc(sizeof *p + n)))
            return;
        p->length = (uint32_t)n;
        memcpy(p->key, key, n);
        HASH_ADD_KEYPTR(hh, tables.paths, p->key, n, p);
        tables.path_count++;
    } else {
        path_unset(p);
    }
    p->file = f;
    p->next = f->paths;
    f->paths = p;
    p->epoch = atomic_load_explicit(&tables.epoch, memory_order_relaxed);
    p->checked_ms = sys_now_ms();
}

void path_unset(struct path *p)
{
    if (!p->file)
        return;
    struct path **list = &p->file->paths;
    while (*list != p)
        list = &(*list)->next;
    *list = p->next;
    p->file = NULL;
}

/* ---- memory ---- */

void *tf_memory(size_t n)
{
    if (apart() || !enter())
        return NULL;
    take_tables();
    void *p = arena_alloc(n);
    drop_tables();
    leave();
    return p;
}

void tf_memory_back(void *p, size_t n)
{
    if (apart() || !enter())
        return; /* lost, in a handler that interrupted the shim */
    take_tables();
    arena_free(p, n);
    drop_tables();
    leave();
}
