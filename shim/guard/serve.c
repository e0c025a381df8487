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

#include <fcntl.h>
#include <grp.h>
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
#include "copies.h"
#include "recover.h"

#define EARLY_MS 30
#define HURRY_MS 10 /* the window after TERM, HUP or INT */

static struct journal journal;
static struct guard_hello said; /* what it does by name: the process may have given up rights since */
static int process = -1;        /* a pidfd */
static uint32_t process_id;
static bool dead, hung_up;
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
    snprintf(path, sizeof path, "/proc/%u/stat", process_id);
    long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return kill((pid_t)process_id, 0) < 0 && errno == ESRCH;
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

static bool is_guard(uint32_t pid)
{
    char path[32], name[32];
    snprintf(path, sizeof path, "/proc/%u/comm", pid);
    long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    long n = sys_read((int)fd, name, sizeof name);
    sys_close((int)fd);
    return n == 16 && memcmp(name, "traceshim-guard", 15) == 0;
}

/* The owner of a lock is a thread of the process, or another guard that was cut off from it and may still be writing. */
static bool orphaned(uint32_t owner)
{
    return process_dead() && (owner == process_id || !is_guard(owner));
}

/* ---- copies ---- */

/* The descriptor through which the slot's bytes go, -1 when it hasn't come yet. */
static int descriptor(struct slot *s, void *arg)
{
    (void)arg;
    return copies_descriptor(s->owner);
}

/* ---- whose rights ---- */

/* By the directory, which is ours alone, and only what is ours there. */
static void remove_journal(void)
{
    char *name = strrchr(journal.path, '/');
    struct stat ours, named, where;
    if (!name)
        return;
    *name = 0;
    int dir = open(journal.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *name++ = '/';
    if (dir < 0)
        return;
    if (fstat(dir, &where) == 0 && where.st_uid == geteuid() && !(where.st_mode & 077) &&
        fstat(journal.fd, &ours) == 0 && fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        named.st_dev == ours.st_dev && named.st_ino == ours.st_ino)
        unlinkat(dir, name, 0);
    close(dir);
}

/* The numbers after `name` in /proc/PID/status; how many. */
static int numbers_of(const char *status, const char *name, unsigned *ids, int most)
{
    const char *at = strstr(status, name);
    int n = 0;
    char *end;
    for (at = at ? at + strlen(name) : NULL; at && n < most; at = end, n++) {
        ids[n] = (unsigned)strtoul(at, &end, 10);
        if (end == at)
            break;
    }
    return n;
}

/* A process that began as root and has given that up for good is not to have root's rights here, through memory or descriptors that it
 * shares with us: we become who it is. Nothing that is left to do needs more. */
static void become_the_same(void)
{
    char path[32], status[4096];
    unsigned users[4], groups[4];
    if (geteuid() != 0)
        return;
    snprintf(path, sizeof path, "/proc/%u/status", (unsigned)process_id);
    long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    long n = sys_read((int)fd, status, sizeof status - 1);
    sys_close((int)fd);
    if (n <= 0)
        return;
    status[n] = 0;
    if (numbers_of(status, "\nUid:", users, 4) != 4 || numbers_of(status, "\nGid:", groups, 4) != 4 || !users[0] ||
        !users[1] || !users[2])
        return;
    remove_journal(); /* recovery would believe it */
    if (setgroups(0, NULL) != 0 || setresgid(groups[1], groups[1], groups[1]) != 0 ||
        setresuid(users[1], users[1], users[1]) != 0)
        return; /* it can't be said in this user namespace: what is read is checked all the same */
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

static void hello(const struct guard_hello *h, int fd, int pidfd)
{
    if (journal_map(&journal, fd) < 0)
        exit(1);
    process = pidfd;
    process_id = h->message.handle;
    lock_orphaned = orphaned;
    said = *h;
    said.path[sizeof said.path - 1] = said.report[sizeof said.report - 1] = 0;
    memcpy(journal.path, said.path, sizeof journal.path);
    be_seen();
    recover_others();
}

/* Says whether it has taken the descriptors. */
static bool received(const struct guard_hello *h, size_t size, const int *fds, int count)
{
    const struct guard_message *m = &h->message;
    if (!journal.header) { /* the first says hello, no other does */
        if (m->kind != GUARD_HELLO || size != sizeof *h || count < 1)
            return false;
        hello(h, fds[0], count >= 2 ? fds[1] : -1);
        return true;
    }
    if (size != sizeof *m)
        return false;
    switch (m->kind) {
    case GUARD_ADD:
        if (count != 1)
            return false;
        become_the_same();
        copies_keep(m->handle, fds[0], m->value >> 1, m->value & 1);
        return true;
    case GUARD_DROP:
    case GUARD_DROP_OLDER:
        if (m->kind == GUARD_DROP)
            copies_drop(m->handle);
        else
            copies_drop_older(m->handle, journal.fd > process ? journal.fd : process);
        atomic_store(&journal.header->acknowledged, m->value);
        sys_futex(&journal.header->acknowledged, FUTEX_WAKE, 1 << 30, NULL);
        return false;
    default: return false;
    }
}

/* All messages that are there; at their end the process has closed its socket. */
static void listen_to_all(void)
{
    for (;;) {
        static struct guard_hello m; /* the longest */
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
        if (!received(&m, (size_t)n, fds, count))
            while (count > 0)
                close(fds[--count]);
    }
}

/* ---- draining ---- */

static struct counters *counters(const struct slot *s)
{
    static struct counters none;
    struct shown *shown = journal_shown(&journal, s);
    return shown ? &shown->n : &none;
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
    int done = ring_drain(s, journal_ring_of(&journal, s), fd, &n->drain_calls, &n->drained);
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
    copies_publish(s->owner);
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
    uint32_t n = journal_slots(&journal);
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
    uint32_t n = journal_sides(j);
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &j->sides[i];
        if (!atomic_load(&side->owner))
            continue;
        for (struct side_entry *at, entry; (at = side_first_whole(side, &entry));) {
            const struct side_entry *e = &entry;
            struct slot *s = e->slot < JOURNAL_SLOTS ? &j->slots[e->slot] : NULL;
            int fd = s ? get(s, arg) : -1;
            if (s && !merged(side, e, s)) {
                if (fd < 0 || ring_pending(s) > 0) {
                    all = false;
                    break;
                }
                struct iovec v = {at + 1, e->length};
                long done =
                    s->mode == RING_APPEND ? sys_writev(fd, &v, 1) : sys_pwritev(fd, &v, 1, ring_next_offset(s));
                if (done != (long)e->length)
                    all = false;
            }
            side_next_after(side, at, e);
        }
    }
    return all;
}

/* The records, copied: nobody changes them while they are read. */
struct records {
    unsigned char *bytes;
    size_t size;
};

static const struct shown *next_record(const struct shown *before, void *arg)
{
    const struct records *r = arg;
    const unsigned char *end = r->bytes + r->size;
    const unsigned char *at = before ? (const unsigned char *)before + before->size : r->bytes;
    if (at + sizeof(struct shown) > end)
        return NULL;
    const struct shown *next = (const struct shown *)(const void *)at;
    bool whole = next->size > sizeof *next && next->size <= (size_t)(end - at) && next->size % 8 == 0 &&
                 next->length < next->size - sizeof *next && next->path[next->length] == 0 &&
                 next->unmanaged < REASON_COUNT;
    return whole ? next : NULL; /* a record that was cut off by the death of its process ends the list */
}

/* One with a bit for no reason is somebody's joke. */
static void sound(const struct records *r)
{
    for (const struct shown *s = NULL; (s = next_record(s, (void *)r));)
        ((struct shown *)s)->through &= (1u << REASON_COUNT) - 1;
}

void serve_report(const struct journal *j)
{
    struct journal_header *h = j->header;
    char path[sizeof h->report], program[sizeof h->program + 1] = "";
    memcpy(path, j == &journal ? said.report : h->report, sizeof path);
    path[sizeof path - 1] = 0;
    memcpy(program, h->program, sizeof h->program);
    if (!path[0] || strcmp(path, "-") == 0 || atomic_load(&h->ended))
        return;
    struct records records = {.size = journal_records(j)};
    records.bytes = malloc(records.size + 1);
    if (!records.bytes)
        return;
    memcpy(records.bytes, j->memory + j->records_at, records.size);
    sound(&records);
    struct report_facts facts = {.pid = h->pid,
                                 .start_ticks = h->start_ticks,
                                 .program = program,
                                 .started = h->started,
                                 .started_ms = h->started_ms,
                                 .state = atomic_load(&h->silent) ? "on" : "killed",
                                 .next = next_record,
                                 .arg = &records};
    if (!j->path[0] && j == &journal)
        facts.weaker[0] = WEAKER_NO_JOURNAL;
    report_to(path, &facts);
    free(records.bytes);
}

/* The process is gone, or is another program now. */
static int finish(void)
{
    become_the_same();
    bool all = true;
    uint32_t me = (uint32_t)sys_gettid(), n = journal_slots(&journal);
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
        remove_journal();
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
