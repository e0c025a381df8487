/* Starting the guard so that the program can't see it, and talking to it: see guarding.h and ring/guard.h.
 *
 * The idea: a child that shares our memory, without an exit signal, starts the guard and ends, and is collected as only a
 * __WCLONE wait can: the program's own wait() never meets it, nor the guard, which is then nobody's child here. The guard
 * has nothing of ours but its socket.
 */
#include "guarding.h"

#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <link.h>

#include "../log.h"
#include "../real.h"
#include "../ring/guard.h"
#include "../text.h"

#define STACK                  (64 * 1024)
#define ACKNOWLEDGED_WITHIN_MS 5000

#define ASK_MOST_MS   200
#define COPIES_OTHERS 8 /* descriptors that a guard has besides its copies of ours */

static _Atomic uint32_t nobody, nobody_needed = 1;
_Atomic(_Atomic uint32_t *) guard_word = &nobody;
static struct lock starting;
static _Atomic bool impossible;
static _Atomic bool unreachable; /* its socket is gone */
static _Atomic int64_t ask_ms;   /* one that is not yet at work isn't asked for again until then, */
static _Atomic int64_t asked_ms; /* for it was just now */
static uint32_t drops;
static _Atomic uint32_t copies, copies_most; /* of descriptors that the guard holds */

void guard_not_wanted(void)
{
    atomic_store(&guard_word, &nobody_needed);
}

static bool wanted(void)
{
    return tables.config.guard;
}

/* ---- our own descriptors ---- */

#define HIGH 1000 /* where they go: above what programs name by number, */
#define ROOM 64   /* and if it can be above what the program may have at all, so that it never misses them */

static long high_copy(int fd)
{
    struct rlimit limit, lifted;
    if (sys_prlimit(RLIMIT_NOFILE, &limit) < 0)
        return sys_fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (limit.rlim_cur > HIGH)
        return sys_fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    lifted = limit;
    lifted.rlim_cur = limit.rlim_cur + ROOM < limit.rlim_max ? limit.rlim_cur + ROOM : limit.rlim_max;
    if (lifted.rlim_cur > limit.rlim_cur && sys_setrlimit(RLIMIT_NOFILE, &lifted) == 0) {
        long high = sys_fcntl(fd, F_DUPFD_CLOEXEC, (long)limit.rlim_cur);
        sys_setrlimit(RLIMIT_NOFILE, &limit);
        if (high >= 0)
            return high;
    }
    return sys_fcntl(fd, F_DUPFD_CLOEXEC, limit.rlim_cur > 8 ? (long)limit.rlim_cur - 4 : 3);
}

/* Not in any list: they come and go where the tables' lock isn't held. */
static struct handle own[OWN_COUNT] = {{.kind = KIND_OWN, .idle = true, .fd = -1},
                                       {.kind = KIND_OWN, .idle = true, .fd = -1}};

static int *place_of(enum own which)
{
    return which == OWN_JOURNAL ? &tables.journal.fd : &tables.guard_socket;
}

bool own_place(enum own which, int fd)
{
    long high = high_copy(fd);
    if (high < 0)
        high = sys_fcntl(fd, F_DUPFD_CLOEXEC, 3);
    sys_close(fd);
    *place_of(which) = own[which].fd = (int)high;
    if (high >= 0 && high < TF_DESCRIPTORS)
        atomic_store(&tf_descriptors[high], &own[which]);
    return high >= 0;
}

static void forget(enum own which)
{
    int fd = own[which].fd;
    if (fd >= 0 && fd < TF_DESCRIPTORS && atomic_load(&tf_descriptors[fd]) == &own[which])
        atomic_store(&tf_descriptors[fd], NULL);
    own[which].fd = *place_of(which) = -1;
}

bool own_is(int fd)
{
    return fd >= 0 && (fd == own[OWN_JOURNAL].fd || fd == own[OWN_SOCKET].fd);
}

void own_move(int fd)
{
    for (enum own which = 0; which < OWN_COUNT; which++)
        if (own[which].fd == fd) {
            forget(which);
            own_place(which, fd);
        }
}

void own_lost(int fd)
{
    for (enum own which = 0; which < OWN_COUNT; which++)
        if (own[which].fd == fd)
            forget(which);
}

void own_close(enum own which)
{
    int fd = own[which].fd;
    forget(which);
    if (fd >= 0)
        sys_close(fd);
}

int tf_own_descriptors(int fds[2])
{
    int n = 0;
    for (enum own which = 0; which < OWN_COUNT; which++)
        if (own[which].fd >= 0)
            fds[n++] = own[which].fd;
    if (n == 2 && fds[0] > fds[1]) {
        int low = fds[1];
        fds[1] = fds[0];
        fds[0] = low;
    }
    return n;
}

/* ---- messages ---- */

/* The number may have been closed behind our back and be the program's by now. */
static bool still_ours(void)
{
    struct stat st;
    return tables.guard_socket > 2 && sys_fstat(tables.guard_socket, &st) == 0 && S_ISSOCK(st.st_mode) &&
           st.st_ino == tables.guard_socket_ino;
}

static void ask_at_once(void)
{
    atomic_store(&asked_ms, 0);
    atomic_store(&ask_ms, 0);
}

/* No message reaches it any more: dead or not, another is needed. */
static void guard_is_lost(void)
{
    atomic_store(&unreachable, true);
    ask_at_once();
    if (wanted())
        atomic_store(&guard_word, &nobody);
}

static bool tell_bytes(const void *bytes, size_t size, const int *fds, int count)
{
    struct iovec v = {(void *)bytes, size};
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = &v, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    }
    if (!still_ours()) {
        guard_is_lost();
        return false;
    }
    long done = sys_sendmsg(tables.guard_socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done == -EPIPE || done == -ECONNRESET || done == -ENOTCONN)
        guard_is_lost();
    return done == (long)size;
}

static bool tell(uint32_t kind, uint32_t handle, uint32_t value, const int *fds, int count)
{
    struct guard_message m = {kind, handle, value};
    return tell_bytes(&m, sizeof m, fds, count);
}

/* ---- becoming another process ---- */

struct launch {
    int socket; /* the guard's end */
    long guard; /* its process id, or -errno */
    const char *path;
    char *stack;
};

static void close_others(void)
{
    if (sys_close_range(GUARD_SOCKET + 1, ~0u, 0) == 0)
        return;
    struct rlimit limit = {1024, 1024};
    sys_prlimit(RLIMIT_NOFILE, &limit);
    for (uint64_t fd = GUARD_SOCKET + 1; fd < limit.rlim_max && fd < 1u << 20; fd++)
        sys_close((int)fd);
}

/* In a process of its own that shares our memory: from here to exec only system calls. */
static int become_guard(void *arg)
{
    struct launch *l = arg;
    char name[] = "traceshim-guard", serve[] = "--serve", disable[] = "TRACESHIM_DISABLE=1";
    char *argv[] = {name, serve, NULL}, *envp[] = {disable, NULL};
    sys_setsid();
    if (l->socket == GUARD_SOCKET)
        sys_fcntl(GUARD_SOCKET, F_SETFD, 0);
    else
        sys_dup3(l->socket, GUARD_SOCKET, 0);
    close_others();
    long null = sys_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);
    for (int fd = 0; fd <= 2; fd++) /* without /dev anything is better than the program's */
        if (null != fd)
            sys_dup3(null >= 0 ? (int)null : GUARD_SOCKET, fd, 0);
    if (null > 2)
        sys_close((int)null);
    sys_chdir("/");
    l->guard = sys_execve(l->path, argv, envp);
    sys_exit(127);
    return 0;
}

static int start_guard(void *arg)
{
    struct launch *l = arg;
    int pid = real_clone(become_guard, l->stack + STACK, CLONE_VM | CLONE_VFORK, l, NULL, NULL, NULL);
    if (l->guard == 0)
        l->guard = pid > 0 ? pid : -EAGAIN;
    sys_exit(0);
    return 0;
}

/* The executable beside the library, or where it is installed: libexec/traceshim next to lib/traceshim. */
static bool find_guard(char *path, size_t size)
{
    char link[32] = "/proc/self/fd/", library[PATH_MAX];
    long fd = sys_openat(AT_FDCWD, tables.library, O_PATH | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    struct text name = text_in(link, sizeof link);
    text_add(&name, "/proc/self/fd/");
    text_number(&name, (unsigned long long)fd);
    long n = sys_readlinkat(AT_FDCWD, link, library, sizeof library - 1);
    sys_close((int)fd);
    if (n <= 0)
        return false;
    while (n > 0 && library[n - 1] != '/')
        n--;
    static const char *const places[] = {"traceshim-guard", "../../libexec/traceshim/traceshim-guard"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct text t = text_in(path, size);
        text_bytes(&t, library, (size_t)n);
        text_add(&t, places[i]);
        if (!text_cut(&t) && sys_faccessat(AT_FDCWD, path, 1 /* X_OK */) == 0)
            return true;
    }
    return false;
}

/* Its process id, or -errno. Signals are blocked. */
static long launch(int socket, const char *path)
{
    char *stacks = sys_mmap(NULL, 2 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (sys_bad(stacks))
        return (long)stacks;
    struct launch l = {.socket = socket, .path = path, .stack = stacks + STACK};
    int reaps = 0, before = errno;
    sys_prctl(PR_GET_CHILD_SUBREAPER, (long)&reaps);
    if (reaps)
        sys_prctl(PR_SET_CHILD_SUBREAPER, 0);
    int child = real_clone(start_guard, stacks + STACK, CLONE_VM | CLONE_VFORK, &l, NULL, NULL, NULL);
    if (child > 0)
        while (sys_wait4(child, NULL, __WCLONE) == -EINTR) {
        }
    else
        l.guard = -errno;
    if (reaps)
        sys_prctl(PR_SET_CHILD_SUBREAPER, 1);
    errno = before;
    sys_munmap(stacks, 2 * STACK);
    return l.guard;
}

static bool greet(void)
{
    int fds[2] = {tables.journal.fd, (int)sys_pidfd_open((int)sys_getpid())};
    struct guard_hello hello = {.message = {GUARD_HELLO, (uint32_t)sys_getpid(), 0}};
    memcpy(hello.path, tables.journal.path, sizeof hello.path);
    report_path(hello.report, sizeof hello.report);
    bool done = tell_bytes(&hello, sizeof hello, fds, fds[1] >= 0 ? 2 : 1);
    if (fds[1] >= 0)
        sys_close(fds[1]);
    return done;
}

/* ---- whether it lives ---- */

/* The kernel marked the word when the guard died, and took its thread id out. */
static bool died(uint32_t word)
{
    return word & FUTEX_OWNER_DIED;
}

/* It has closed its end: before it is at work, only that tells of its death. */
static bool hung_up(void)
{
    char byte;
    return !still_ours() || sys_recv(tables.guard_socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

bool guard_present(void)
{
    struct journal_header *h = tables.journal.header;
    if (!h || tables.guard_socket < 3 || atomic_load(&unreachable))
        return false;
    return atomic_load(&h->ready) ? !died(atomic_load(&h->guard)) : !hung_up();
}

/* A lock in shared memory whose owner is a guard, this one or an earlier one that was cut off from us: whether that is dead. */
bool guard_owned(uint32_t owner)
{
    struct journal_header *h = tables.journal.header;
    if (!h)
        return false;
    if (atomic_load(&h->guard_thread) == owner)
        return died(atomic_load(&h->guard));
    return sys_tgkill((int)sys_getpid(), (int)owner, 0) == -ESRCH && sys_kill((int)owner, 0) == -ESRCH;
}

/* A dead guard lets go of its locks; what it was doing, the next drain finds out (ring_settle). */
static void take_its_locks(struct journal_header *h)
{
    uint32_t dead = atomic_load(&h->guard_thread);
    if (!dead || !died(atomic_load(&h->guard)))
        return;
    for (uint32_t i = 0; i < atomic_load(&h->slots); i++)
        lock_break(&tables.journal.slots[i].lock, dead);
}

/* ---- starting ---- */

static void new_header(struct journal_header *h)
{
    take_its_locks(h);
    atomic_store(&h->ready, 0);
    atomic_store(&h->guard, 0);
    atomic_store(&h->acknowledged, drops); /* it holds nothing of what was dropped before */
}

static void most_copies(void)
{
    struct rlimit limit = {1024, 1024};
    sys_prlimit(RLIMIT_NOFILE, &limit);
    uint64_t most = limit.rlim_max > COPIES_OTHERS ? limit.rlim_max - COPIES_OTHERS : 0;
    atomic_store(&copies_most, most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
    atomic_store(&copies, 0);
}

/* A new guard knows nothing: every handle is told to it again, before it is next relied on. */
static bool start(void)
{
    char path[PATH_MAX];
    int ends[2];
    struct stat st;
    if (sys_getpid() == 1 || !tables.journal.header || !find_guard(path, sizeof path))
        return false;
    if (sys_socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, ends) < 0)
        return false;
    own_close(OWN_SOCKET);
    new_header(tables.journal.header);
    most_copies();
    long pid = launch(ends[1], path);
    sys_close(ends[1]);
    if (pid <= 0) {
        sys_close(ends[0]);
        return false;
    }
    if (!own_place(OWN_SOCKET, ends[0]) || sys_fstat(tables.guard_socket, &st) < 0)
        return false;
    tables.guard_socket_ino = st.st_ino;
    atomic_store(&tables.journal.header->guard_thread, (uint32_t)pid);
    atomic_store(&unreachable, false);
    tables.generation++;
    if (!greet())
        return false;
    journal_name(&tables.journal);
    return true;
}

/* There is none, and there will be none: who has bytes pending drains now, and nothing is buffered any more. */
static void none_possible(void)
{
    atomic_store(&impossible, true);
    tables.unguarded = true;
    log_line("traceshim: no guard could be started: files are written through");
}

/* A guard that comes to work late (a busy machine) costs ever fewer questions. */
static void ask_later(void)
{
    int64_t now = sys_now_ms(), before = atomic_load(&asked_ms), wait = atomic_load(&ask_ms) - before;
    atomic_store(&asked_ms, now);
    atomic_store(&ask_ms, now + (wait < 1 ? 1 : wait < ASK_MOST_MS ? 2 * wait : wait));
}

static bool asked_lately(void)
{
    return sys_now_ms() < atomic_load_explicit(&ask_ms, memory_order_relaxed) && tables.journal.header &&
           !atomic_load(&tables.journal.header->ready);
}

bool guard_ensure(void)
{
    if (!wanted() || guard_alive())
        return true;
    if (atomic_load(&impossible))
        return false;
    if (asked_lately())
        return true;
    uint64_t old = sys_block_signals();
    lock_take(&starting, self.tid);
    bool done = guard_present();
    if (!done) {
        atomic_store(&guard_word, &nobody);
        ask_at_once();
        done = start();
        if (!done)
            none_possible();
        atomic_store(&tables.due_ms, 0); /* the other files' bytes are looked after on the way out (windows_pass) */
    }
    /* Until it is at work, writes ask here again. */
    if (done)
        ask_later();
    else
        ask_at_once();
    if (done && atomic_load(&tables.journal.header->ready))
        atomic_store(&guard_word, &tables.journal.header->guard);
    lock_drop(&starting);
    sys_restore_signals(old);
    return done;
}

void guard_give_up(void)
{
    if (tables.guard_socket < 3 && tables.journal.fd < 3)
        return;
    ask_at_once();
    atomic_store(&impossible, true);
    tables.unguarded = true;
    if (wanted())
        atomic_store(&guard_word, &nobody);
    own_close(OWN_SOCKET);
    own_close(OWN_JOURNAL);
}

bool guard_add(struct handle *h)
{
    uint32_t generation =
        __atomic_load_n(&tables.generation, __ATOMIC_RELAXED); /* once: another thread may begin the next */
    if (!wanted() || h->generation == generation)
        return true;
    if (h->number == 0)
        h->number = atomic_fetch_add(&tables.handle_numbers, 1) + 1;
    if (atomic_load_explicit(&copies, memory_order_relaxed) >= atomic_load_explicit(&copies_most, memory_order_relaxed))
        return false;
    if (!tell(GUARD_ADD, h->number, generation << 1 | h->file->publishes, &h->fd, 1))
        return false;
    h->generation = generation;
    atomic_fetch_add(&copies, 1);
    return true;
}

static void tell_to_drop(uint32_t kind, uint32_t what)
{
    uint32_t number = __atomic_add_fetch(&drops, 1, __ATOMIC_RELAXED);
    for (int tries = 0; !tell(kind, what, number, NULL, 0) && guard_present() && tries < 100; tries++) {
        struct timespec ms = {0, 1000000}; /* its queue is full */
        sys_nanosleep(&ms);
    }
}

void guard_drop(struct handle *h)
{
    if (!wanted() || h->number == 0 || h->generation != tables.generation || !guard_present())
        return;
    atomic_fetch_sub(&copies, 1);
    tell_to_drop(GUARD_DROP, h->number);
}

/* A write that comes meanwhile tells the guard of its handle again, in the new generation, and then buffers; one that began before
 * has ended, and its bytes have drained, when each file's lock was held once. */
void guard_drop_all(enum cause cause)
{
    bool left = false;
    if (!wanted() || !guard_present())
        return;
    tables.generation++;
    atomic_store(&copies, 0);
    for (struct file *f = tables.files; f; f = f->hh.next) {
        take_file(f->lock);
        file_drain(f, cause, true);
        left |= file_pending_bytes(f) > 0;
        drop_file(f->lock);
    }
    if (left)
        return;
    tell_to_drop(GUARD_DROP_OLDER, tables.generation);
    guard_settle();
}

void guard_settle(void)
{
    if (!wanted() || drops == 0 || !tables.journal.header)
        return;
    _Atomic uint32_t *done = &tables.journal.header->acknowledged;
    int64_t until = sys_now_ms() + ACKNOWLEDGED_WITHIN_MS;
    struct timespec wait = {0, 10 * 1000000};
    for (uint32_t seen; (int32_t)((seen = atomic_load(done)) - drops) < 0;) {
        if (!guard_present() || sys_now_ms() > until)
            return;
        sys_futex(done, FUTEX_WAIT, seen, &wait);
    }
}

void guard_kick(void)
{
    tell(GUARD_KICK, 0, 0, NULL, 0);
}

void guard_in_child(void)
{
    if (atomic_load(&guard_word) != &nobody_needed)
        atomic_store(&guard_word, &nobody);
    starting = (struct lock){0};
    own_close(OWN_SOCKET);
    drops = 0;
    ask_at_once();
    tables.left_to_guard = false;
    atomic_store(&impossible, tables.filtered);
    tables.unguarded = tables.filtered;
    tables.generation++;
}

void guard_forbidden(void)
{
    struct timespec a_bit = {0, 200000};
    tables.left_to_guard = guard_present();
    while (tables.left_to_guard && !atomic_load(&tables.journal.header->ready)) { /* later, asking may be forbidden */
        sys_nanosleep(&a_bit);
        tables.left_to_guard = guard_present();
    }
    tables.filtered = true;
    atomic_store(&impossible, true);
    tables.unguarded = true;
    if (wanted())
        atomic_store(&guard_word, &nobody);
}
