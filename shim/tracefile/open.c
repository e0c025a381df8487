/* open(2): a trace file's descriptor is reused, made, or found to be an alias.
 *
 * The idea: a path that led to a file is remembered by its spelling. The next open with the same access mode and status
 * flags revives the idle handle, with no system call if the path was looked at within the window. Everything else is
 * the kernel's: its descriptor is then managed if the path matches, and otherwise looked at once, in case it is a trace
 * file under another name.
 *
 * Rules: the real open is made with no lock held and signals as they are: it may take for ever. A managed descriptor
 * has FD_CLOEXEC whatever the program asked; a child gets it as it should be (descriptor.c).
 */
#include "../real.h"
#include "../text.h"
#include "auto.h"
#include "memory.h"

#include <string.h>
#include <sys/vfs.h>

/* What F_GETFL would show, more or less: two opens that differ here can't share a description. */
static int status(int flags)
{
    return flags & ~(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC | O_LARGEFILE);
}

#define NOT_MANAGED (O_PATH | O_DIRECTORY | __O_TMPFILE)
#define NOT_REUSED  (O_EXCL | O_NOFOLLOW | NOT_MANAGED)

static bool writes(int flags)
{
    return (flags & O_ACCMODE) == O_WRONLY || (flags & O_ACCMODE) == O_RDWR;
}

static const char *working_directory(void *memory)
{
    return sys_getcwd(memory, PATH_MAX) > 0 && *(char *)memory == '/' ? memory : NULL;
}

static enum pattern_verdict judge(const char *path)
{
    char memory[PATH_MAX];
    if (!memory_text(path))
        return PATTERN_LEAVE; /* EFAULT is the kernel's to say */
    return patterns_judge(&tables.config.patterns, path, strlen(path), working_directory, memory);
}

static bool automatic(void)
{
    return unlikely(patterns_uses_auto(&tables.config.patterns));
}

/* Whether what is opened for writing is to be managed. Each open asks once, for @auto counts. */
static bool matches(const char *path, int flags)
{
    enum pattern_verdict verdict = judge(path);
    return verdict == PATTERN_MANAGE || (automatic() && verdict == PATTERN_NONE && auto_wants(path, flags));
}

bool tf_wants(const char *path, int flags)
{
    return path && !apart() && shim_on() && atomic_load(&tables.phase) == PHASE_ON && matches(path, flags);
}

void tf_unmatched(int fd, const char *path, int flags)
{
    if (automatic() && writes(flags) && !apart() && fd >= 0 && judge(path) == PATTERN_NONE)
        auto_watch(fd, path);
}

/* ---- reuse ---- */

/* Notes who may open the file; whether that has changed: what is cached was then opened by other rights. */
static bool rights_changed(struct file *f, const struct stat *st)
{
    if (st->st_mode == f->mode && st->st_uid == f->uid && st->st_gid == f->gid)
        return false;
    f->mode = st->st_mode;
    f->uid = st->st_uid;
    f->gid = st->st_gid;
    f->rights++;
    return true;
}

/* Whether the path still leads to its file, as whoever may open it; looked at once a window and after changes of ours. */
static bool still_there(struct path *p, const char *path, int64_t now_ms)
{
    uint32_t epoch = atomic_load_explicit(&tables.epoch, memory_order_relaxed);
    if (likely(p->epoch == epoch && now_ms - p->checked_ms < tables.config.window_ms))
        return true;
    struct file *f = p->file;
    struct stat st;
    bool there = sys_fstatat(AT_FDCWD, path, &st, 0) == 0 && st.st_dev == f->id.dev && st.st_ino == f->id.ino;
    if (!there || rights_changed(f, &st)) { /* others may open it now: the kernel judges this open */
        uint64_t old = sys_block_signals();
        path_unset(p);
        cache_evict_file(f, CAUSE_names);
        sys_restore_signals(old);
        return false;
    }
    p->epoch = epoch;
    p->checked_ms = now_ms;
    return true;
}

static struct handle *idle_handle(struct file *f, int flags)
{
    for (struct handle *h = f->handles; h; h = h->next)
        if (h->idle && h->flags == flags)
            return h;
    return NULL;
}

/* The idle handle is the program's again, as if just opened. Its descriptor, or -1: leave it to the kernel. */
static int revive(struct handle *h, int flags)
{
    struct file *f = h->file;
    take_file(f->lock);
    file_place(f);
    if (flags & O_TRUNC) {
        file_discard(f);
        file_forget_size(f);
        if (!handle_still(h) || sys_ftruncate(h->fd, 0) < 0) {
            drop_file(f->lock);
            return -1;
        }
    }
    h->off = 0;
    h->lazy = true;
    h->at_end = h->wrote = false;
    h->doubtful = true;
    h->hidden_cloexec = !(flags & O_CLOEXEC);
    h->idle = false;
    if (f->slot)
        atomic_store_explicit(&f->slot->closed, 0, memory_order_relaxed);
    tables.idle--;
    f->record->shown->n.opens++;
    drop_file(f->lock);
    return h->fd;
}

static int reuse(const char *path, int flags)
{
    int64_t now = sys_now_ms();
    take_tables();
    struct path *p = path_find(path);
    struct handle *h = NULL;
    if (p && p->file && still_there(p, path, now))
        h = idle_handle(p->file, status(flags));
    int fd = h ? revive(h, flags) : -1;
    drop_tables();
    windows_pass(now);
    return fd;
}

/* ---- new descriptors ---- */

/* A descriptor of a file that is no trace file, or not yet. unseen: a C stream of libc's may use it. */
static void remember_other(int fd, const struct stat *st, int flags, bool unseen)
{
    struct handle *h = handle_make(NULL, KIND_OTHER, fd, flags);
    if (!h)
        return;
    h->id = (struct inode){st->st_dev, st->st_ino};
    h->unseen = unseen;
}

/* The descriptors (but one) that were there before us: any of them may turn out to be a trace file (`./sim >> trace`). */
static void look_around(int except)
{
    if (tables.looked_around)
        return;
    tables.looked_around = true;
    long dir = sys_openat(AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (dir < 0)
        return;
    char memory[4096] __attribute__((aligned(8)));
    for (long n; (n = sys_getdents64((int)dir, memory, sizeof memory)) > 0;) {
        for (long at = 0; at < n;) {
            char *entry = memory + at;
            unsigned short length;
            memcpy(&length, entry + 16, sizeof length); /* struct linux_dirent64: d_reclen, then d_type, d_name */
            at += length;
            int fd = 0;
            const char *c = entry + 19;
            for (; *c >= '0' && *c <= '9'; c++)
                fd = fd * 10 + (*c - '0');
            struct stat st;
            if (*c || fd == (int)dir || fd == except || tf_knows(fd) || sys_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
                continue;
            if (fd >= TF_DESCRIPTORS)
                number_beyond();
            else
                remember_other(fd, &st, (int)sys_fcntl(fd, F_GETFL, 0), true);
        }
    }
    sys_close((int)dir);
}

static void cannot(const char *path, enum reason why)
{
    struct record *r = record_get(path);
    if (!r)
        return;
    r->shown->n.opens++;
    r->shown->n.real_opens++;
    r->shown->unmanaged = (uint16_t)why;
}

void tf_cannot(const char *path, enum reason why)
{
    if (!shim_on() || !enter())
        return;
    uint64_t old = sys_block_signals();
    take_tables();
    cannot(path, why);
    drop_tables();
    sys_restore_signals(old);
    leave();
}

/* What kind of file system a device has: asked once a device. */
enum { FS_PLAIN, FS_KERNELS, FS_PUBLISHES };

static int kind_of_type(uint32_t type)
{
    /* Files of these are the kernel's own: what is written to them is a command, not contents. */
    static const uint32_t kernels[] = {
        0x9fa0 /* proc */,        0x62656572 /* sys */,      0x27e0eb /* cgroup */,     0x63677270 /* cgroup2 */,
        0x64626720 /* debugfs */, 0x74726163 /* tracefs */,  0x73636673 /* security */, 0x62656570 /* configfs */,
        0xcafe4a11 /* bpf */,     0xde5e81e4 /* efivarfs */, 0xf97cff8c /* selinux */,  0x42494e4d /* binfmt_misc */};
    /* These show others what was written when a descriptor is closed. */
    static const uint32_t publish[] = {0x6969 /* NFS */, 0x65735546 /* FUSE */, 0xff534d42 /* CIFS */,
                                       0xfe534d42 /* SMB 2 */};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (type == kernels[i])
            return FS_KERNELS;
    for (size_t i = 0; i < sizeof publish / sizeof *publish; i++)
        if (type == publish[i])
            return FS_PUBLISHES;
    return FS_PLAIN;
}

static int file_system(int fd, dev_t dev)
{
    static struct {
        dev_t dev;
        int kind;
    } known[8];
    static unsigned next;
    for (unsigned i = 0; i < 8 && i < next; i++)
        if (known[i].dev == dev)
            return known[i].kind;
    struct statfs fs;
    int kind = sys_fstatfs(fd, &fs) == 0 ? kind_of_type((uint32_t)fs.f_type) : FS_PLAIN;
    known[next % 8].dev = dev;
    known[next++ % 8].kind = kind;
    return kind;
}

/* fstat(2) and the time of birth in one call. */
static long attributes(int fd, struct stat *st, struct statx *stx)
{
    long done = sys_statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, stx);
    if (done < 0) {
        stx->stx_mask = 0;
        return done == -ENOSYS ? sys_fstat(fd, st) : done;
    }
    struct inode id = inode_of_statx(stx);
    *st = (struct stat){.st_dev = id.dev,
                        .st_ino = id.ino,
                        .st_mode = stx->stx_mode,
                        .st_nlink = stx->stx_nlink,
                        .st_uid = stx->stx_uid,
                        .st_gid = stx->stx_gid,
                        .st_size = (off_t)stx->stx_size,
                        .st_blksize = (blksize_t)stx->stx_blksize};
    return 0;
}

/* On file systems that publish at close, two names of one file can be two files to the kernel, each with a size of its own: what is
 * appended by one is overwritten by the other unless every open and close is real. */
static bool other_name(int fd, const struct file *f)
{
    char link[2][32], path[2][PATH_MAX];
    long n[2];
    int fds[2] = {fd, f->handles->fd};
    for (int i = 0; i < 2; i++) {
        struct text t = text_in(link[i], sizeof link[i]);
        text_add(&t, "/proc/self/fd/");
        text_number(&t, (unsigned long long)fds[i]);
        n[i] = sys_readlinkat(AT_FDCWD, link[i], path[i], sizeof path[i]);
    }
    return n[0] > 0 && n[1] > 0 && (n[0] != n[1] || memcmp(path[0], path[1], (size_t)n[0]) != 0);
}

static void check_alias(int fd, struct file *f)
{
    if (!f->publishes || !f->handles || (f->through & (1u << REASON_ALIASED)) || !other_name(fd, f))
        return;
    take_file(f->lock);
    file_drain(f, CAUSE_through, true);
    f->through |= 1u << REASON_ALIASED;
    f->real_closes = true;
    drop_file(f->lock);
}

/* A descriptor that was closed while /proc/self/fd was being read, or later by means we don't see, holds nothing up. */
static void forget_closed(struct file *f)
{
    take_file(f->lock);
    for (struct handle *h = f->handles, *next; f->unseen && h; h = next) {
        next = h->next;
        if (h->unseen && h->kind == KIND_WATCHED && (h != f->handles || next) && !handle_still(h))
            handle_end(h);
    }
    drop_file(f->lock);
}

/* Whoever makes a file may use it as he likes, this once: its mode may say otherwise. */
static bool made_without_rights(const struct stat *st, int flags)
{
    mode_t needed = ((flags & O_ACCMODE) != O_WRONLY ? S_IRUSR : 0) | ((flags & O_ACCMODE) != O_RDONLY ? S_IWUSR : 0);
    return (flags & O_CREAT) && (st->st_mode & needed) != needed;
}

static void place(struct file *f)
{
    take_file(f->lock);
    file_place(f);
    drop_file(f->lock);
}

/* Makes the descriptor managed; false, with the reason in the report, when it can't be. Tables' lock held. */
static bool manage(int fd, int dirfd, const char *path, int flags)
{
    struct stat st;
    struct statx stx;
    enum reason why = REASON_NONE;
    if (attributes(fd, &st, &stx) < 0 || !S_ISREG(st.st_mode))
        why = REASON_NOT_REGULAR;
    else if (fd >= TF_DESCRIPTORS)
        why = REASON_NUMBER;
    else if (flags & NOT_MANAGED)
        why = REASON_FLAGS;
    else if (file_system(fd, st.st_dev) == FS_KERNELS)
        why = REASON_NOT_REGULAR;
    struct file *f = NULL;
    struct handle *h = NULL;
    number_forget(fd);
    if (why == REASON_NONE) {
        look_around(fd);
        f = file_find(&(struct inode){st.st_dev, st.st_ino});
        if (f && rights_changed(f, &st))
            cache_evict_file(f, CAUSE_names); /* it may end */
        f = file_make(&st, path);
        if (f && (stx.stx_mask & STATX_BTIME)) {
            f->birth_s = stx.stx_btime.tv_sec;
            f->birth_ns = stx.stx_btime.tv_nsec;
        }
        if (f && !f->handles)
            f->opened_size = st.st_size;
        if (f)
            f->publishes = file_system(fd, st.st_dev) == FS_PUBLISHES;
        if (f)
            check_alias(fd, f);
        if (f)
            place(f);
        h = f ? handle_make(f, KIND_MANAGED, fd, status(flags)) : NULL;
        if (h)
            forget_closed(f);
        if (!h)
            why = REASON_NO_MEMORY;
        if (f && !f->handles)
            file_end(f);
    }
    if (why == REASON_NUMBER)
        number_beyond();
    if (why != REASON_NONE) {
        cannot(path, why);
        return false;
    }
    h->lazy = true; /* at 0 */
    h->rights = f->rights;
    h->unkept = made_without_rights(&st, flags);
    h->hidden_cloexec = !(flags & O_CLOEXEC);
    if (flags & (O_SYNC | O_DSYNC | O_DIRECT))
        h->through |= 1u << REASON_SYNCHRONOUS;
    f->record->shown->managed = true;
    if (f->record->shown->n.writes == 0)
        f->record->shown->through |= f->through | h->through; /* it may never see one */
    f->record->shown->n.opens++;
    f->record->shown->n.real_opens++;
    f->epoch = atomic_load_explicit(&tables.epoch, memory_order_relaxed);
    if (dirfd == AT_FDCWD || path[0] == '/')
        path_set(path, f);
    return true;
}

/* Whether this is the process's only thread. */
static bool single(void)
{
    struct stat st;
    return sys_fstatat(AT_FDCWD, "/proc/self/task", &st, 0) == 0 &&
           st.st_nlink == 3; /* itself, its parent's and one of a thread */
}

/* Where the descriptor leads, as an absolute path that leads there too; false when there is none (a file that has no name). */
static bool path_of(int fd, const struct inode *id, char path[PATH_MAX])
{
    char link[32];
    struct stat st;
    struct text t = text_in(link, sizeof link);
    text_add(&t, "/proc/self/fd/");
    text_number(&t, (unsigned long long)fd);
    long n = sys_readlinkat(AT_FDCWD, link, path, PATH_MAX - 1);
    if (n <= 0 || path[0] != '/')
        return false;
    path[n] = '\0';
    return sys_fstatat(AT_FDCWD, path, &st, 0) == 0 && st.st_dev == id->dev && st.st_ino == id->ino;
}

void open_adopt(int fd, struct handle *h)
{
    char path[PATH_MAX];
    struct inode id = h->id;
    long flags = sys_fcntl(fd, F_GETFL, 0), cloexec = sys_fcntl(fd, F_GETFD, 0);
    /* Another thread may be in the middle of a write at the kernel's offset. */
    bool calm = flags & O_APPEND || single();
    if (flags < 0 || cloexec < 0 || !calm || !path_of(fd, &id, path))
        return;
    handle_end(h);
    if (!manage(fd, AT_FDCWD, path, (int)flags | (cloexec & FD_CLOEXEC ? O_CLOEXEC : 0))) {
        struct stat st = {.st_dev = id.dev, .st_ino = id.ino};
        remember_other(fd, &st, (int)flags, false);
        return;
    }
    h = atomic_load(&tf_descriptors[fd]);
    h->lazy = false;  /* the offset is the kernel's */
    h->unkept = true; /* with what mode it was made isn't known */
    if (!(cloexec & FD_CLOEXEC))
        sys_fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void opened_match(int fd, int dirfd, const char *path, int flags)
{
    bool managed = false;
    if (enter()) {
        uint64_t old = sys_block_signals();
        take_tables();
        managed = manage(fd, dirfd, path, flags);
        drop_tables();
        sys_restore_signals(old);
        leave();
    }
    if (!managed && !(flags & O_CLOEXEC))
        sys_fcntl(fd, F_SETFD, 0);
}

void tf_opened(int fd, int flags, bool unseen)
{
    tf_new_number(fd);
    struct stat st;
    if (!(tables.looked_around || automatic()) || apart() || fd < 0)
        return;
    if (sys_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !enter())
        return;
    struct inode id = {st.st_dev, st.st_ino};
    uint64_t old = sys_block_signals();
    take_tables();
    number_forget(fd);
    struct file *f = file_find(&id);
    if (fd >= TF_DESCRIPTORS) {
        number_beyond();
    } else if (!f) {
        look_around(fd); /* with @auto any of them may become a trace file */
        remember_other(fd, &st, flags, unseen);
    } else {
        struct handle *h = handle_make(f, KIND_WATCHED, fd, flags);
        take_file(f->lock);
        file_place(f);
        file_drain(f, CAUSE_read, true);
        if (h && unseen)
            handle_unseen(h);
        drop_file(f->lock);
    }
    drop_tables();
    sys_restore_signals(old);
    leave();
}

static int call(int dirfd, const char *path, int flags, mode_t mode)
{
    return dirfd == AT_FDCWD ? real_open(path, flags, mode) : real_openat(dirfd, path, flags, mode);
}

static int call_again(int dirfd, const char *path, int flags, mode_t mode)
{
    int before = errno;
    int fd = call(dirfd, path, flags, mode);
    if (fd >= 0 || (errno != EMFILE && errno != ENFILE) || !tf_relieve())
        return fd;
    fd = call(dirfd, path, flags, mode);
    if (fd >= 0)
        errno = before;
    return fd;
}

/* Whether the path led to a trace file when it was last opened: opening it again creates nothing. */
static bool path_known(const char *path)
{
    if (!enter())
        return false;
    take_tables();
    struct path *p = path_find(path);
    bool known = p && p->file;
    drop_tables();
    leave();
    return known;
}

int tf_reopen(const char *path, int flags)
{
    if (!writes(flags) || (flags & NOT_REUSED) || tables.path_count == 0 || apart())
        return -1;
    if (!memory_text(path) || !enter())
        return -1;
    int fd = reuse(path, flags);
    leave();
    return fd;
}

int tf_open(int dirfd, const char *path, int flags, mode_t mode)
{
    if (unlikely(!path || apart() || !shim_on()))
        return call(dirfd, path, flags, mode);
    struct handle *dir = dirfd == AT_FDCWD ? NULL : tf_get(dirfd);
    if (unlikely(dir && dir->idle))
        dirfd = -1; /* the program has closed it */
    cancellation_point();
    int cached = dirfd == AT_FDCWD || path[0] == '/' ? tf_reopen(path, flags) : -1;
    if (cached >= 0)
        return cached;
    bool match = writes(flags) && atomic_load(&tables.phase) == PHASE_ON && matches(path, flags);
    bool fresh = (!match || !path_known(path)) && tf_tell_path(dirfd, path, flags);
    /* Before, so that no drain puts bytes into the file that the truncation should have removed. */
    if ((flags & O_TRUNC) && !fresh)
        tf_barrier_path(dirfd, path, 0, CAUSE_truncate);
    int fd = call_again(dirfd, path, match ? flags | O_CLOEXEC : flags, mode);
    if (fd < 0)
        return fd;
    if (match) {
        opened_match(fd, dirfd, path, flags);
    } else {
        tf_opened(fd, flags, false);
        tf_unmatched(fd, path, flags);
    }
    if (unlikely(tf_has_stream(fd)))
        tf_used_unseen(fd); /* closed behind the stream's back, as is done with 0, 1 and 2 */
    return fd;
}
