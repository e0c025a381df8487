/* How one process tells another that it may go on: each way is a barrier (P3(b)). See machine.h, to which this belongs.
 *
 * The idea: all numbers are high and close-on-exec, out of every operation's way. Who was told by what is no read of a pipe or a socket
 * reads from an empty pipe afterwards: only those are promised to bring word of replaced files.
 */
#ifndef WAYS_H
#define WAYS_H

#include "machine.h"

enum kind_of_way { BY_PIPE, BY_SOCKET, BY_EVENT, BY_SEMAPHORE, BY_SET, BY_MESSAGE, BY_QUEUE };

static struct way {
    enum kind_of_way kind;
    int how, ends[2], id;
    mqd_t queue;
    sem_t *semaphore;
} no_way;

/* Two numbers in the place of low ones. */
static bool moved_up(int ends[2])
{
    for (int i = 0; i < 2; i++) {
        int low = ends[i];
        ends[i] = fcntl(low, F_DUPFD_CLOEXEC, 800);
        close(low);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

static bool queue_opened(struct way *w)
{
    char name[64];
    struct mq_attr few = {.mq_maxmsg = 2, .mq_msgsize = 8};
    snprintf(name, sizeof name, "/traceshim-fuzz-%d", (int)getpid());
    int low = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &few);
    if (low < 0)
        return false;
    mq_unlink(name);
    w->queue = fcntl(low, F_DUPFD_CLOEXEC, 800);
    mq_close(low);
    return w->queue >= 0;
}

static bool way_open(struct way *w, int how)
{
    static const enum kind_of_way kinds[] = {BY_PIPE,  BY_PIPE,      BY_PIPE, BY_PIPE,    BY_SOCKET, BY_SOCKET,
                                             BY_EVENT, BY_SEMAPHORE, BY_SET,  BY_MESSAGE, BY_QUEUE};
    *w = no_way;
    w->how = how % (int)(sizeof kinds / sizeof *kinds);
    w->kind = kinds[w->how];
    bool made;
    if (w->kind == BY_SOCKET)
        made = socketpair(AF_UNIX, SOCK_STREAM, 0, w->ends) == 0;
    else if (w->kind == BY_EVENT)
        made = (w->ends[0] = eventfd(0, 0)) >= 0 && (w->ends[1] = dup(w->ends[0])) >= 0;
    else
        made = pipe2(w->ends, w->kind == BY_PIPE ? 0 : O_NONBLOCK) == 0;
    if (!made || !moved_up(w->ends))
        return false;
    switch (w->kind) {
    case BY_SEMAPHORE:
        w->semaphore = mmap(NULL, sizeof(sem_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return w->semaphore != MAP_FAILED && sem_init(w->semaphore, 1, 0) == 0;
    case BY_SET: return (w->id = semget(IPC_PRIVATE, 1, 0600)) >= 0;
    case BY_MESSAGE: return (w->id = msgget(IPC_PRIVATE, 0600)) >= 0;
    case BY_QUEUE: return queue_opened(w);
    default: return true;
    }
}

static void way_close(struct way *w)
{
    if (w->kind == BY_SEMAPHORE)
        munmap(w->semaphore, sizeof(sem_t));
    if (w->kind == BY_SET)
        semctl(w->id, 0, IPC_RMID);
    if (w->kind == BY_MESSAGE)
        msgctl(w->id, IPC_RMID, NULL);
    if (w->kind == BY_QUEUE)
        mq_close(w->queue);
}

/* The other may go on. */
static void go(struct way *w)
{
    struct iovec v = {(void *)"g", 1};
    struct {
        long type;
        char text[1];
    } letter = {1, "g"};
    bool gone;
    switch (w->how) {
    case 0: gone = write(w->ends[1], "g", 1) == 1; break;
    case 1: gone = writev(w->ends[1], &v, 1) == 1; break;
    case 2: gone = dprintf(w->ends[1], "g") == 1; break;
    case 3: gone = vmsplice(w->ends[1], &v, 1, 0) == 1; break;
    case 4: gone = send(w->ends[1], "g", 1, 0) == 1; break;
    case 5: gone = sendmsg(w->ends[1], &(struct msghdr){.msg_iov = &v, .msg_iovlen = 1}, 0) == 1; break;
    case 6: gone = eventfd_write(w->ends[1], 1) == 0; break;
    case 7: gone = sem_post(w->semaphore) == 0; break;
    case 8: gone = semop(w->id, &(struct sembuf){0, 1, 0}, 1) == 0; break;
    case 9: gone = msgsnd(w->id, &letter, 1, 0) == 0; break;
    default: gone = mq_send(w->queue, "g", 1, 0) == 0;
    }
    if (!gone)
        _exit(90);
}

static void stop(struct way *w)
{
    char bytes_of_it[8];
    struct {
        long type;
        char text[1];
    } letter;
    bool told_ = true;
    if (w->kind == BY_SEMAPHORE)
        told_ = sem_wait(w->semaphore) == 0;
    if (w->kind == BY_SET)
        told_ = semop(w->id, &(struct sembuf){0, -1, 0}, 1) == 0;
    if (w->kind == BY_MESSAGE)
        told_ = msgrcv(w->id, &letter, 1, 0, 0) == 1;
    if (w->kind == BY_QUEUE)
        told_ = mq_receive(w->queue, bytes_of_it, 8, NULL) == 1;
    long n = read(w->ends[0], bytes_of_it, w->kind == BY_EVENT ? 8 : 1);
    if (!told_ || (w->kind <= BY_EVENT && n <= 0))
        _exit(91);
}

#endif
