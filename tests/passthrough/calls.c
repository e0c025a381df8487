/* Calls every function of shim/names.h, each alias by its own name, on things that are no
 * trace files and with arguments that are no good, and prints what came back:
 *
 *     NAME LINE value V errno E status S said TEXT
 *
 * LINE is the case's in cases.h. V and E are what the caller sees (no V when the call
 * ended the process), S is the process's wait status, TEXT what it wrote on stderr.
 * errno is EXDEV before the call, so that a call which succeeds shows that it left it alone.
 * The suite runs this natively and under the shim and compares.
 *
 * With --owners it prints the object that each name comes from.
 */
#undef _FORTIFY_SOURCE /* some compilers set it by themselves */
#include "../../shim/libc.h"

#include <dlfcn.h>
#include <limits.h>
#include <linux/fs.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <err.h>

/* The version of names that are kept for old binaries only. */
#ifdef __x86_64__
#define OLDEST       "GLIBC_2.2.5"
#define STAT_VERSION 1
#else
#define OLDEST       "GLIBC_2.17"
#define STAT_VERSION 0
#endif
#define BAD    ((void *)16)
#define NOBODY 0x7ffffff0

enum { PLAIN = 20, DIRECTORY, IN, OUT, LEFT, RIGHT, EVENT, WIDE, NONE, RESULT = 100 };

static char buf[1000] __attribute__((aligned(16)));
static struct stat st;
static struct statx stx;
static off_t at5 = 5;
static struct iovec two[] = {{"ab", 2}, {"cde", 3}};
static struct iovec three[] = {{buf, 4}, {buf + 4, 4}, {buf + 8, 4}};
static const struct timeval times[] = {{5, 0}, {6, 0}};
static const struct timespec ntimes[] = {{5, 0}, {6, 0}};
static char stack[65536] __attribute__((aligned(16)));
static char *const stack_end = stack + sizeof stack;
static int signalled;
static FILE *wide;

/* ---- what cases.h uses ---- */

#define EXIT(status)  ((char *[]){"sh", "-c", "exit " #status, NULL})
#define MESSAGE       "\1\0\0\0\0\0\0\0xyz"
#define ADDRESS(path) ((const struct sockaddr *)&(struct sockaddr_un){AF_UNIX, path})
/* Two values in one, in this order; errno is the first's. */
#define both(first, times, second)     \
    ({                                 \
        long first_ = (long)(first);   \
        int error_ = errno;            \
        long second_ = (long)(second); \
        errno = error_;                \
        first_ *(times) + second_;     \
    })
#define sign(n)              \
    ({                       \
        int n_ = (n);        \
        (n_ > 0) - (n_ < 0); \
    })

static long fileno_of(FILE *stream)
{
    return stream == NULL ? -1 : fileno(stream);
}

static char *template(const char *text)
{
    return strcpy(buf, text);
}

/* These look at a file without a call that is under test. */
static long attribute(const char *path, int which)
{
    struct statx x;

    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BASIC_STATS, &x) != 0)
        return 999;
    return which == 0 ? (long)x.stx_size : which == 1 ? x.stx_mode & 07777 : x.stx_mtime.tv_sec;
}

static long size_of(const char *path)
{
    return attribute(path, 0);
}

static long mode_of(const char *path)
{
    return attribute(path, 1);
}

static long mtime_of(const char *path)
{
    return attribute(path, 2);
}

static long letter_at(const char *map)
{
    return map == MAP_FAILED ? -1 : map[0];
}

static FILE *full(void)
{
    FILE *stream = fopen("/dev/full", "w");

    fputs("text", stream);
    return stream;
}

static FILE *narrow(void)
{
    FILE *stream = fopen("new", "w");

    fputs("text", stream);
    return stream;
}

static long written(FILE *stream)
{
    return fflush(stream) == 0 ? size_of("wide") : -1;
}

static int on_ftw(const char *path, const struct stat *s, int flag)
{
    return strcmp(path, "./plain") == 0 ? (int)s->st_size + flag : 0;
}

static int on_nftw(const char *path, const struct stat *s, int flag, struct FTW *f)
{
    return strcmp(path, "./plain") == 0 ? (int)s->st_size + flag + f->level : 0;
}

static FTS *walk(void)
{
    return fts_open((char *[]){"full", NULL}, FTS_PHYSICAL, NULL);
}

static pid_t child(int status)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(status);
    return pid;
}

static long ended(pid_t pid)
{
    int status = -1;

    if (pid < 0)
        return pid;
    return waitpid(pid, &status, 0) == pid ? status : -2;
}

static int on_clone(void *status)
{
    return (int)(long)status;
}

static void on_end(void)
{
    fprintf(stderr, "ending\n");
}

static int forks;

static void on_fork(void)
{
    forks = forks * 10 + 1;
}

static void on_forked(void)
{
    forks = forks * 10 + 2;
}

static void on_signal(int signal)
{
    signalled = signal;
}

static void on_info(int signal, siginfo_t *info, void *context)
{
    signalled = signal * 100 + info->si_value.sival_int;
    (void)context;
}

static void on_other(int signal)
{
    signalled = -signal;
}

static struct sigaction action, old_action;

/* handler: on_info takes more than one argument, and SA_SIGINFO says so. */
static const struct sigaction *acting(void *handler, int flags)
{
    action = (struct sigaction){.sa_handler = (__sighandler_t)handler, .sa_flags = flags};
    sigaddset(&action.sa_mask, SIGUSR2);
    return &action;
}

/* An action in one number. */
static long shown(const struct sigaction *act)
{
    int handler = act->sa_handler == on_signal   ? 1
                  : act->sa_sigaction == on_info ? 2
                  : act->sa_handler == SIG_DFL   ? 3
                  : act->sa_handler == SIG_IGN   ? 4
                                                 : 9;

    return (long)(unsigned)act->sa_flags * 1000 + handler * 10 + sigismember(&act->sa_mask, SIGUSR1) +
           2 * sigismember(&act->sa_mask, SIGUSR2);
}

static long shown_now(int signal)
{
    sigaction(signal, NULL, &old_action);
    return shown(&old_action);
}

/* 1: our handler, -1: SIG_ERR, and so on. */
static int which(void (*handler)(int))
{
    return handler == on_signal  ? 1
           : handler == SIG_ERR  ? -1
           : handler == SIG_DFL  ? 0
           : handler == SIG_IGN  ? 2
           : handler == SIG_HOLD ? 3
                                 : 9;
}

static long blocked(int signal)
{
    sigset_t mask;

    return sigprocmask(SIG_BLOCK, NULL, &mask) == 0 ? sigismember(&mask, signal) : -1;
}

static long done(struct aiocb *request)
{
    const struct aiocb *list[] = {request};
    int error;

    while ((error = aio_error(request)) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return error != 0 ? -error : aio_return(request);
}

static void limit(int descriptors)
{
    for (int fd = 0; fd < descriptors; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            dup2(2, fd);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)descriptors, (rlim_t)descriptors});
    errno = EXDEV;
}

static int listening(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), to = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {AF_UNIX, "socket"};

    bind(fd, (struct sockaddr *)&address, sizeof address);
    listen(fd, 1);
    connect(to, (struct sockaddr *)&address, sizeof address);
    errno = EXDEV;
    return fd;
}

static struct msghdr *pass(int fd)
{
    static struct msghdr message;
    struct cmsghdr *control = (struct cmsghdr *)buf;

    message = (struct msghdr){.msg_iov = two, .msg_iovlen = 2, .msg_control = buf, .msg_controllen = CMSG_SPACE(4)};
    control->cmsg_len = CMSG_LEN(4);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(control), &fd, 4);
    return &message;
}

/* The descriptor that a message brought, and how far its file reaches. */
static long received(int socket)
{
    struct msghdr *message = pass(-1);
    int fd;

    if (recvmsg(socket, message, 0) < 0)
        return -1;
    memcpy(&fd, CMSG_DATA((struct cmsghdr *)buf), 4);
    return fd * 100 + lseek(fd, 0, SEEK_END);
}

/* The v functions: with a destination or without, with the flag of _chk or without. */
#define CALLER(name, first, call) \
    static long name first        \
    {                             \
        va_list list;             \
        long result;              \
                                  \
        va_start(list, format);   \
        result = call;            \
        va_end(list);             \
        return result;            \
    }
typedef int on_fd(int, const char *, va_list);
typedef int on_fd_chk(int, int, const char *, va_list);
typedef int on_stream(FILE *, const wchar_t *, va_list);
typedef int on_stream_chk(FILE *, int, const wchar_t *, va_list);
typedef int on_out(const wchar_t *, va_list);
typedef int on_out_chk(int, const wchar_t *, va_list);
CALLER(v_fd, (on_fd * f, int to, const char *format, ...), f(to, format, list))
CALLER(v_fd_chk, (on_fd_chk * f, int to, const char *format, ...), f(to, 1, format, list))
CALLER(v_stream, (on_stream * f, FILE *to, const wchar_t *format, ...), f(to, format, list))
CALLER(v_stream_chk, (on_stream_chk * f, FILE *to, const wchar_t *format, ...), f(to, 1, format, list))
CALLER(LIST1, (on_out * f, const wchar_t *format, ...), f(format, list))
CALLER(LIST1_CHK, (on_out_chk * f, const wchar_t *format, ...), f(1, format, list))
#define LIST(f, ...)     _Generic(f, on_fd * : v_fd, default : v_stream)(f, __VA_ARGS__)
#define LIST_CHK(f, ...) _Generic(f, on_fd_chk * : v_fd_chk, default : v_stream_chk)(f, __VA_ARGS__)

/* ---- the cases ---- */

#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* clang-format off */
#define F(family, ret, name, params, args)        typedef ret type_##name params;
#define V(family, ret, name, proto, params, args) typedef ret type_##name proto;
#define P(family, ret, name, proto, target)       typedef ret type_##name proto;
#define N(family, name, params, args)             typedef void type_##name params;
#define S(family, ret, name, params)              typedef ret type_##name params;
#include "../../shim/names.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define C(name, expression)                                                                  \
    static long JOIN(case_, __LINE__)(void *function)                                        \
    {                                                                                        \
        type_##name *f = (type_##name *)function;                                            \
                                                                                             \
        errno = EXDEV;                                                                       \
        return (long)(expression);                                                           \
    }
#include "cases.h"
#undef C

static const struct {
    const char *name;
    int line;
    long (*run)(void *function);
} cases[] = {
#define C(name, expression) {#name, __LINE__, JOIN(case_, __LINE__)},
#include "cases.h"
#undef C
};

/* Every name, and the one whose cases it takes. */
static const struct {
    const char *name, *cases;
} names[] = {
#define F(family, ret, name, params, args)        {#name, #name},
#define V(family, ret, name, proto, params, args) {#name, #name},
#define P(family, ret, name, proto, target)       {#name, #name},
#define N(family, name, params, args)             {#name, #name},
#define S(family, ret, name, params)              {#name, #name},
#define A(name, target)                           {#name, #target},
#include "../../shim/names.h"
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct {
    int done, error;
    long value;
} * result; /* shared with the child */

static void file(int fd, const char *path, int flags, const char *text)
{
    int made = open(path, flags, 0644);

    if (made < 0)
        err(1, "%s", path);
    if (text != NULL && pwrite(made, text, strlen(text), 0) < 0)
        err(1, "%s", path);
    if (made != fd) {
        dup2(made, fd);
        close(made);
    }
}

static void ends(int fds[2], int first, int second)
{
    int high[2] = {fcntl(fds[0], F_DUPFD, RESULT), fcntl(fds[1], F_DUPFD, RESULT)};

    close(fds[0]), close(fds[1]);
    dup2(high[0], first), dup2(high[1], second);
    close(high[0]), close(high[1]);
}

/* What cases.h says a case finds. */
static void files(void)
{
    int fds[2];

    file(0, "/dev/null", O_RDONLY, NULL);
    file(1, "out", O_RDWR | O_CREAT, NULL);
    file(2, "error", O_RDWR | O_CREAT | O_APPEND, NULL);
    if ((wide = fopen("wide", "w")) == NULL)
        err(1, "wide");
    file(PLAIN, "plain", O_RDWR | O_CREAT, "abcdefghijklmnopqrstuvwxyz");
    file(DIRECTORY, ".", O_RDONLY, NULL);
    if (symlink("plain", "link") != 0 || mkdir("directory", 0755) != 0 || mkdir("full", 0755) != 0 ||
        mkdir("full/a", 0755) != 0 || mkdir("full/b", 0755) != 0)
        err(1, "directories");
    if (pipe(fds) != 0 || write(fds[1], "hello", 5) != 5)
        err(1, "pipe");
    ends(fds, IN, OUT);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0 || write(fds[1], "hello", 5) != 5)
        err(1, "socketpair");
    ends(fds, LEFT, RIGHT);
    dup2(fds[0] = eventfd(0, EFD_NONBLOCK), EVENT);
    close(fds[0]);
}

static void run(size_t i, void *function)
{
    files();
    alarm(30);
    result->value = cases[i].run(function);
    result->error = errno;
    result->done = 1;
    _exit(0);
}

static void show_error(const char *path)
{
    char said[200];
    int fd = open(path, O_RDONLY);
    ssize_t count = read(fd, said, sizeof said);

    close(fd);
    for (ssize_t i = 0; i < count; i++)
        putchar(said[i] == '\n' ? '|' : said[i]);
    putchar('\n');
}

static void call(const char *name, size_t i, void *function)
{
    char directory[32], error[48];
    int fds[2], status;
    char byte;

    snprintf(directory, sizeof directory, "%s-%d", name, cases[i].line);
    snprintf(error, sizeof error, "%s/error", directory);
    *result = (__typeof__(*result)){0};
    if (mkdir(directory, 0755) != 0 || pipe2(fds, O_CLOEXEC) != 0)
        err(1, "%s", directory);
    fflush(stdout);

    pid_t pid = fork();

    if (pid == 0) {
        if (chdir(directory) != 0)
            err(1, "%s", directory);
        dup2(fds[1], RESULT);
        fcntl(RESULT, F_SETFD, FD_CLOEXEC);
        close(fds[0]), close(fds[1]);
        run(i, function);
    }
    close(fds[1]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        err(1, "child");
    /* The case may have gone on in a child of its own (daemon). */
    while (read(fds[0], &byte, 1) > 0)
        ;
    close(fds[0]);

    printf("%s %d ", name, cases[i].line);
    if (result->done)
        printf("value %ld errno %d ", result->value, result->error);
    printf("status %d said ", status);
    show_error(error);
}

static void show_owner(const char *name, void *function)
{
    Dl_info info;

    printf("%s %s\n", name, function != NULL && dladdr(function, &info) != 0 ? info.dli_fname : "nowhere");
}

int main(int argc, char **argv)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    umask(022);
    result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (result == MAP_FAILED)
        err(1, "memory");
    dlopen("libutil.so.1", RTLD_NOW | RTLD_GLOBAL); /* where openpty was before glibc 2.34 */
    for (size_t n = 0; n < COUNT(names); n++) {
        void *function = dlsym(RTLD_DEFAULT, names[n].name);
        size_t called = 0;

        if (function == NULL) /* llseek on x86-64, __send on aarch64 */
            function = dlvsym(RTLD_DEFAULT, names[n].name, OLDEST);

        if (argc > 1 && strcmp(argv[1], "--owners") == 0) {
            show_owner(names[n].name, function);
            continue;
        }
        if (argc > 1 && strcmp(argv[1], names[n].name) != 0)
            continue;
        for (size_t i = 0; function != NULL && i < COUNT(cases); i++)
            if (strcmp(names[n].cases, cases[i].name) == 0)
                call(names[n].name, i, function), called++;
        if (called == 0)
            printf("%s is not called\n", names[n].name);
    }
    return 0;
}
