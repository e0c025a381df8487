/* program MODE [ARG]...: what tests/guard/suite runs, natively and under the shim. What it prints must be the same; records go to
 * trace files (*.tr) in the current directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../lib/older.h"

static const char *argument(char **argv, int i, const char *otherwise)
{
    for (int k = 1; k <= i; k++)
        if (!argv[k])
            return otherwise;
    return argv[i];
}

/* One record, the file reopened for it. */
static void record(const char *name, int i)
{
    char text[64];
    int n = snprintf(text, sizeof text, "record %d\n", i);
    int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (fd < 0 || write(fd, text, (size_t)n) != n || close(fd) != 0) {
        printf("record %d: %s\n", i, strerror(errno));
        exit(1);
    }
}

static void records(const char *name, int from, int to)
{
    for (int i = from; i < to; i++)
        record(name, i);
}

static void die(void)
{
    fflush(stdout);
    kill(getpid(), SIGKILL);
}

static void end(const char *how)
{
    if (strcmp(how, "kill") == 0)
        die();
}

/* ---- records N HOW ---- */

static int just_records(char **argv)
{
    records("r.tr", 0, atoi(argument(argv, 2, "100")));
    end(argument(argv, 3, "exit"));
    return 0;
}

/* ---- children: there are none that the program didn't start ---- */

static volatile sig_atomic_t told;

static void on_child(int signal)
{
    (void)signal;
    told++;
}

static void nobody_to_wait_for(const char *when)
{
    siginfo_t info;
    int status, count = 0;
    while (wait(&status) > 0)
        count++;
    printf("%s: wait found %d, then %s\n", when, count, strerror(errno));
    pid_t found = waitpid(-1, &status, WNOHANG);
    printf("%s: waitpid %d %s\n", when, (int)found, strerror(errno));
    found = waitpid(-1, &status, WNOHANG | __WALL);
    printf("%s: waitpid of all kinds %d %s\n", when, (int)found, strerror(errno));
    int done = waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
    printf("%s: waitid %d %s\n", when, done, strerror(errno));
    printf("%s: SIGCHLD %d\n", when, (int)told);
}

static int children(char **argv)
{
    struct sigaction action = {.sa_handler = on_child};
    sigaction(SIGCHLD, &action, NULL);
    if (strcmp(argument(argv, 2, ""), "subreaper") == 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    records("r.tr", 0, 10);
    nobody_to_wait_for("after ten records");
    pid_t pid = fork();
    if (pid == 0)
        _exit(7);
    records("r.tr", 10, 20);
    nobody_to_wait_for("after a child");
    records("r.tr", 20, 30);
    nobody_to_wait_for("at the end");
    int subreaper = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
    printf("subreaper %d\n", subreaper);
    die();
    return 0;
}

/* ---- numbers: descriptors that the program can't see may be closed and replaced by it ---- */

/* The descriptors that the kernel has and libc denies. */
static int hidden(int *fds, int most)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        int fd = atoi(e->d_name);
        if (e->d_name[0] != '.' && fd != dirfd(dir) && n < most && fcntl(fd, F_GETFD) < 0)
            fds[n++] = fd;
    }
    if (dir)
        closedir(dir);
    return n;
}

static int numbers(char **argv)
{
    int fds[64];
    records("r.tr", 0, 10);
    int n = hidden(fds, 64); /* natively none: t.tr isn't compared */
    fprintf(stderr, "hidden %d\n", n);
    for (int i = 0; i < n; i++) {
        if (close(fds[i]) != -1 || errno != EBADF)
            printf("%d could be closed\n", fds[i]);
        if (dup2(1, fds[i]) != fds[i] || dprintf(fds[i], "%s", "") != 0 || close(fds[i]) != 0)
            printf("dup2 onto %d: %s\n", fds[i], strerror(errno));
        record("t.tr", 10);
    }
    fflush(stdout);
    records("r.tr", 10, 20);
    records("s.tr", 0, 10);
    printf("close_range %d\n", close_range(3, ~0u, 0));
    records("s.tr", 10, 20);
    closefrom(3);
    records("s.tr", 20, 30);
    end(argument(argv, 2, "kill"));
    return 0;
}

/* ---- raw: somebody closes them by system calls that nobody sees */

static long raw_close(int fd)
{
    long done;
#ifdef __x86_64__
    __asm__ volatile("syscall" : "=a"(done) : "0"((long)SYS_close), "D"((long)fd) : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_close, first __asm__("x0") = fd;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number) : "memory");
    done = first;
#endif
    return done;
}

static int raw(char **argv)
{
    int fds[64];
    records("r.tr", 0, 10);
    int n = hidden(fds, 64);
    fprintf(stderr, "hidden %d\n", n);
    for (int i = 0; i < n; i++)
        raw_close(fds[i]);
    records("r.tr", 10, 100);
    records("s.tr", 0, 100);
    end(argument(argv, 2, "kill"));
    return 0;
}

/* ---- limits: as many files as the limit lets it have ---- */

static int limits(char **argv)
{
    int fds[4096], n = 0;
    char name[32];
    records("r.tr", 0, 10);
    for (; n < 4096; n++) {
        snprintf(name, sizeof name, "f%d.tr", n);
        fds[n] = open(name, O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (fds[n] < 0)
            break;
    }
    printf("%d files, then %s\n", n, strerror(errno));
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            if (write(fds[i], "a record\n", 9) != 9)
                printf("write %d: %s\n", i, strerror(errno));
    end(argument(argv, 2, "kill"));
    return 0;
}

/* ---- family: children have guards of their own ---- */

static int family(char **argv)
{
    char name[32];
    pid_t pids[3];
    records("r.tr", 0, 10);
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            snprintf(name, sizeof name, "c%d.tr", i);
            records(name, 0, 100);
            records("shared.tr", 0, 100);
            die();
        }
    }
    records("r.tr", 10, 20);
    for (int i = 0; i < 3; i++) {
        int status;
        waitpid(pids[i], &status, 0);
        printf("child %d: signal %d\n", i, WTERMSIG(status));
    }
    records("r.tr", 20, 30);
    end(argument(argv, 2, "kill"));
    return 0;
}

static int exec_itself(char **argv)
{
    records("r.tr", 0, 10);
    char *const again[] = {argv[0], "records", "20", "kill", NULL};
    execv("/proc/self/exe", again);
    return 1;
}

static int daemonise(char **argv)
{
    (void)argv;
    records("r.tr", 0, 10);
    if (daemon(1, 0) != 0)
        return 1;
    records("r.tr", 10, 20);
    die();
    return 0;
}

/* ---- signals: what the terminal sends ---- */

static int group(char **argv)
{
    (void)argv;
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    records("r.tr", 0, 10);
    puts("ready");
    fflush(stdout);
    if (getchar() == EOF)
        return 1;
    records("r.tr", 10, 20);
    die();
    return 0;
}

/* ---- delays WINDOW: each record says when it was written ---- */

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void stamp(int fd, const char *what)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s %lld\n", what, now_ns());
    if (write(fd, text, (size_t)n) != n)
        exit(1);
}

static int delays(char **argv)
{
    long long window = atoll(argument(argv, 2, "100")) * 1000000LL;
    int rounds = atoi(argument(argv, 3, "3"));
    int fd = open("r.tr", O_WRONLY | O_CREAT | O_APPEND, 0666);
    int ends[2];
    if (fd < 0 || pipe(ends) != 0)
        return 1;
    for (int i = 0; i < rounds; i++) {
        stamp(fd, "compute");
        for (long long until = now_ns() + window * 5 / 4; now_ns() < until;)
            continue;
        stamp(fd, "sleep");
        usleep((useconds_t)(window * (5 + i) / 4000));
        for (int k = 0; k < 3; k++) {
            stamp(fd, "often");
            usleep((useconds_t)(window / 2500));
        }
    }
    stamp(fd, "block");
    char byte;
    return read(ends[0], &byte, 1) == 0;
}

/* ---- sizes: what the program knows of its own file is exact, whatever the guard does ---- */

static int sizes(char **argv)
{
    int append = strcmp(argument(argv, 2, "append"), "append") == 0, wrong = 0;
    int fd = open("r.tr", O_RDWR | O_CREAT | (append ? O_APPEND : 0), 0666);
    off_t size = 0;
    long long until = now_ns() + atoll(argument(argv, 3, "1000")) * 1000000LL;
    static char bytes[3000];
    memset(bytes, 'x', sizeof bytes);
    for (int i = 0; now_ns() < until && wrong < 10; i++) {
        size_t n = (size_t)(1 + i * 7919 % 2999);
        struct stat st, by_path;
        struct statx stx;
        if (write(fd, bytes, n) != (ssize_t)n)
            return 1;
        size += (off_t)n;
        if (fstat(fd, &st) != 0 || st.st_size != size)
            wrong += printf("fstat: %lld instead of %lld\n", (long long)st.st_size, (long long)size) > 0;
        off_t at = lseek(fd, 0, SEEK_END);
        if (at != size)
            wrong += printf("lseek: %lld instead of %lld\n", (long long)at, (long long)size) > 0;
        at = lseek(fd, 0, SEEK_CUR);
        if (at != size)
            wrong += printf("here: %lld instead of %lld\n", (long long)at, (long long)size) > 0;
        if (stat("r.tr", &by_path) != 0 || by_path.st_size != size)
            wrong += printf("stat: %lld instead of %lld\n", (long long)by_path.st_size, (long long)size) > 0;
        if (statx(AT_FDCWD, "r.tr", 0, STATX_SIZE, &stx) != 0 || (off_t)stx.stx_size != size)
            wrong += printf("statx: %lld instead of %lld\n", (long long)stx.stx_size, (long long)size) > 0;
        if (i % 50 == 49)
            size = ftruncate(fd, 0) == 0 && (append || lseek(fd, 0, SEEK_SET) == 0) ? 0 : -1;
    }
    printf("%d wrong\n", wrong);
    return wrong > 0;
}

/* ---- filter: system calls that a sandbox forbids ---- */

static int filtered(char **argv)
{
    static const int forbidden[] = {SYS_clone,        SYS_execve,    SYS_socketpair, SYS_sendmsg,
                                    SYS_recvfrom,     SYS_prctl,     SYS_kill,       SYS_tgkill,
                                    SYS_memfd_create, SYS_prlimit64, SYS_unlinkat,   SYS_getrandom};
    struct sock_filter code[2 * sizeof forbidden / sizeof *forbidden + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    unsigned short n = 1;
    records("r.tr", 0, 10);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)forbidden[i], 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return 1;
    records("r.tr", 10, 100);
    records("new.tr", 0, 100);
    end(argument(argv, 2, "exit"));
    return 0;
}

/* ---- script: what was written is a program, and is executed ---- */

static int script(char **argv)
{
    static const char text[] = "#!/bin/sh\nexit 7\n";
    int fd = open("r.tr", O_WRONLY | O_CREAT | O_APPEND, 0777);
    if (fd < 0 || write(fd, text, sizeof text - 1) != sizeof text - 1)
        return 1;
    fchmod(fd, 0777);
    if (strcmp(argument(argv, 2, ""), "exec") == 0) {
        close(fd);
        execl("r.tr", "r.tr", NULL);
        return errno;
    }
    if (strcmp(argument(argv, 2, ""), "_exit") == 0)
        _exit(0);
    return 0; /* with the file open */
}

/* ---- session: commands on stdin, one answer each on stdout ---- */

static void answer(long done)
{
    if (done < 0)
        printf("%s\n", strerrorname_np(errno));
    else
        printf("%ld\n", done);
    fflush(stdout);
}

static int session(char **argv)
{
    (void)argv;
    char line[512], path[400];
    int fd = -1;
    long n;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "open %399s", path) == 1) {
            fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
            answer(fd);
        } else if (sscanf(line, "write %ld", &n) == 1) {
            static char bytes[1 << 20];
            static int which;
            memset(bytes, 'a' + which % 26, (size_t)n);
            long done = write(fd, bytes, (size_t)n);
            which += done > 0; /* so that bytes tell what was accepted */
            answer(done);
        } else if (strcmp(line, "fsync\n") == 0) {
            answer(fsync(fd));
        } else if (strcmp(line, "close\n") == 0) {
            answer(close(fd));
        } else if (strcmp(line, "kill\n") == 0) {
            die();
        } else {
            return 0;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(char **argv);
    } modes[] = {{"records", just_records}, {"children", children}, {"numbers", numbers},  {"raw", raw},
                 {"limits", limits},        {"family", family},     {"exec", exec_itself}, {"daemon", daemonise},
                 {"group", group},          {"delays", delays},     {"sizes", sizes},      {"filter", filtered},
                 {"session", session},      {"script", script}};
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0)
            return modes[i].run(argv);
    return 2;
}
