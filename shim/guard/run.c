/*
 * The parent of a command.
 *
 * Exec in place would be simpler, but somebody has to be there when the command has
 * died.  So the parent must not be noticed: it installs no handler, blocks what it
 * forwards and takes it with sigwaitinfo(2), and keeps the command in its own process
 * group, so that the terminal, `kill 0` and job control treat both as one job.
 *
 * What that leaves to do by hand: the terminal's own signals reach the command without
 * us and aren't forwarded; after Ctrl-Z we stop when the command has stopped, not
 * before, since it may well go on.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inspect.h"
#include "preload.h"
#include "recover.h"

static const int forwarded[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

struct child {
    pid_t pid;
    int failure;  /* the pipe that says why exec failed, empty when it didn't */
    int status;   /* waitpid's, once ended */
    bool stopped; /* by a signal, and not continued since */
    bool told;    /* to stop: by a TSTP that we saw, and no CONT since */
};

static int fail(const char *what)
{
    fprintf(stderr, "traceshim: %s: %s\n", what, strerror(errno));
    return RUN_FAILED;
}

/* ------------------------------------------------------- was the library loaded */

/*
 * Watches for somebody opening the library, which the command's loader does first of
 * all, and tells us by a SIGCHLD.  -1 when that can't be had: then nobody is told.
 */
static int watch_library(const char *library)
{
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch >= 0 && (inotify_add_watch(watch, library, IN_OPEN) < 0 || fcntl(watch, F_SETSIG, SIGCHLD) < 0 ||
                       fcntl(watch, F_SETOWN, getpid()) < 0 || fcntl(watch, F_SETFL, O_NONBLOCK | O_ASYNC) < 0)) {
        close(watch);
        return -1;
    }
    return watch;
}

/*
 * Closes the watch once the library was opened: the kernel takes 10 ms and more for
 * that, in which the command runs.
 */
static void look(int *watch)
{
    char events[4096];
    if (*watch >= 0 && read(*watch, events, sizeof events) > 0) {
        close(*watch);
        *watch = -1;
    }
}

/* One line when the command will run without the shim. */
static void announce(const struct inspection *kind)
{
    if (kind->why[0] == '\0')
        return;
    fprintf(stderr, "traceshim: %s ", kind->command);
    if (strcmp(kind->file, kind->command) != 0)
        fprintf(stderr, "is run by %s, which ", kind->file);
    fprintf(stderr, "%s: it runs without the shim\n", kind->why);
}

/* ------------------------------------------------------------------- signals */

static void handle_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++)
        sigaddset(set, forwarded[i]);
}

static void forward(struct child *child, const siginfo_t *signal)
{
    if (signal->si_signo == SIGTSTP)
        child->told = true;
    if (signal->si_signo == SIGCONT)
        child->told = child->stopped = false;
    if (signal->si_code != SI_KERNEL && signal->si_pid != child->pid)
        kill(child->pid, signal->si_signo);
}

/* Looks at what became of the child.  True when it has ended. */
static bool child_ended(struct child *child)
{
    int status;
    while (waitpid(child->pid, &status, WNOHANG | WUNTRACED | WCONTINUED) == child->pid) {
        child->status = status;
        child->stopped = WIFSTOPPED(status);
        if (WIFEXITED(status) || WIFSIGNALED(status))
            return true;
    }
    return false;
}

/* Stops with the child, so that the shell sees the job stopped; until somebody continues us. */
static void stop_too(struct child *child)
{
    sigset_t pending;
    child->told = false;
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGCONT))
        return; /* it would be lost in the stop */
    kill(getpid(), SIGSTOP);
}

static void wait_for(struct child *child, const sigset_t *set, int *watch)
{
    for (;;) {
        siginfo_t signal;
        int number = sigwaitinfo(set, &signal);
        if (number < 0 && errno != EINTR)
            abort(); /* EINVAL: can't be */
        if (number > 0 && number != SIGCHLD)
            forward(child, &signal);
        bool ended = child_ended(child);
        look(watch);
        if (ended)
            return;
        if (child->stopped && child->told)
            stop_too(child);
    }
}

/* Signals that came while the command ended were for it: they are lost, as with any process that ends. */
static void forget_pending(const sigset_t *set)
{
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(set, NULL, &at_once) > 0)
        ;
}

/* ---------------------------------------------------------------------- ends */

/* Dies by SIGNAL, as the command did; the core, if any, is the command's. */
static int die_by(int signal)
{
    const struct rlimit none = {0, 0};
    sigset_t set;
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, signal);
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, &action, NULL);
    kill(getpid(), signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    return 128 + signal; /* process 1 of a container is spared its own signals */
}

static int end(const struct child *child, const char *command, int watch)
{
    int failure;
    if (read(child->failure, &failure, sizeof failure) == (ssize_t)sizeof failure) {
        fprintf(stderr, "traceshim: %s: %s\n", command, strerror(failure));
        return failure == ENOENT ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE;
    }
    if (WIFSIGNALED(child->status))
        return die_by(WTERMSIG(child->status));
    if (watch >= 0)
        fprintf(stderr, "traceshim: %s ran without the shim: its loader did not load the library\n", command);
    return WEXITSTATUS(child->status);
}

/* --------------------------------------------------------------------- start */

/* In the child: becomes the command, or says why not. */
static _Noreturn void become(char *const argv[], int failure, const sigset_t *mask, const struct sigaction *on_child)
{
    sigaction(SIGCHLD, on_child, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv[0], argv);
    int why = errno;
    if (write(failure, &why, sizeof why) != (ssize_t)sizeof why)
        _exit(RUN_FAILED);
    _exit(RUN_NOT_FOUND);
}

int run_command(const char *named, char *const argv[])
{
    struct inspection kind;
    const char *library = realpath(named, NULL);
    if (!library)
        return fail(named);
    inspect_command(argv[0], &kind);
    announce(&kind);
    if (access(library, R_OK) != 0)
        return fail(library);
    int watch = kind.why[0] == '\0' ? watch_library(library) : -1;
    if (!kind.foreign && preload_append(library) != 0)
        return RUN_FAILED;

    const char *dir = getenv("TRACESHIM_DIR");
    dir = dir ? dir : "";
    recover(dir, RECOVER_WRITE, false, NULL);

    int failure[2];
    sigset_t set, mask;
    struct sigaction on_child, default_action = {.sa_handler = SIG_DFL};
    handle_signals(&set);
    if (pipe2(failure, O_CLOEXEC | O_NONBLOCK) != 0)
        return fail("pipe");
    /* An ignored SIGCHLD would take the status away; the command gets it back as it was. */
    sigaction(SIGCHLD, &default_action, &on_child);
    sigprocmask(SIG_BLOCK, &set, &mask);
    struct child child = {.pid = fork(), .failure = failure[0]};
    if (child.pid < 0)
        return fail("fork");
    if (child.pid == 0)
        become(argv, failure[1], &mask, &on_child);
    wait_for(&child, &set, &watch);
    forget_pending(&set);
    sigprocmask(SIG_SETMASK, &mask, NULL); /* whoever doesn't want to wait for a slow file system can end us */
    recover(dir, RECOVER_WRITE, true, NULL);
    return end(&child, argv[0], watch);
}
