/*
 * Says which signals reach it, a line each, until its standard input ends; then exits with 3.
 *
 * Arguments name signals to leave alone.  "ready" and the process id come first, when everything
 * that is sent from then on will be told.
 */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const struct {
    const char *name;
    int number;
} signals[] = {{"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},   {"QUIT", SIGQUIT},
               {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"TSTP", SIGTSTP}, {"CONT", SIGCONT}};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static bool is_argument(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++)
        if (!is_argument(argc, argv, signals[i].name))
            sigaddset(&set, signals[i].number);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("ready %ld\n", (long)getpid());
    struct pollfd wait[] = {{.fd = fd, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    for (;;) {
        struct signalfd_siginfo info;
        char input[256];
        if (poll(wait, 2, -1) < 0)
            return 1;
        if (wait[0].revents != 0 && read(fd, &info, sizeof info) == (ssize_t)sizeof info) {
            for (size_t i = 0; i < SIGNALS; i++)
                if (signals[i].number == (int)info.ssi_signo)
                    puts(signals[i].name);
        } else if (wait[1].revents != 0) {
            ssize_t n = read(0, input, sizeof input - 1);
            if (n <= 0)
                return 3;
            input[n] = '\0';
            printf("input %s%s", input, input[n - 1] == '\n' ? "" : "\n");
        }
    }
}
