/*
 * The guard of one process: see serve.h, and ring/guard.h for how they talk.
 *
 * The idea: it shares the process's buffers and holds a copy of every description whose bytes may be in them. Before the oldest bytes are
 * older than the window it drains them; half-full rings it drains when asked; and when the
 * process is dead, everything. It needs nothing of the process but its shared memory.
 *
 * Rules: one thread. While the process lives, a slot's lock is taken before its bytes are moved, and never waited for long: who holds it is
 * draining. Signals that end a session are ignored; those that announce the end of the machine make it hurry.
 */
#include "serve.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../report.h"
#include "../ring/guard.h"
#include "recover.h"

#define EARLY_MS 30
#define HURRY_MS 10 /* the window after TERM, HUP or INT */

struct copy {
    int fd;        /* -1: not held */
    uint32_t generation;
    bool publishes; /* its file system shows bytes to others at close */
};

static struct journal journal;
static char report[sizeof ((struct journal_header *)0)->report]; /* as it was at the beginning: the process may have given up rights since */
static int process = -1; /* a pidfd */
static bool dead, hung_up;
static struct copy *copies; /* by the handle's number */
static uint32_t copies_size;
static struct {
    int64_t oldest_ms;  /* nothing pending is older than this, whatever the slot says */
    uint64_t published; /* head when the file was last closed for others to see */
} slots[JOURNAL_SLOTS];
static volatile sig_atomic_t hurry;

/* ---- liveness ---- */

/* So that the process sees our death in header.guard, which the kernel marks for us: set_robust_list(2). */
static struct {
    struct robust_list_head head;
    struct robust_list entry;
} robust;

static void be_seen(void)
{
    struct journal_header *h = journal.header;
    robust.head.list.next = &robust.head.list;
    robust.head.futex_offset = 0;
    robust.head.list_op_pending = (struct robust_list *)(void *)&h->guard;
    syscall(SYS_set_robust_list, &robust.head, sizeof robust.head);
    atomic_store(&h->guard, (uint32_t)sys_gettid());
    atomic_store(&h->ready, 1);
}

/* Where the kernel has no pidfd: a zombie is dead, and so is a process whose number another one has. */
static bool dead_by_proc(void)
{
    char path[32], memory[1024];
    snprintf(path, sizeof path, "/proc/%u/stat", journal.header->pid);
    long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return kill((pid_t)journal.header->pid, 0) < 0 && errno == ESRCH;
    long n = sys_read((int)fd, memory, sizeof memory - 1);
    sys_close((int)fd);
    if (n <= 0)
        return true;
    memory[n] = 0;
    const char *p = strrchr(memory, ')');
    if (!p || p[1] != ' ' || p[2] == 'Z' || p[2] == 'X')
        return true;
    for (int field = 2; p && field < 22; field++)
        p = strchr(p + 1, ' ');
    return !p || strtoull(p, NULL, 10) != journal.header->start_ticks;
}

static bool process_dead(void)
{
    if (dead)
        return true;
    if (process >= 0) {
        struct pollfd p = {process, POLLIN, 0};
        dead = poll(&p, 1, 0) == 1;
    } else {
        dead = dead_by_proc();
    }
    return dead;
}

/* The owner of a lock is a thread of the process, or another guard that was cut off from it and may still be writing. */
static bool orphaned(uint32_t owner)
{
    return process_dead() && (owner == journal.header->pid || (kill((pid_t)owner, 0) < 0 && errno == ESRCH));
}

/* ---- copies ---- */

static void keep(uint32_t handle, int fd, uint32_t generation, bool publishes)
{
    if (handle >= copies_size) {
        uint32_t size = handle + 64;
        struct copy *more = realloc(copies, size * sizeof *copies);
        if (!more) {
            close(fd);
            return;
        }
        for (uint32_t i = copies_size; i < size; i++)
            more[i].fd = -1;
        copies = more;
        copies_size = size;
    }
    if (copies[handle].fd >= 0)
        close(copies[handle].fd);
    copies[handle] = (struct copy){fd, generation, publishes};
}

static void drop(uint32_t handle)
{
    if (handle < copies_size && copies[handle].fd >= 0) {
        close(copies[handle].fd);
        copies[handle].fd = -1;
    }
}

static bool older(const struct copy *c, uint32_t generation)
{
    return (int32_t)((c->generation - generation) << 1) < 0; /* 31 bits of them are known */
}

/* All of them by one call, if that can be: nothing of our own came after the first copy. */
static bool drop_together(uint32_t generation)
{
    int first = INT_MAX, last = -1;
    for (uint32_t i = 0; i < copies_size; i++) {
        int fd = copies[i].fd;
        if (fd < 0)
            continue;
        if (!older(&copies[i], generation))
            return false;
        first = fd < first ? fd : first;
        last = fd > last ? fd : last;
    }
    if (last < 0)
        return true;
    if (first <= GUARD_SOCKET || first <= journal.fd || first <= process ||
        sys_close_range((unsigned)first, (unsigned)last) < 0)
        return false;
    for (uint32_t i = 0; i < copies_size; i++)
        copies[i].fd = -1;
    return true;
}

static void drop_older(uint32_t generation)
{
    if (drop_together(generation))
        return;
    for (uint32_t i = 0; i < copies_size; i++)
        if (older(&copies[i], generation))
            drop(i);
}

/* The descriptor through which the slot's bytes go, -1 when it hasn't come yet. */
static int descriptor(struct slot *s, void *arg)
{
    (void)arg;
    return s->owner < copies_size && s->owner > 0 ? copies[s->owner].fd : -1;
}

/* ---- messages ---- */

/* What earlier processes of the user's left is none of this one's business, but its guard is the next who could write it: in a
 * process of its own, for their file systems may be slow. */
static void recover_others(void)
{
    char where[sizeof journal.path];
    signal(SIGCHLD, SIG_IGN);
    char *end = strstr(journal.path, "/traceshim-");
    if (!journal.path[0] || !end || fork() != 0)
        return;
    snprintf(where, sizeof where, "%.*s", (int)(end - journal.path), journal.path);
    close(GUARD_SOCKET);
    close(journal.fd);
    recover(where, RECOVER_WRITE, false, NULL);
    _exit(0);
}

static void hello(int fd, int pidfd)
{
    if (journal_map(&journal, fd) < 0)
        exit(1);
    process = pidfd;
    lock_orphaned = orphaned;
    snprintf(journal.path, sizeof journal.path, "%s", journal.header->path);
    snprintf(report, sizeof report, "%s", journal.header->report);
    be_seen();
    recover_others();
}

static void received(const struct guard_message *m, const int *fds, int count)
{
    switch (m->kind) {
    case GUARD_HELLO:
        if (count >= 1)
            hello(fds[0], count >= 2 ? fds[1] : -1);
        break;
    case GUARD_ADD:
        if (count == 1)
            keep(m->handle, fds[0], m->value >> 1, m->value & 1);
        break;
    case GUARD_DROP:
    case GUARD_DROP_OLDER:
        if (m->kind == GUARD_DROP)
            drop(m->handle);
        else
            drop_older(m->handle);
        atomic_store(&journal.header->acknowledged, m->value);
        sys_futex(&journal.header->acknowledged, FUTEX_WAKE, 1 << 30, NULL);
        break;
    default:
        break;
    }
}

/* All messages that are there; at their end the process has closed its socket. */
static void listen_to_all(void)
{
    for (;;) {
        struct guard_message m;
        struct iovec v = {&m, sizeof m};
        union {
            struct cmsghdr align;
            char space[CMSG_SPACE(2 * sizeof(int))];
        } control;
        struct msghdr message = {
            .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
        ssize_t n = recvmsg(GUARD_SOCKET, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return;
        if (n == 0) {
            hung_up = true;
            return;
        }
        int fds[2], count = 0;
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
            count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
            memcpy(fds, CMSG_DATA(c), (size_t)count * sizeof(int));
        }
        if (n == (ssize_t)sizeof m)
            received(&m, fds, count);
    }
}

/* ---- draining ---- */

static struct counters *counters(const struct slot *s)
{
    static struct counters none;
    return s->record ? &((struct shown *)(void *)(journal.memory + s->record))->n : &none;
}

/* Drains a slot. False: bytes are left. Its lock is held. */
static bool drain(struct slot *s, enum cause cause)
{
    if (ring_pending(s) == 0)
        return true; /* only while bytes are pending can't the process give the slot another owner */
    int fd = descriptor(s, NULL);
    if (fd < 0)
        return false;
    struct counters *n = counters(s);
    int64_t now = sys_now_ms();
    uint64_t before = atomic_load(&s->head);
    atomic_fetch_add(&journal.header->drains, 1);
    int done = ring_drain(s, journal_at(&journal, s), fd, &n->drain_calls, &n->drained);
    atomic_fetch_add(&journal.header->drains, 1);
    if (atomic_load(&s->head) != before) {
        n->drains++;
        n->causes[cause]++;
    }
    slots[s - journal.slots].oldest_ms = now; /* what is left came while we wrote */
    if (done < 0)
        atomic_store(&s->error, -done);
    return done == 0;
}

/* Others see the bytes of files that the program has closed. */
static void publish(struct slot *s, uint32_t i)
{
    uint64_t head = atomic_load(&s->head);
    if (slots[i].published == head || !atomic_load(&s->closed) || ring_pending(s) > 0)
        return;
    slots[i].published = head;
    if (s->owner < copies_size && copies[s->owner].fd >= 0 && copies[s->owner].publishes)
        close(dup(copies[s->owner].fd));
}

static unsigned window(void)
{
    return hurry ? HURRY_MS : journal.header->window_ms;
}

/* How long to sleep at most: bytes that come right after a look are found before they are due. */
static int interval(void)
{
    unsigned most = window() / 4 * 3;
    return most < 1 ? 1 : most > 60000 ? 60000 : (int)most;
}

/* When the slot's oldest byte must go: a little before the window ends, for clocks tick and wake-ups are late. */
static int64_t due(const struct slot *s, uint32_t i)
{
    int64_t oldest = s->first_ms > slots[i].oldest_ms ? s->first_ms : slots[i].oldest_ms;
    unsigned early = window() / 8 < EARLY_MS ? window() / 8 : EARLY_MS;
    return oldest + window() - early;
}

/* Looks at one slot; says when to look again. */
static int64_t look(struct slot *s, uint32_t i, int64_t now)
{
    if (ring_pending(s) > 0) {
        bool asked = atomic_load(&s->asked) && ring_pending(s) >= s->size / 2;
        if (asked || now >= due(s, i)) {
            if (!lock_try(&s->lock, (uint32_t)sys_gettid()))
                return now + 1; /* the process is draining it */
            drain(s, asked ? CAUSE_ahead : CAUSE_window);
            atomic_store(&s->asked, 0); /* afterwards: until then the ring looks as full as it was */
            lock_drop(&s->lock);
        }
    }
    if (atomic_load_explicit(&s->asked, memory_order_relaxed) && ring_pending(s) < s->size / 2)
        atomic_store(&s->asked, 0); /* the process was faster: it may ask again */
    publish(s, i);
    return ring_pending(s) > 0 ? due(s, i) : INT64_MAX;
}

/* Looks at all slots. Milliseconds until the next look, if nobody asks for one. */
static int look_at_all(void)
{
    int64_t now = sys_now_ms(), next = now + interval();
    uint32_t n = atomic_load(&journal.header->slots);
    for (uint32_t i = 0; i < n; i++) {
        int64_t again = look(&journal.slots[i], i, now);
        if (again < next)
            next = again;
    }
    now = sys_now_ms();
    return next > now ? (int)(next - now) : 1;
}

/* ---- the end ---- */

static bool merged(const struct side *side, const struct side_entry *e, const struct slot *s)
{
    return side->merge_slot == e->slot && side->merge_head == atomic_load(&side->head) && side->merge_tail != 0 &&
           atomic_load(&s->tail) >= side->merge_tail;
}

bool serve_sides(struct journal *j, int (*get)(struct slot *s, void *arg), void *arg)
{
    bool all = true;
    uint32_t n = atomic_load(&j->header->sides);
    for (uint32_t i = 0; i < n && i < SIDES; i++) {
        struct side *side = &j->sides[i];
        if (!atomic_load(&side->owner))
            continue;
        for (struct side_entry *e; (e = side_first(side));) {
            struct slot *s = e->slot < JOURNAL_SLOTS ? &j->slots[e->slot] : NULL;
            int fd = s ? get(s, arg) : -1;
            if (s && !merged(side, e, s)) {
                if (fd < 0 || ring_pending(s) > 0) {
                    all = false;
                    break;
                }
                struct iovec v = {e + 1, e->length};
                long done = s->mode == RING_APPEND ? sys_writev(fd, &v, 1) : sys_pwritev(fd, &v, 1, ring_next_offset(s));
                if (done != (long)e->length)
                    all = false;
            }
            side_next(side);
        }
    }
    return all;
}

static const struct shown *next_record(const struct shown *before, void *arg)
{
    const struct journal *j = arg;
    const unsigned char *records = j->memory + j->header->records_at;
    const unsigned char *end = records + atomic_load(&j->header->records_used);
    const unsigned char *at = before ? (const unsigned char *)before + before->size : records;
    if (at + sizeof(struct shown) > end)
        return NULL;
    const struct shown *next = (const struct shown *)(const void *)at;
    bool whole = next->size > sizeof *next + next->length && next->size <= (size_t)(end - at);
    return whole ? next : NULL; /* a record that was cut off by the death of its process ends the list */
}

void serve_report(const struct journal *j)
{
    struct journal_header *h = j->header;
    const char *path = j == &journal ? report : h->report;
    h->program[sizeof h->program - 1] = h->report[sizeof h->report - 1] = 0;
    if (!path[0] || strcmp(path, "-") == 0 || atomic_load(&h->ended))
        return;
    struct report_facts facts = {.pid = h->pid,
                                 .start_ticks = h->start_ticks,
                                 .program = h->program,
                                 .started = h->started,
                                 .started_ms = h->started_ms,
                                 .state = atomic_load(&h->silent) ? "on" : "killed",
                                 .next = next_record,
                                 .arg = (void *)j};
    if (!h->path[0])
        facts.weaker[0] = WEAKER_NO_JOURNAL;
    report_to(path, &facts);
}

/* The process is gone, or is another program now. */
static int finish(void)
{
    bool all = true;
    uint32_t me = (uint32_t)sys_gettid(), n = atomic_load(&journal.header->slots);
    for (uint32_t i = 0; i < n; i++) {
        struct slot *s = &journal.slots[i];
        uint32_t owner = lock_owner(&s->lock);
        if (owner && orphaned(owner))
            lock_break(&s->lock, owner);
        lock_take(&s->lock, me);
        all &= drain(s, process_dead() ? CAUSE_death : CAUSE_exit);
        publish(s, i);
        lock_drop(&s->lock);
    }
    if (process_dead()) {
        all &= serve_sides(&journal, descriptor, NULL);
        serve_report(&journal);
    }
    if (all && (process_dead() || atomic_load(&journal.header->leaving)))
        unlinkat(AT_FDCWD, journal.path, 0);
    return all ? 0 : 1;
}

/* ---- being there ---- */

static void told_to_end(int signal)
{
    (void)signal;
    hurry = 1;
}

/* Every handle of the process may need a copy here. */
static void limits(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void signals(void)
{
    static const int ignored[] = {SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM};
    static const int ends[] = {SIGTERM, SIGHUP, SIGINT};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    struct sigaction action = {.sa_handler = told_to_end};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        sigaction(ends[i], &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A process that dies closes its socket a moment before it counts as dead. One that doesn't die has become another program, or has lost
 * the socket: it will start another guard when it sees this one gone. */
static void wait_for_death(void)
{
    struct pollfd p = {process, POLLIN, 0};
    int64_t until = sys_now_ms() + (atomic_load(&journal.header->leaving) ? 100 : 1000);
    while (!process_dead() && sys_now_ms() < until) {
        int ms = look_at_all();
        if (process >= 0)
            poll(&p, 1, ms < 100 ? ms : 100);
        else
            poll(NULL, 0, 1);
    }
}

int serve(void)
{
    signals();
    limits();
    int ms = -1;
    for (;;) {
        struct pollfd p[2] = {{GUARD_SOCKET, POLLIN, 0}, {process, POLLIN, 0}};
        poll(p, process >= 0 ? 2 : 1, ms);
        listen_to_all();
        if (!journal.header) {
            if (hung_up)
                return 1;
            continue;
        }
        if (process_dead()) {
            listen_to_all(); /* what it said before it died */
            return finish();
        }
        if (hung_up) {
            wait_for_death();
            return finish();
        }
        ms = look_at_all();
    }
}
