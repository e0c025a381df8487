/* Where else operations of the fuzzer run, and how its programs start: see machine.h, to which this belongs. */
#ifndef CONTEXTS_H
#define CONTEXTS_H

#include "calls.h"
#include "closed.h"
#include "ways.h"

static int the_block;
static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool started, running, wanted;
} helper;

static void *help(void *arg)
{
    pthread_mutex_lock(&helper.lock);
    for (;;) {
        while (!helper.wanted)
            pthread_cond_wait(&helper.change, &helper.lock);
        helper.wanted = false;
        run_block(the_block, 0);
        helper.running = false;
        pthread_cond_broadcast(&helper.change);
    }
    return arg;
}

/* On the process's second thread, while this one waits. */
UNUSED static void in_thread(int block)
{
    if (helper.running) {
        run_block(block, 0);
        return;
    }
    if (!helper.started) {
        pthread_mutex_init(&helper.lock, NULL);
        pthread_cond_init(&helper.change, NULL);
        helper.wanted = false;
        if (pthread_create(&helper.thread, NULL, help, NULL) != 0)
            return;
        helper.started = true;
    }
    pthread_mutex_lock(&helper.lock);
    the_block = block;
    helper.wanted = helper.running = true;
    pthread_cond_broadcast(&helper.change);
    while (helper.running)
        pthread_cond_wait(&helper.change, &helper.lock);
    pthread_mutex_unlock(&helper.lock);
}

static void on_signal(int number)
{
    int error = errno;
    (void)number;
    run_block(the_block, 0);
    errno = error;
}

/* SIGUSR1's handler runs on the stack that is in use, SIGUSR2's on its own. */
UNUSED static void in_handler(int block, int how)
{
    const union sigval value = {.sival_int = how};
    the_block = block;
    if (how % 8 == 1 && !helper.started) /* the other thread might get it */
        kill(getpid(), SIGUSR1);
    else if (how % 8 == 2)
        raise(SIGUSR2);
    else if (how % 8 == 3)
        pthread_kill(pthread_self(), SIGUSR1);
    else if (how % 8 == 4 && !helper.started)
        sigqueue(getpid(), SIGUSR1, value);
    else if (how % 8 == 5)
        pthread_sigqueue(pthread_self(), SIGUSR1, value);
    else if (how % 8 == 6)
        tgkill(getpid(), gettid(), SIGUSR2);
    else
        raise(SIGUSR1);
}

static void on_signal_with_info(int number, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    on_signal(number);
}

static void handlers(void)
{
    sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_NODEFER}, NULL);
    sigaction(SIGUSR2, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_ONSTACK}, NULL);
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = on_bus, .sa_flags = SA_NODEFER}, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sigset, siginterrupt */

/* SIGUSR1's handler is set in other ways, and what is said of it. */
UNUSED static long handled(int how)
{
    struct sigaction old = {0};
    long done;
    switch (how % 6) {
    case 0:
        done = sigaction(SIGUSR1, NULL, &old);
        extra[0] = (uint64_t)old.sa_flags;
        return done < 0 ? -1 : old.sa_handler == on_signal || old.sa_sigaction == on_signal_with_info;
    case 1: done = signal(SIGUSR1, on_signal) == on_signal; break;
    case 2: done = sigset(SIGUSR1, on_signal) == on_signal; break;
    case 3: return siginterrupt(SIGUSR1, how & 8);
    case 4: /* System V's: for one signal only */ done = sysv_signal(SIGUSR2, on_signal) == on_signal; break;
    default:
        done = sigaction(SIGUSR1,
                         &(struct sigaction){.sa_sigaction = on_signal_with_info, .sa_flags = SA_SIGINFO | SA_NODEFER},
                         &old);
        extra[0] = (uint64_t)old.sa_flags;
        return done;
    }
    handlers();
    return done;
}

/* How a process can end, so that everything is in its files before. */
enum { ENDINGS = 12 };

static void end(int how)
{
    switch (how % ENDINGS) {
    case 0: _exit(3);
    case 1: exit(4);
    case 2: quick_exit(5);
    case 3: raise(SIGTERM); break;
    case 4: abort();
    case 5: execl("/bin/true", "true", (char *)NULL); break;
    case 6: kill(getpid(), SIGKILL); break;
    case 7: fcloseall(); _exit(8);
    case 8: __assert_fail("it ends", "fuzz", 1, "end");
    case 9: tgkill(getpid(), gettid(), SIGTERM); break;
    case 10: sigqueue(getpid(), SIGTERM, (union sigval){0}); break;
    default: syscall(SYS_exit_group, 6);
    }
    _exit(7);
}

static void born(void)
{
    depth++;
    helper.started = helper.running = false;
    alarm(20); /* a hang shall end, and be seen as a difference */
}

/* clone(2) calls a function on another stack, from which its child comes back here: the memory is its own. */
static sigjmp_buf cloned_at;

static int cloned(void *none)
{
    (void)none;
    siglongjmp(cloned_at, 1);
}

static pid_t by_clone(void)
{
    static char stack[64 * 1024] __attribute__((aligned(16)));
    if (sigsetjmp(cloned_at, 0))
        return 0;
    return clone(cloned, stack + sizeof stack, SIGCHLD, NULL);
}

static pid_t forked(int how)
{
    pid_t pid;
    switch (how % 8) {
    case 0: pid = _Fork(); break;
    case 1: pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); break;
    case 2: pid = by_clone(); break;
    default: pid = fork(); break;
    }
    if (pid == 0)
        born();
    return pid;
}

static void awaited(pid_t pid, int how)
{
    int status = -1;
    siginfo_t info = {0};
    if (pid < 0) {
        show(-1, errno);
        return;
    }
    switch (how % 5) {
    case 0: wait(&status); break;
    case 3: wait3(&status, 0, NULL); break;
    case 1: wait4(pid, &status, 0, NULL); break;
    case 2:
        waitid(P_PID, (id_t)pid, &info, WEXITED);
        status = info.si_code * 256 + info.si_status;
        break;
    default: waitpid(pid, &status, 0); break;
    }
    show(status, 0);
}

/* A child does the block and ends; this process waits. */
UNUSED static void child(int block, int how, int ending)
{
    pid_t pid = forked(how);
    if (pid == 0) {
        run_block(block, 0);
        end(ending);
    }
    awaited(pid, how);
}

/* A child does part 0, this process part 1, the child part 2, this process part 3, and all the time the child lives. */
UNUSED static void dialogue(int block, int how, int ending)
{
    struct way down, up;
    if (!way_open(&down, how) || !way_open(&up, how / 3))
        return;
    talking++;
    pid_t pid = forked(how);
    close(pid == 0 ? up.ends[0] : up.ends[1]); /* so that the other's death is seen */
    close(pid == 0 ? down.ends[1] : down.ends[0]);
    if (pid == 0) {
        run_block(block, 0);
        go(&up);
        stop(&down);
        run_block(block, 2);
        go(&up);
        stop(&down);
        end(ending);
    }
    if (pid > 0) {
        stop(&up);
        run_block(block, 1);
        go(&down);
        stop(&up);
        run_block(block, 3);
        go(&down);
    }
    awaited(pid, how);
    talking--;
    close(down.ends[1]);
    close(up.ends[0]);
    way_close(&down);
    way_close(&up);
}

static void becomes(char **arguments, int how)
{
    switch (how % 10) {
    case 0: execv(program, arguments); break;
    case 1: execve(program, arguments, environ); break;
    case 2: execvp(program, arguments); break;
    case 3: execvpe(program, arguments, environ); break;
    case 4: fexecve(open(program, O_RDONLY | O_CLOEXEC), arguments, environ); break;
#if __GLIBC_PREREQ(2, 34)
    case 5: execveat(AT_FDCWD, program, arguments, environ, 0); break;
    case 6: execveat(open(program, O_PATH | O_CLOEXEC), "", arguments, environ, AT_EMPTY_PATH); break;
#endif
    case 7:
#define ALL(a) a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], (char *)NULL
        execl(program, ALL(arguments));
        break;
    case 8: execle(program, ALL(arguments), environ); break;
    default: execlp(program, ALL(arguments));
    }
    _exit(92);
}

/* The program again, in a child, which goes on with the block and the descriptors that are left to it. */
UNUSED static void again(int block, int how)
{
    char numbers[4 + DESCRIPTORS][16], *arguments[6 + DESCRIPTORS] = {program, (char *)"--block"};
    int values[4 + DESCRIPTORS] = {block, (int)turn, (int)depth + 1};
    memcpy(values + 3, fd, sizeof fd);
    for (int i = 0; i < 3 + DESCRIPTORS; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%d", values[i]);
        arguments[2 + i] = numbers[i];
    }
    pid_t pid = -1;
    if (how % 4 == 0) {
        errno = how & 4 ? posix_spawn(&pid, program, NULL, NULL, arguments, environ)
                        : posix_spawnp(&pid, program, NULL, NULL, arguments, environ);
        if (errno != 0)
            pid = -1;
    } else if (how % 4 == 1) {
        if ((pid = vfork()) == 0)
            becomes(arguments, how / 4);
    } else if ((pid = forked(how / 8)) == 0) {
        becomes(arguments, how);
    }
    awaited(pid, how);
}

/* A vfork child closes and copies descriptors, in its own table but its parent's memory. */
UNUSED static void borrowed(int first, int second, int how)
{
    int one = fd[first], two = fd[second];
    pid_t pid = vfork();
    if (pid == 0) {
        if (how & 1)
            close(one);
        if (how & 2)
            dup2(two, FIXED);
        if (how & 4 && write(two, "vfork\n", 6) < 0)
            _exit(8);
        if (how & 8)
            fcntl(two, F_SETFD, FD_CLOEXEC);
        if (how & 16)
            close(open("d/a.tr", O_WRONLY | O_APPEND | O_CREAT, 0644));
        _exit(9);
    }
    awaited(pid, how);
}

/* A command of a shell's that says the same in both runs: no path in its messages has the name of the run's directory. The shell
 * keeps copies of descriptors at 10 and above, where exception (d) may have put others. */
static const char *for_shell(const char *path, const char *command)
{
    static char text[3 * PATH_MAX];
    size_t n = strlen(top);
    bool below = strncmp(path, top, n) == 0;
    snprintf(text, sizeof text, "ulimit -S -n 1024; %s", below ? "cd \"$FUZZ_TOP\" 2>/dev/null; " : "");
    n = strlen(text);
    snprintf(text + n, sizeof text - n, command, program, below ? "." : "", below ? path + strlen(top) : path);
    return text;
}

/* Another program reads the file that the path or its input leads to; what it read comes back as its status. */
UNUSED static void reader(const char *path, int input, int how)
{
    char *arguments[] = {program, (char *)"--read", (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    if (how % 3 == 0) {
        show(system(for_shell(path, "exec '%s' --read '%s%s'")), 0);
    } else if (how % 3 == 1) {
        FILE *from = popen(for_shell(path, "'%s' --print '%s%s'"), "r");
        size_t n = from ? fread(buffer, 1, LONGEST, from) : 0;
        extra[0] = hash(buffer, (long)n);
        show(from ? pclose(from) : -1, 0);
    } else {
        posix_spawn_file_actions_init(&actions);
        if (fd[input] >= 0 && fstat(fd[input], &st) == 0 && S_ISREG(st.st_mode)) { /* no pipe, which may never end */
            posix_spawn_file_actions_adddup2(&actions, fd[input], 0);
            arguments[2] = (char *)"/dev/stdin";
        }
        if ((errno = posix_spawn(&pid, program, &actions, NULL, arguments, environ)) != 0)
            pid = -1;
        posix_spawn_file_actions_destroy(&actions);
        awaited(pid, how);
    }
}

/* Another program writes to what the slot leads to, which is its output. */
UNUSED static void writer(int output, int how, const char *path)
{
    char *arguments[] = {program, (char *)"--write", how & 1 ? (char *)"10" : (char *)"5000", NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    if (how & 8) {
        FILE *to = popen(for_shell(path, "'%s' --write 20 >>'%s%s'"), "w");
        show(to ? pclose(to) : -1, 0);
        return;
    }
    if (how & 2) {
        show(system(for_shell(path, "'%s' --write 20 >>'%s%s'")), 0);
        return;
    }
    posix_spawn_file_actions_init(&actions);
    if (fd[output] >= 0)
        posix_spawn_file_actions_adddup2(&actions, fd[output], 1);
    if (how & 4)
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_APPEND | O_CREAT, 0644);
    if ((errno = posix_spawn(&pid, program, &actions, NULL, arguments, environ)) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    awaited(pid, how);
}

/* A shell inside libc prints the file; words are what comes of it. */
UNUSED static void worded(const char *path)
{
    wordexp_t words;
    char text_of_it[4 * PATH_MAX];
    snprintf(text_of_it, sizeof text_of_it, "$('%s' --print '%s')", program, path);
    int done = wordexp(text_of_it, &words, 0);
    for (size_t i = 0; done == 0 && i < words.we_wordc; i++)
        extra[0] = extra[0] * 31 + hash(words.we_wordv[i], (long)strlen(words.we_wordv[i]));
    if (done == 0)
        wordfree(&words);
    show(done, 0);
}

/* ---- the start ---- */

static void fill(void)
{
    uint32_t x = 12345;
    for (size_t i = 0; i < sizeof pattern; i++) {
        x = x * 1103515245 + 12345;
        uint32_t r = x >> 16;
        pattern[i] = r % 40 == 0 ? '\n' : (char)('0' + r % 75);
    }
}

static long read_whole(const char *path)
{
    int from = open(path, O_RDONLY | O_CLOEXEC);
    long n = 0, m;
    if (from < 0)
        return -1;
    while (n < LONGEST && (m = read(from, buffer + n, (size_t)(LONGEST - n))) > 0)
        n += m;
    close(from);
    return n;
}

/* For main: what the program is when it was started by one of the above. Doesn't return then. */
static void started_again(int argc, char **argv)
{
    fill();
    if (argc == 3)
        alarm(10);
    if (argc == 3 && strcmp(argv[1], "--read") == 0) {
        long n = read_whole(argv[2]);
        _exit(n < 0 ? 255 : (int)(hash(buffer, n) % 251));
    }
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        long n = read_whole(argv[2]);
        _exit(n < 0 ? 255 : write(1, buffer, (size_t)n) != n);
    }
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        size_t n = (size_t)atol(argv[2]);
        _exit(write(1, pattern, n) != (ssize_t)n);
    }
}

UNUSED static const char *at_top(const char *rest)
{
    static char path[2][2 * PATH_MAX];
    static int next;
    char *to = path[next++ % 2];
    snprintf(to, sizeof path[0], "%s%s", top, rest);
    return to;
}

/* What is there at first. */
UNUSED static void prologue(int how)
{
    umask(022);
    wide_stream[STREAMS - 1] = how & 16;
    mkdir("d", 0755);
    mkdir("g", 0755);
    if (how & 1) {
        int new = open("start", O_WRONLY | O_CREAT, 0644);
        if (write(new, pattern, (size_t)(how * 100)) < 0)
            _exit(93);
        close(new);
        rename("start", "a.tr");
    }
    if (how & 2 && symlink("a.tr", "l.tr") < 0)
        _exit(94);
    if (how & 4 && symlink("d", "sd") < 0)
        _exit(95);
    if (how & 1 && how & 8)
        link("a.tr", "h.log");
}

/* 0, 1 and 2: a file of nobody else's. */
static void standard(void)
{
    int new = memfd_create("standard", 0);
    for (int i = 0; i < 3; i++)
        dup2(new, i);
    close(new);
}

static void slots(void)
{
    const char *given = getenv("FUZZ_TOP");
    if (given) {
        snprintf(top, sizeof top, "%s", given);
    } else {
        if (getcwd(top, sizeof top) == NULL)
            _exit(96);
        setenv("FUZZ_TOP", top, 1);
    }
    for (int i = 0; i < DESCRIPTORS; i++)
        fd[i] = i < FLOATING ? -1 : FIXED + i - FLOATING;
    stream[STREAMS - 1] = stdout;
    static char other_stack[256 * 1024]; /* of the first thread alone */
    sigaltstack(&(stack_t){.ss_sp = other_stack, .ss_size = sizeof other_stack}, NULL);
    handlers();
}

/* The program again: the block to go on with, or -1. */
static int go_on(int argc, char **argv)
{
    if (argc != 5 + DESCRIPTORS || strcmp(argv[1], "--block") != 0)
        return -1;
    turn = (unsigned)atoi(argv[3]);
    depth = (unsigned)atoi(argv[4]);
    for (int i = 0; i < DESCRIPTORS; i++) {
        fd[i] = atoi(argv[5 + i]);
        int flags = fcntl(fd[i], F_GETFD);
        show(flags, flags < 0 ? errno : 0);
        if (flags < 0)
            gone(i);
    }
    alarm(20);
    return atoi(argv[2]);
}

#endif
