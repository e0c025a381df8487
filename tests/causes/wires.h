/* How the reader of tests/causes is told: a wire for each kind of channel.
 *
 * The reader is a process of its own, natively run, which has started the writer. It meets the writer at the beginning of a round
 * where a round needs a channel of its own, waits until it is told, looks at the trace at once, and lets the writer go on.
 */
#ifndef TESTS_CAUSES_WIRES_H
#define TESTS_CAUSES_WIRES_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum wire {
    PIPE,
    FIFO,
    UNIX,
    DGRAM,
    TCP,
    EVENT, /* bytes arrive */
    PIPE_END,
    FIFO_END,
    UNIX_END,
    TCP_END, /* a channel of the round's own ends */
    SIGNAL,
    STOPS,
    ENDS, /* a signal to the reader; the writer stops; it ends */
    APPEARS,
    GOES,
    QUEUE_APPEARS, /* the path done.ROUND; the message queue of that name */
    NAMED,
    SHARED, /* a semaphore by name, one in shared memory */
    QUEUE,
    MESSAGE,
    SET, /* mq_receive, msgrcv, semop */
    FLOCK,
    SHARED_FLOCK,
    POSIX_LOCK /* the reader gets the lock of the file `lock` */
};

/* Descriptors that the writer inherits. */
#define GO_FD   100 /* a byte: the reader has seen the record, go on */
#define OUT_FD  101 /* the wire's end, where one lasts */
#define MEET_FD 102 /* a Unix socket to the reader: descriptors one way, bytes the other */

#define RECORD 16

static __attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf(" (%s)\n", strerror(errno));
    fflush(stdout);
    _exit(1);
}

static int must(int done, const char *what)
{
    if (done < 0)
        fail("%s", what);
    return done;
}

static const char *done_name(int i)
{
    static char name[32];
    snprintf(name, sizeof name, "done.%d", i);
    return name;
}

/* Names that all processes of the machine share: the directory's inode makes them ours. */
static const char *shared_name(int i)
{
    static char name[64];
    struct stat st;
    must(stat(".", &st), "stat");
    snprintf(name, sizeof name, "/traceshim-causes-%llu-%d", (unsigned long long)st.st_ino, i);
    return name;
}

static key_t shared_key(void)
{
    return ftok(".", 'c');
}

static sem_t *shared_semaphore(void)
{
    int fd = must(open("semaphore", O_RDWR | O_CREAT, 0600), "semaphore");
    must(ftruncate(fd, sizeof(sem_t)), "ftruncate");
    sem_t *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return s == MAP_FAILED ? NULL : s;
}

static socklen_t address(enum wire wire, struct sockaddr_storage *a, int port)
{
    memset(a, 0, sizeof *a);
    if (wire == UNIX_END) {
        struct sockaddr_un *u = (void *)a;
        u->sun_family = AF_UNIX;
        strcpy(u->sun_path, "socket");
        return sizeof *u;
    }
    struct sockaddr_in *in = (void *)a;
    in->sin_family = AF_INET;
    in->sin_port = htons((uint16_t)port);
    in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return sizeof *in;
}

/* ---- the reader's side ---- */

static int in = -1; /* where bytes come from, or the end */
static int listener = -1;
static int meeting = -1;
static pid_t writer;
static mqd_t queue;
static int message_queue, set;
static sem_t *semaphore;

static void at_number(int fd, int number)
{
    must(dup2(fd, number), "dup2");
    close(fd);
}

static int listen_on(enum wire wire)
{
    struct sockaddr_storage a;
    socklen_t n = address(wire, &a, 0);
    int fd = must(socket(a.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
    must(bind(fd, (void *)&a, n), "bind");
    must(listen(fd, 5), "listen");
    return fd;
}

static int port_of(int fd)
{
    struct sockaddr_in a;
    socklen_t n = sizeof a;
    must(getsockname(fd, (void *)&a, &n), "getsockname");
    return ntohs(a.sin_port);
}

static int connect_to(enum wire wire, int port)
{
    struct sockaddr_storage a;
    int one = 1;
    socklen_t n = address(wire, &a, port);
    int fd = must(socket(a.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
    must(connect(fd, (void *)&a, n), "connect");
    if (wire != UNIX_END)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

/* Before the writer is started. Sets what it inherits as OUT_FD. */
static void lay_wire(enum wire wire)
{
    int ends[2];
    sigset_t signals;
    switch (wire) {
    case PIPE:
        must(pipe2(ends, O_CLOEXEC), "pipe");
        in = ends[0];
        at_number(ends[1], OUT_FD);
        break;
    case FIFO:
        must(mkfifo("fifo", 0600), "mkfifo");
        in = must(open("fifo", O_RDWR | O_CLOEXEC), "fifo");
        at_number(must(open("fifo", O_WRONLY | O_CLOEXEC), "fifo"), OUT_FD);
        break;
    case UNIX:
    case DGRAM:
        must(socketpair(AF_UNIX, (wire == UNIX ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0, ends), "socketpair");
        in = ends[0];
        at_number(ends[1], OUT_FD);
        break;
    case TCP:
        listener = listen_on(TCP);
        at_number(connect_to(TCP, port_of(listener)), OUT_FD);
        in = must(accept4(listener, NULL, NULL, SOCK_CLOEXEC), "accept");
        break;
    case EVENT:
        in = must(eventfd(0, EFD_CLOEXEC), "eventfd");
        must(dup2(in, OUT_FD), "dup2");
        break;
    case FIFO_END: must(mkfifo("fifo", 0600), "mkfifo"); break;
    case UNIX_END:
    case TCP_END: listener = listen_on(wire); break;
    case SIGNAL:
        sigemptyset(&signals);
        sigaddset(&signals, SIGUSR1);
        sigprocmask(SIG_BLOCK, &signals, NULL);
        setpgid(0, 0);
        break;
    case NAMED:
        semaphore = sem_open(shared_name(0), O_CREAT | O_EXCL, 0600, 0);
        if (semaphore == SEM_FAILED)
            fail("sem_open");
        break;
    case SHARED:
        semaphore = shared_semaphore();
        must(sem_init(semaphore, 1, 0), "sem_init");
        break;
    case QUEUE: {
        struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
        queue = must(mq_open(shared_name(0), O_RDONLY | O_CREAT | O_EXCL, 0600, &attributes), "mq_open");
        break;
    }
    case MESSAGE: message_queue = must(msgget(shared_key(), IPC_CREAT | 0600), "msgget"); break;
    case SET: set = must(semget(shared_key(), 1, IPC_CREAT | 0600), "semget"); break;
    case FLOCK:
    case SHARED_FLOCK:
    case POSIX_LOCK: in = must(open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600), "lock"); break;
    default: break;
    }
}

static void take_up_wire(enum wire wire)
{
    switch (wire) {
    case NAMED: sem_unlink(shared_name(0)); break;
    case QUEUE: mq_unlink(shared_name(0)); break;
    case MESSAGE: msgctl(message_queue, IPC_RMID, NULL); break;
    case SET: semctl(set, 0, IPC_RMID); break;
    default: break;
    }
}

static void hand_over_descriptor(int fd)
{
    char byte = 0;
    struct iovec v = {&byte, 1};
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    must((int)sendmsg(meeting, &m, 0), "sendmsg");
}

static void expect_byte(int fd)
{
    char byte;
    if (read(fd, &byte, 1) != 1)
        fail("the writer is gone");
}

/* A channel of the round's own. */
static void meet(enum wire wire)
{
    int ends[2];
    switch (wire) {
    case PIPE_END:
        must(pipe2(ends, O_CLOEXEC), "pipe");
        in = ends[0];
        hand_over_descriptor(ends[1]);
        close(ends[1]);
        break;
    case FIFO_END: in = must(open("fifo", O_RDONLY | O_CLOEXEC), "fifo"); break;
    case UNIX_END:
    case TCP_END: in = must(accept4(listener, NULL, NULL, SOCK_CLOEXEC), "accept"); break;
    case GOES:
    case FLOCK:
    case SHARED_FLOCK:
    case POSIX_LOCK: expect_byte(meeting); break; /* the name is there, the writer has the lock */
    default: break;
    }
}

static bool there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static bool queue_there(const char *name)
{
    mqd_t q = mq_open(name, O_RDONLY);
    if (q >= 0)
        mq_close(q);
    return q >= 0;
}

/* Waits until the writer has told. bytes: how many come where bytes do; they may come in pieces. */
static void wait_to_be_told(enum wire wire, int i, const char *path)
{
    char bytes[4096];
    struct flock lock = {.l_type = F_WRLCK};
    struct {
        long type;
        char text[8];
    } message;
    struct sembuf take = {0, -1, 0};
    sigset_t signals;
    int status;
    (void)i;
    switch (wire) {
    case PIPE:
    case FIFO:
    case UNIX:
    case DGRAM:
    case TCP:
    case EVENT:
        if (read(in, bytes, wire == EVENT ? 8 : 1) <= 0)
            fail("the wire ended");
        break;
    case PIPE_END:
    case FIFO_END:
    case UNIX_END:
    case TCP_END:
        while ((status = (int)read(in, bytes, sizeof bytes)) > 0)
            continue;
        must(status, "read");
        break;
    case SIGNAL:
        sigemptyset(&signals);
        sigaddset(&signals, SIGUSR1);
        must(sigwaitinfo(&signals, NULL), "sigwaitinfo");
        break;
    case STOPS:
        must(waitpid(writer, &status, WUNTRACED), "waitpid");
        if (!WIFSTOPPED(status))
            fail("the writer ended with %x", status);
        break;
    case ENDS: must(waitpid(writer, &status, 0), "waitpid"); break;
    case APPEARS:
        while (!there(path))
            continue;
        break;
    case GOES:
        while (there(path))
            continue;
        break;
    case QUEUE_APPEARS:
        while (!queue_there(path))
            continue;
        break;
    case NAMED:
    case SHARED: must(sem_wait(semaphore), "sem_wait"); break;
    case QUEUE: must((int)mq_receive(queue, bytes, sizeof bytes, NULL), "mq_receive"); break;
    case MESSAGE: must((int)msgrcv(message_queue, &message, sizeof message.text, 0, 0), "msgrcv"); break;
    case SET: must(semop(set, &take, 1), "semop"); break;
    case FLOCK: must(flock(in, LOCK_EX), "flock"); break;
    case SHARED_FLOCK: must(flock(in, LOCK_SH), "flock"); break;
    case POSIX_LOCK: must(fcntl(in, F_SETLKW, &lock), "F_SETLKW"); break;
    }
}

/* The record was seen: the round's channel ends. rest: bytes of a message that may still come. */
static void part(enum wire wire, int rest)
{
    char byte;
    struct flock unlock = {.l_type = F_UNLCK};
    switch (wire) {
    case PIPE:
    case FIFO:
    case UNIX:
    case TCP:
        for (; rest > 0; rest--)
            expect_byte(in);
        break;
    case PIPE_END:
    case FIFO_END:
    case UNIX_END:
    case TCP_END: close(in); break;
    case STOPS: kill(writer, SIGCONT); break;
    case FLOCK:
    case SHARED_FLOCK: flock(in, LOCK_UN); break;
    case POSIX_LOCK: fcntl(in, F_SETLK, &unlock); break;
    default: break;
    }
    (void)byte;
}

/* ---- the writer's side ---- */

static int received_descriptor(void)
{
    char byte;
    int fd = -1;
    struct iovec v = {&byte, 1};
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    must((int)recvmsg(MEET_FD, &m, MSG_CMSG_CLOEXEC), "recvmsg");
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (!c)
        fail("no descriptor came");
    memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

/* The writer's end of a channel of the round's own, or of the one that lasts. */
static int writers_end(enum wire wire, int port)
{
    switch (wire) {
    case PIPE_END: return received_descriptor();
    case FIFO_END: return must(open("fifo", O_WRONLY | O_CLOEXEC), "fifo");
    case UNIX_END:
    case TCP_END: return connect_to(wire, port);
    default: return OUT_FD;
    }
}

#endif
