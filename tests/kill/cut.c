/* cut TID CALLS STEPS VICTIM...: stops thread TID, lets it go to its CALLSth entry to or return from a system call and STEPS
 * instructions further, and there kills the VICTIMs by SIGKILL, in this order; or wherever it is half a second later. 0: done; 1: TID
 * ended before.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pid;
static volatile sig_atomic_t late;

static void is_late(int signal)
{
    (void)signal;
    late = 1;
}

/* The next stop; a signal that comes on the way is passed on. False: it ended. */
static bool next(enum __ptrace_request how)
{
    int signal = 0, status;
    for (;;) {
        if (ptrace(how, pid, NULL, (void *)(long)signal) < 0 || waitpid(pid, &status, __WALL) != pid ||
            !WIFSTOPPED(status))
            return late;
        int stop = WSTOPSIG(status);
        if (stop == (SIGTRAP | 0x80) || stop == SIGTRAP)
            return true;
        signal = status >> 16 ? 0 : stop;
    }
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    pid = atoi(argv[1]);
    int status;
    if (ptrace(PTRACE_SEIZE, pid, NULL, (void *)(long)PTRACE_O_TRACESYSGOOD) < 0)
        return 1;
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) < 0 || waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
        return 1;
    struct sigaction action = {.sa_handler = is_late};
    sigaction(SIGALRM, &action, NULL);
    ualarm(500000, 0);
    for (int i = atoi(argv[2]); i > 0 && !late; i--)
        if (!next(PTRACE_SYSCALL))
            return 1;
    for (int i = atoi(argv[3]); i > 0 && !late; i--)
        if (!next(PTRACE_SINGLESTEP))
            return 1;
    for (int i = 4; i < argc; i++)
        kill(atoi(argv[i]), SIGKILL);
    return 0;
}
