/* S18: another process reads the trace after being told, by a pipe, a socket, a semaphore, a signal, or by the end of the writer. It
 * finds the record each time. (Every channel there is, a thousand times: ../causes.) */
//: file a.tr managed drains>=400
//: child b.tr managed drains>=1
//: flags -pthread
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "show.h"

enum { ROUNDS = 100, CHANNELS = 4 };

static int pipe_[2], sockets[2], go[2];
static sem_t *semaphore;
static sigset_t signals;

static void told(int channel)
{
    char byte;
    int number;
    long done = channel == 0   ? read(pipe_[0], &byte, 1)
                : channel == 1 ? recv(sockets[0], &byte, 1, 0)
                : channel == 2 ? sem_wait(semaphore)
                               : sigwait(&signals, &number);
    if (done < 0)
        _exit(2);
}

static void tell(int channel, pid_t reader)
{
    long done = channel == 0   ? write(pipe_[1], "x", 1)
                : channel == 1 ? send(sockets[1], "x", 1, 0)
                : channel == 2 ? sem_post(semaphore)
                               : kill(reader, SIGUSR1);
    if (done < 0)
        say("channel %d: %s", channel, strerror(errno));
}

/* Reads on, as `tail` would on being told. */
static int reader(void)
{
    char found[256];
    int in = open("a.tr", O_RDONLY), missing = 0;
    for (int i = 0; i < ROUNDS * CHANNELS; i++) {
        told(i % CHANNELS);
        ssize_t n = read(in, found, sizeof found);
        missing += n != (ssize_t)strlen(record(i)) || memcmp(found, record(i), (size_t)n) != 0;
        if (write(go[1], "g", 1) != 1)
            return 2;
    }
    return missing;
}

static void by_its_end(int i)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        int out = open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        if (i % 2)
            exit(0);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    show_file("b.tr");
}

int main(void)
{
    char byte;
    int status, out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    SHOW(close(out));
    semaphore = mmap(NULL, sizeof *semaphore, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SHOW(sem_init(semaphore, 1, 0));
    SHOW(pipe(pipe_));
    SHOW(pipe(go));
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    pid_t pid = fork();
    if (pid == 0)
        _exit(reader());
    out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    for (int i = 0; i < ROUNDS * CHANNELS; i++) {
        append(out, record(i));
        tell(i % CHANNELS, pid);
        if (read(go[0], &byte, 1) != 1)
            break;
    }
    SHOW(close(out));
    waitpid(pid, &status, 0);
    say("records that the reader missed: %d", WEXITSTATUS(status));
    for (int i = 0; i < 20; i++)
        by_its_end(i);
    return 0;
}
