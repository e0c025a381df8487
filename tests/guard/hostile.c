/* hostile SEED CANARY: begins as root, buffers records, becomes nobody, and then does to the memory that it shares with its guard, and to the
 * socket, whatever it likes. The guard may lose the bytes; it must not crash, hang, or touch CANARY.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../shim/ring/guard.h"

static unsigned seed;
static const char *canary;
static unsigned char *memory;
static size_t size;

static uint64_t any(uint64_t below)
{
    uint64_t r = (uint64_t)rand_r(&seed) << 62 ^ (uint64_t)rand_r(&seed) << 31 ^ (uint64_t)rand_r(&seed);
    return below ? r % below : r;
}

/* A number that somebody might forget to think of. */
static uint64_t odd(void)
{
    switch (any(8)) {
    case 0: return 0;
    case 1: return ~(uint64_t)0;
    case 2: return (uint64_t)1 << 63;
    case 3: return size - any(100);
    case 4: return ~(uint64_t)0 - any(1 << 20);
    case 5: return any(1 << 20);
    case 6: return (uint64_t)1 << any(64);
    default: return any(0);
    }
}

static void find_memory(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096], rights[8];
    unsigned long from, to;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) == 3 && strcmp(rights, "rw-s") == 0 &&
            memcmp((void *)from, JOURNAL_MAGIC, 7) == 0) {
            memory = (void *)from;
            size = to - from;
        }
    if (maps)
        fclose(maps);
    if (!memory) {
        printf("there is no shared memory\n");
        exit(3);
    }
}

static void spoil_a_slot(struct slot *s)
{
    switch (any(14)) {
    case 0: s->mode = (uint32_t)odd(); break;
    case 1: s->owner = (uint32_t)odd(); break;
    case 2: s->record = odd(); break;
    case 3: s->record = any(size); break;
    case 4: s->size = (uint32_t)odd(); break;
    case 5: s->ring = odd(); break;
    case 6: s->base = (int64_t)odd(); break;
    case 7: atomic_store(&s->tail, odd()); break;
    case 8: atomic_store(&s->head, odd()); break;
    case 9: atomic_store(&s->seq, (uint32_t)odd()); break;
    case 10: s->commit[any(2)] = (struct ring_commit){odd(), (int64_t)odd()}; break;
    case 11:
        s->intent_head = s->commit[s->seq & 1].head;
        s->intent_from = (int64_t)odd();
        atomic_store(&s->intent_length, odd());
        break;
    case 12: atomic_store(&s->lock.word, (uint32_t)(any(2) ? 1 : odd())); break;
    default: s->first_ms = (int64_t)odd(); break;
    }
}

static void spoil(void)
{
    struct journal_header *h = (void *)memory;
    struct slot *slots = (void *)(memory + h->slots_at);
    struct side *side = (void *)(memory + h->sides_at + any(4) * sizeof(struct side));
    switch (any(9)) {
    case 0: atomic_store(&h->slots, (uint32_t)odd()); break;
    case 1: atomic_store(&h->records_used, (uint32_t)odd()); break;
    case 2: atomic_store(&h->sides, (uint32_t)any(SIDES + 2)); break;
    case 3:
        strcpy(any(2) ? h->path : h->report, canary);
        memset(h->program, 'p', sizeof h->program);
        break;
    case 4:
        atomic_store(&h->sides, (uint32_t)any(8));
        atomic_store(&side->owner, 1);
        atomic_store(&side->head, (uint32_t)(any(2) ? 8 * any(100) : odd()));
        atomic_store(&side->tail, (uint32_t)(any(2) ? SIDE_BYTES : odd()));
        ((uint32_t *)(void *)side->bytes)[any(64)] = (uint32_t)odd();
        break;
    case 5: ((uint64_t *)(void *)(memory + h->records_at))[any(64)] = odd(); break;
    case 6: h->pid = 1; break;
    default: spoil_a_slot(&slots[any(4)]); break;
    }
}

/* Whether the number is one of the shim's, by the links in /proc. */
static int guards_socket(void)
{
    struct stat st;
    for (int fd = 2000; fd > 2; fd--)
        if (fstat(fd, &st) != 0) { /* closed, as the shim says */
            char link[64], path[32];
            snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
            ssize_t n = readlink(path, link, sizeof link - 1);
            if (n > 7 && memcmp(link, "socket:", 7) == 0)
                return fd;
        }
    return -1;
}

static void send_something(int socket_, int file)
{
    static struct guard_hello h;
    int fds[2] = {file, file}, count = (int)any(3);
    h.message = (struct guard_message){(uint32_t)any(8), (uint32_t)odd(), (uint32_t)odd()};
    snprintf(h.path, sizeof h.path, "%s", canary);
    snprintf(h.report, sizeof h.report, "%s", canary);
    struct iovec v = {&h, any(3) ? sizeof h.message : any(2) ? sizeof h : any(sizeof h)};
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof fds)];
    } control = {0};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    if (count > 0) {
        m.msg_control = control.space;
        m.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
        memcpy(CMSG_DATA(c), fds, (size_t)count * sizeof(int));
    }
    sendmsg(socket_, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void buffer_records(void)
{
    static const char *const names[] = {"a.tr", "b.tr", "c.tr"};
    for (int i = 0; i < 3; i++) {
        int fd = open(names[i], O_RDWR | O_CREAT | (i < 2 ? O_APPEND : 0), 0666);
        for (int k = 0; k < 50; k++)
            if (write(fd, "a record of twenty.\n", 20) != 20)
                exit(4);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    seed = (unsigned)atoi(argv[1]);
    canary = argv[2];
    buffer_records();
    find_memory();
    struct journal_header *h = (void *)memory;
    while (any(4) && !atomic_load(&h->ready)) /* or before it is at work */
        usleep(100);
    if (setgid(65534) != 0 || setuid(65534) != 0)
        return 5;
    int socket_ = guards_socket(), null = open("/dev/null", O_WRONLY);
    if (socket_ < 0) {
        printf("the guard's socket isn't found\n");
        return 6;
    }
    for (int i = (int)any(60) + 1; i > 0; i--) {
        spoil();
        if (any(4) == 0)
            send_something(socket_, null);
        if (any(8) == 0)
            usleep((useconds_t)any(3000));
    }
    kill(getpid(), SIGKILL);
}
