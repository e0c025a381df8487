/* The tables of a process: trace files, handles, paths.
 *
 * What it is for: the structures behind tracefile.h. Only the files of this directory (and the report) include it.
 *
 * The idea: a file is an inode, a handle is an open file description, a path is a spelling that led to a file. A
 * handle whose descriptor the program has closed is idle: the descriptor stays open for the next open.
 *
 * Rules: tables.lock guards the tables and every list; a file's lock guards its buffer, its owner and the offsets of its
 * handles. Tables first, then the file. Files and handles are never given back to the arena: a thread that comes late finds a
 * lock, and then that the handle is another's (handle_hold). What takes more than one store to change in the tables is changed with
 * signals blocked; the fast ways (a reopen, a close) change single words only.
 */
#ifndef TRACESHIM_TABLES_H
#define TRACESHIM_TABLES_H

#include <limits.h>

#include "../arena.h"
#include "../config.h"
#include "../ring/journal.h"
#include "../ring/record.h"
#include "tracefile.h"

/* For keys of some 20 bytes, one at every reopen: eight bytes at a time, where uthash's own takes one. A caller that makes keys collide
 * slows only itself down. */
static inline uint64_t hash_bytes(const void *key, size_t n)
{
    const unsigned char *p = key;
    uint64_t hash = n, word;
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        __builtin_memcpy(&word, p, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    for (word = 0; n > 0; n--)
        word = word << 8 | *p++;
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

#define HASH_FUNCTION(key, n, hash) ((hash) = (unsigned)hash_bytes(key, n))
#define uthash_malloc(n)            arena_alloc(n)
#define uthash_free(p, n)           arena_free(p, n)
#define uthash_bzero(p, n)          __builtin_memset(p, 0, n)
#define uthash_fatal(msg)           __builtin_trap()
#define HASH_NONFATAL_OOM           1
#define uthash_nonfatal_oom(elt)    ((void)0)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <uthash.h>
#pragma GCC diagnostic pop

struct inode {
    uint64_t dev, ino;
};

/* What the report says of one path, and how it is found. Never freed. */
struct record {
    UT_hash_handle hh;
    struct shown *shown; /* its own memory, or the journal's */
    bool shared;         /* it was moved to the journal, or there was no room */
    uint32_t length;     /* of shown->path */
};

struct file {
    UT_hash_handle hh;
    struct file *next_free;
    struct inode id;
    struct lock own;
    struct lock *lock; /* own: the appending side's (ring/ring.h), and what guards the offsets of handles */
    struct slot *slot;
    struct handle *handles;
    struct handle *owner; /* whose bytes are in the ring */
    struct path *paths;
    struct record *record;
    uint32_t through; /* a bit for each enum reason for writing through */
    uint32_t unseen;  /* handles that read or write unseen */
    int err;          /* of a drain, to be told at the next call on the file */
    bool real_closes; /* closing a descriptor of it must reach the kernel (locks) */
    mode_t mode;
    uid_t uid;
    gid_t gid;
    uint32_t rights;     /* how often they were seen to have changed */
    uint32_t block;      /* st_blksize */
    int64_t opened_size; /* the kernel's when it was opened, -1 when it may have shrunk since */
    int64_t birth_s;     /* its time of birth, 0 when that isn't known */
    uint32_t birth_ns;
    bool publishes;        /* its file system shows bytes to others when a descriptor is closed */
    uint32_t epoch;        /* tables.epoch when it was known to have a name */
    int64_t size;          /* the kernel's size when it was last asked, */
    uint64_t size_head;    /* the bytes before this counter being in it, */
    int64_t size_ms;       /* when that was, */
    uint32_t size_epoch;   /* in which epoch: of any use within the same tick only */
    int64_t real_calls_ms; /* when a real call was last let through that may change it */
};

/* What statx(2) says of the inode, as stat(2) would. */
static inline struct inode inode_of_statx(const struct statx *st)
{
    uint64_t major = st->stx_dev_major, minor = st->stx_dev_minor;
    uint64_t dev = (major & 0xfffff000u) << 32 | (major & 0xfffu) << 8 | (minor & 0xffffff00u) << 12 | (minor & 0xffu);
    return (struct inode){dev, st->stx_ino};
}

enum kind {
    KIND_MANAGED, /* its writes are buffered (or written through) */
    KIND_WATCHED, /* leads to a trace file, but only gets barriers */
    KIND_OWN,     /* a descriptor of ours: to the program it is closed */
    KIND_OTHER    /* a descriptor of some other file: remembered in case its inode becomes a trace file */
};

struct handle {
    struct file *file;   /* NULL for KIND_OTHER */
    struct handle *next; /* of the same file, or of the others */
    struct inode id;
    int fd;              /* the descriptor that stands for it */
    int fds;             /* how many the program has */
    int flags;           /* access mode and status flags */
    int shown_flags;     /* F_GETFL's last answer, 0: to be asked */
    int64_t off;         /* the program's offset, if lazy */
    uint32_t used;       /* when it became idle, in closes */
    uint32_t identity;   /* tables.identity when it was opened, */
    uint32_t rights;     /* and the file's rights */
    uint32_t number;     /* the guard's name for it, 0: none yet */
    uint32_t generation; /* of the guard that knows it */
    uint8_t kind;
    bool idle;           /* the program has closed it */
    bool lazy;           /* the program's offset is off (or the end), not the kernel's */
    bool at_end;         /* lazy: it is at the end of the file, */
    bool wrote;          /* namely where its last byte ended; else no other handle of the file is open */
    bool hidden_cloexec; /* FD_CLOEXEC is set on fd, and the program didn't ask for it */
    bool exposed;        /* FD_CLOEXEC may be clear on fd */
    bool doubtful;       /* fd was cached: look whether it is still this file before bytes go out */
    bool
        unkept; /* real closes only: the program chose its number (dup2) and may choose it again, or who made it couldn't open it */
    bool unseen; /* counted in file->unseen */
    uint32_t through;
    bool candidate;     /* KIND_OTHER: @auto counts its writes, */
    uint8_t small;      /* how many small ones there were, */
    uint8_t touched;    /* calls on it since the last one, but for writes, */
    uint64_t path_hash; /* and of which path */
};

struct path {
    UT_hash_handle hh;
    struct file *file;
    struct path *next; /* of the same file */
    uint32_t epoch;    /* tables.epoch when it was last looked at */
    int64_t checked_ms;
    uint32_t length; /* of key */
    char key[];      /* which current directory (4 bytes, 0 for an absolute path), then the path as given */
};

enum phase { PHASE_UNSTARTED, PHASE_STARTING, PHASE_ON, PHASE_OFF, PHASE_ENDED };

struct tables {
    struct lock lock;
    _Atomic int phase;
    struct config config;
    struct journal journal;
    struct file *files;
    struct path *paths;
    struct record *records;
    struct handle *others;
    struct handle *free_handles;
    struct file *free_files;
    struct file *slot_files[JOURNAL_SLOTS];
    uint32_t free_slots[JOURNAL_SLOTS];
    uint32_t free_slot_count;
    _Atomic uint64_t pending[JOURNAL_SLOTS / 64]; /* a bit for each slot with pending bytes */
    _Atomic int64_t due_ms;                       /* the earliest end of a window */
    _Atomic uint32_t epoch;
    _Atomic uint32_t identity; /* how often the process became somebody else */
    _Atomic bool divided; /* its threads may not be the same user, or not below the same root: nothing stays cached */
    _Atomic uint32_t drains; /* of our own, of whatever file */
    int guard_socket;        /* 0 or -1: none */
    uint64_t guard_socket_ino;
    uint32_t generation; /* of guards: how many were started */
    _Atomic uint32_t handle_numbers;
    bool unguarded;           /* no guard can be had */
    bool filtered;            /* a filter of system calls is in force; */
    bool left_to_guard;       /* there was a guard then: it writes the report, and removes the journal */
    bool no_journal;          /* shared memory can't be had */
    char library[PATH_MAX];   /* our own file, as it was loaded */
    _Atomic int32_t children; /* started and not yet waited for */
    uint32_t cwd;             /* which current directory, 0: to be found out */
    _Atomic uint32_t idle;    /* cached descriptors; read without the lock */
    uint32_t most_idle;
    uint32_t idle_limit; /* cache_limit, asked when the limits change */
    uint32_t closes;     /* a clock for handle.used */
    uint64_t evicted;
    uint32_t path_count;
    bool limited;       /* RLIMIT_FSIZE is finite */
    bool beyond;        /* a descriptor of a regular file is TF_DESCRIPTORS or above */
    bool looked_around; /* /proc/self/fd has been read */
    int64_t started_ms;
    time_t started;
};

extern struct tables tables;

/* Where the real call would be one. Weak: before glibc 2.34 only a program with threads has it. */
extern void pthread_testcancel(void) __attribute__((weak));
static inline void cancellation_point(void)
{
    if (pthread_testcancel)
        pthread_testcancel();
}

static inline void take_tables(void)
{
    self.tables = &tables.lock;
    take_own(&tables.lock);
}
static inline void drop_tables(void)
{
    drop_own(&tables.lock);
    self.tables = NULL;
}

static inline bool shim_on(void)
{
    int phase = atomic_load_explicit(&tables.phase, memory_order_acquire);
    if (apart())
        return false;
    if (unlikely(phase == PHASE_UNSTARTED)) {
        tf_start();
        phase = atomic_load_explicit(&tables.phase, memory_order_acquire);
    }
    return phase == PHASE_ON || phase == PHASE_ENDED;
}

/* Takes the lock of the file behind a handle that tf_get has given for fd. NULL, and no lock taken: another thread has closed the
 * descriptor meanwhile, or it is another file's by now; the caller begins anew. */
static inline struct file *handle_hold(int fd, struct handle *h)
{
    struct file *f = __atomic_load_n(&h->file, __ATOMIC_RELAXED);
    if (unlikely(!f))
        return NULL;
    take_file(&f->own);
    if (likely(atomic_load_explicit(&tf_descriptors[fd], memory_order_acquire) == h &&
               __atomic_load_n(&h->file, __ATOMIC_RELAXED) == f))
        return f;
    drop_file(&f->own);
    return NULL;
}

/* ---- tables.c: all under the tables' lock; those that add or remove with signals blocked ---- */

struct file *file_find(const struct inode *id);
/* The file of an inode, made if need be; NULL when memory is out. st: of the inode. where: a path for the report. */
struct file *file_make(const struct stat *st, const char *path);
/* Forgets a file that no handle leads to. */
void file_end(struct file *f);
/* A handle on fd, in the table of descriptors and in its file's list. NULL when memory is out. */
struct handle *handle_make(struct file *f, enum kind kind, int fd, int flags);
/* Takes it out of both; the descriptor is the caller's to close. The file ends with its last handle. The file's lock, if there is a file,
 * held since the last bytes were drained: nobody may add some in between. */
void handle_end(struct handle *h);
/* Turns a handle of KIND_OTHER into one that watches f. */
void handle_watch(struct handle *h, struct file *f);
/* A stream that is read or written unseen leads to the file: it writes through until the handle ends. File's lock held or not needed. */
void handle_unseen(struct handle *h);
struct path *path_find(const char *path);
/* A number for a spelling, with the directory that it counts from; 0 when it can't be known. */
uint64_t path_hash(const char *path);
/* Remembers that the path leads to f. */
void path_set(const char *path, struct file *f);
void path_unset(struct path *p);
struct record *record_get(const char *path);
/* In a forked child: the record's counters begin anew in memory of its own. */
void record_own(struct record *r);

/* The kernel has given out this number: whatever the table has there was closed behind our back. Or another thread, which looked around
 * for descriptors, found the new one before us (close.c). */
void number_forget(int fd);
/* A regular file has a number that no table knows, and may be any of ours: everything writes through from now on. */
void number_beyond(void);

/* Whether the process has the inode mapped (barrier.c). */
bool file_mapped(const struct inode *id);

/* Before the end, or an exec: whoever waits for that may execute what we wrote, or unmount where it is (barrier.c). No lock held. */
void let_go(enum cause cause);

/* In the child of a fork, alone and with the tables' lock free (barrier.c). */
void tables_in_child(void);

/* ---- buffer.c ---- */

/* Makes sure of a ring; says whether there is one. File's lock held. */
bool file_ring_slow(struct file *f);
static inline bool file_ring(struct file *f)
{
    return likely(f->slot && f->slot->size) || file_ring_slow(f);
}
/* The file ends: its slot and its empty ring go back, and nobody finds it by its slot any more. Tables' lock held. */
void file_ring_back(struct file *f);
/* In the child of a fork: the buffers are the parent's. */
void buffers_in_child(void);
uint64_t process_start_ticks(void);
size_t process_name(char *name, size_t size);
/* Where this image's report goes, into size bytes; "" for nowhere (reporting.c). */
void report_path(char *path, size_t size);

/* ---- drain.c ---- */

/* Drains; file's lock held. 0 or -errno, also left in f->err when `late` (no caller to tell). */
int file_drain(struct file *f, enum cause cause, bool late);
/* Bytes were accepted at now_ms: note it. was_empty: none were pending before. File's lock held. */
void file_pending(struct file *f, int64_t now_ms, bool was_empty);
/* The offset at which the handle's last byte ended in the file, -1 when it isn't known or not yet there. File's lock held. */
int64_t handle_end_offset(struct handle *h);
/* Forgets what is pending: the file was truncated. File's lock held. */
void file_discard(struct file *f);
/* The kernel's offset becomes the program's; nothing of h is pending. File's lock held. 0 or -errno. */
int handle_sync(struct handle *h);
/* Somebody else may change the size from here on: a handle that stands at its end without having written there gets a number.
 * Tables' and file's lock held. */
void file_place(struct file *f);
/* The size of the file as the program should see it, asked by fd, or -errno. File's lock held. */
int64_t file_size_now(struct file *f, int fd);
/* Takes the slot's lock, so that no drain is under way, nor one unfinished that died; what is pending then. File's lock held. */
uint64_t file_hold(struct file *f);
/* Remembers the kernel's size, which came with this look. File's lock held. */
void file_learn_size(struct file *f, int64_t size, uint64_t pending, int64_t now_ms);
/* Whether fd still is the file that h stands for. */
bool handle_still(struct handle *h);
/* A descriptor that was cached, before the real call goes to it: makes sure that it still leads to the file, opening it anew at the same
 * number if that was closed behind our back. False: the number leads elsewhere. File's lock held. */
bool handle_repair(struct handle *h);
static inline bool handle_certain(struct handle *h)
{
    return likely(!h->doubtful) || handle_repair(h);
}
/* The error of a drain that nobody was told of, which is then forgotten: an errno, or 0. File's lock held. */
int file_error(struct file *f);
/* Files whose window has passed drain. No lock held; the caller is busy. */
void windows_pass(int64_t now_ms);
/* Drains the files of all pending bits but doesn't wait for those in the middle of a call if `try`. Tables' lock held. */
int drain_all(enum cause cause);

#define FLAGS_SET       (O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME) /* by F_SETFL */
#define OFFSET_FARTHEST ((int64_t)1 << 42) /* offsets beyond are the kernel's to judge */

static inline uint64_t file_pending_bytes(const struct file *f)
{
    return f->slot ? ring_pending(f->slot) : 0;
}
static inline bool handle_append(const struct handle *h)
{
    return h->flags & O_APPEND;
}

/* A call is about to be made that may change the size. File's lock held. */
static inline void file_forget_size(struct file *f)
{
    f->opened_size = -1;
    f->size_ms = -1;
    f->real_calls_ms = sys_now_ms();
}

/* The guard drains whenever it likes: what the kernel says of a file and what is pending belong together only if no drain was under way
 * between two looks. File's lock held: nothing is accepted meanwhile. */
struct look {
    uint64_t pending; /* bytes, at the first look */
    uint32_t seq;
    bool quiet;
};
static inline struct look file_look(const struct file *f)
{
    struct look l = {.quiet = true};
    if (!f->slot)
        return l;
    l.seq = atomic_load_explicit(&f->slot->seq, memory_order_acquire);
    l.quiet = atomic_load_explicit(&f->slot->intent_length, memory_order_acquire) == 0;
    l.pending = ring_pending(f->slot);
    return l;
}
static inline bool file_unchanged(const struct file *f, const struct look *before)
{
    if (!f->slot)
        return true;
    atomic_thread_fence(memory_order_acquire);
    return before->quiet && atomic_load_explicit(&f->slot->intent_length, memory_order_acquire) == 0 &&
           atomic_load_explicit(&f->slot->seq, memory_order_acquire) == before->seq;
}

/* The size of the file as the program should see it, given the kernel's and what was pending then. File's lock held. */
static inline int64_t file_size(const struct file *f, int64_t kernels, uint64_t pending)
{
    if (pending == 0)
        return kernels;
    if (f->slot->mode == RING_APPEND)
        return kernels + (int64_t)pending;
    int64_t end = ring_next_offset(f->slot);
    return end > kernels ? end : kernels;
}

/* ---- cache.c: tables' lock held ---- */

/* Closes an idle handle's descriptor for good, pending bytes first. False: they could not be written, it stays. */
bool cache_evict(struct handle *h, enum cause cause);
void cache_evict_file(struct file *f, enum cause cause);
/* How many idle descriptors there may be, by RLIMIT_NOFILE. */
uint32_t cache_limit(void);
/* Room for one more idle descriptor is made by closing the one longest idle; false when there can be none. */
bool cache_make_room(void);
/* Whether the description of h may be kept after the program's close. */
bool cache_wants(struct handle *h);

#endif
