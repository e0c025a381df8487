/* process: a child starts or is waited for, the process ends or becomes another program.
 *
 * Before a child starts, the bytes are in their files, cached descriptors are closed, and what the child inherits
 * writes through until all children are gone. libc's own forks inside system, popen and posix_spawn call no fork that we
 * could see, hence each by its public name. fork itself is seen by a handler as of pthread_atfork's, the first that is registered.
 *
 * A vfork child runs in its parent's memory and on its stack: vfork is assembly (vfork.S), and the child's wrappers
 * call libc and touch nothing of ours.
 */
#define NAMES_process
#include "export.h"

#include "../tracefile/tracefile.h"

/* Between ours the tables are locked: no other handler may run there, whose library was initialised before this one. The first
 * registered is the last to run before a fork, and the first after it. */
static void register_ours(void)
{
    extern void *__dso_handle __attribute__((visibility("hidden")));
    static bool registered;
    if (!__atomic_exchange_n(&registered, true, __ATOMIC_RELAXED))
        real___register_atfork(tf_fork_prepare, tf_fork_parent, tf_fork_child, &__dso_handle);
}

__attribute__((constructor)) static void begin(void)
{
    register_ours();
}

/* What pthread_atfork is in libc. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object)
{
    register_ours();
    return real___register_atfork(prepare, parent, child, object);
}

pid_t fork(void)
{
    pid_t pid = real_fork();
    if (pid < 0)
        tf_child_ended(false);
    return pid;
}

#if __GLIBC_PREREQ(2, 34)
/* It runs no atfork handlers. */
pid_t _Fork(void)
{
    tf_fork_prepare();
    pid_t pid = real__Fork();
    if (pid == 0)
        tf_fork_child();
    else
        tf_fork_parent();
    if (pid < 0)
        tf_child_ended(false);
    return pid;
}
#endif

/* Called by vfork.S before the system call: where the mark is that the child must set. */
__attribute__((visibility("hidden"))) volatile unsigned char *shim_vfork_prepare(void)
{
    tf_before_child(CAUSE_child);
    return &self.vfork_child;
}

/* Called by vfork.S in the parent, afterwards; mark: as it was before. */
__attribute__((visibility("hidden"))) pid_t shim_vfork_parent(long pid, int mark)
{
    self.vfork_child = (unsigned char)mark;
    if (pid > 0) {
        tf_child_started();
        return (pid_t)pid;
    }
    errno = (int)-pid;
    return -1;
}

/* clone(2) without CLONE_VM is a fork: its child starts here. */
struct start {
    int (*call)(void *);
    void *arg;
};

static int start_clone(void *arg)
{
    struct start *s = arg;
    tf_fork_child();
    return s->call(s->arg);
}

int clone(int (*call)(void *), void *stack, int flags, void *arg, ...)
{
    va_list list;
    va_start(list, arg);
    pid_t *parent = va_arg(list, pid_t *);
    void *tls = va_arg(list, void *);
    pid_t *child = va_arg(list, pid_t *);
    va_end(list);
    if (flags & CLONE_VM) {
        if (!(flags & CLONE_THREAD))
            tf_before_child(CAUSE_child);
        if (!(flags & CLONE_VFORK))
            self_shared = true;
        int pid = real_clone(call, stack, flags, arg, parent, tls, child);
        if (pid > 0 && !(flags & CLONE_THREAD))
            tf_child_started();
        return pid;
    }
    struct start s = {call, arg};
    tf_fork_prepare();
    int pid = call ? real_clone(start_clone, stack, flags, &s, parent, tls, child)
                   : real_clone(call, stack, flags, arg, parent, tls, child);
    tf_fork_parent();
    if (pid < 0)
        tf_child_ended(false);
    return pid;
}

int system(const char *command)
{
    if (command)
        tf_before_child(CAUSE_child);
    int done = real_system(command);
    if (command) {
        tf_child_started();
        tf_child_ended(false);
    }
    return done;
}

FILE *popen(const char *command, const char *type)
{
    tf_before_child(CAUSE_child);
    FILE *stream = real_popen(command, type);
    if (stream) {
        tf_new_number(stream->_fileno);
        tf_stream(stream->_fileno, true);
        tf_child_started();
    }
    return stream;
}

int pclose(FILE *stream)
{
    tf_tell();
    if (stream)
        tf_stream(stream->_fileno, false);
    int done = real_pclose(stream);
    tf_child_ended(false);
    return done;
}

#define SPAWNS(name, first, target)                                                                                  \
    int name(first id, const char *target, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr, \
             char *const argv[], char *const envp[])                                                                 \
    {                                                                                                                \
        tf_before_child(CAUSE_child);                                                                                \
        int done = real_##name(id, target, actions, attr, argv, envp);                                               \
        if (done == 0)                                                                                               \
            tf_child_started();                                                                                      \
        return done;                                                                                                 \
    }
SPAWNS(posix_spawn, pid_t *, path)
SPAWNS(posix_spawnp, pid_t *, file)
#if __GLIBC_PREREQ(2, 39)
SPAWNS(pidfd_spawn, int *, path)
SPAWNS(pidfd_spawnp, int *, file)
#endif

int wordexp(const char *words, wordexp_t *result, int flags)
{
    tf_before_child(CAUSE_child);
    int done = real_wordexp(words, result, flags);
    tf_child_started();
    tf_child_ended(false);
    return done;
}

/* ---- children that ended ---- */

static bool ended(int status)
{
    return WIFEXITED(status) || WIFSIGNALED(status);
}

/* What a wait returned: pid, or -1 with errno. */
static pid_t waited(pid_t pid, int status)
{
    if (pid > 0 && ended(status))
        tf_child_ended(false);
    else if (pid < 0 && errno == ECHILD)
        tf_child_ended(true);
    return pid;
}

pid_t wait(int *status)
{
    int mine = 0;
    pid_t pid = real_wait(status ? status : &mine);
    return waited(pid, status && pid > 0 ? *status : mine);
}

pid_t waitpid(pid_t which, int *status, int options)
{
    int mine = 0;
    pid_t pid = real_waitpid(which, status ? status : &mine, options);
    bool all = which == -1 || pid > 0;
    return all ? waited(pid, status && pid > 0 ? *status : mine) : pid;
}

pid_t wait3(int *status, int options, struct rusage *usage)
{
    int mine = 0;
    pid_t pid = real_wait3(status ? status : &mine, options, usage);
    return waited(pid, status && pid > 0 ? *status : mine);
}

pid_t wait4(pid_t which, int *status, int options, struct rusage *usage)
{
    int mine = 0;
    pid_t pid = real_wait4(which, status ? status : &mine, options, usage);
    bool all = which == -1 || pid > 0;
    return all ? waited(pid, status && pid > 0 ? *status : mine) : pid;
}

int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    siginfo_t mine = {0};
    siginfo_t *to = info ? info : &mine;
    int done = real_waitid(type, id, to, options);
    if (done == 0 && to->si_pid && !(options & WNOWAIT) && (options & WEXITED) && to->si_code != CLD_STOPPED &&
        to->si_code != CLD_CONTINUED && to->si_code != CLD_TRAPPED)
        tf_child_ended(false);
    else if (done < 0 && errno == ECHILD && type == P_ALL)
        tf_child_ended(true);
    return done;
}

/* ---- another program ---- */

int execve(const char *path, char *const argv[], char *const envp[])
{
    tf_before_exec();
    int done = real_execve(path, argv, envp);
    tf_exec_failed();
    return done;
}

int execv(const char *path, char *const argv[])
{
    tf_before_exec();
    int done = real_execv(path, argv);
    tf_exec_failed();
    return done;
}

int execvp(const char *file, char *const argv[])
{
    tf_before_exec();
    int done = real_execvp(file, argv);
    tf_exec_failed();
    return done;
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
    tf_before_exec();
    int done = real_execvpe(file, argv, envp);
    tf_exec_failed();
    return done;
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
    tf_before_exec();
    int done = real_fexecve(fd, argv, envp);
    tf_exec_failed();
    return done;
}

#if __GLIBC_PREREQ(2, 34)
int execveat(int dir, const char *path, char *const argv[], char *const envp[], int flags)
{
    tf_before_exec();
    int done = real_execveat(dir, path, argv, envp, flags);
    tf_exec_failed();
    return done;
}
#endif

/* The arguments of execl and its like, as a list on the caller's stack: it may be a vfork child, or a handler. */
#define LISTED(call)                           \
    do {                                       \
        va_list list, count;                   \
        va_start(list, arg);                   \
        va_copy(count, list);                  \
        size_t n = 1;                          \
        if (arg)                               \
            while (va_arg(count, char *))      \
                n++;                           \
        va_end(count);                         \
        char *argv[n + 1];                     \
        argv[0] = (char *)arg;                 \
        for (size_t i = 1; arg && i <= n; i++) \
            argv[i] = va_arg(list, char *);    \
        tf_before_exec();                      \
        int done = call;                       \
        tf_exec_failed();                      \
        va_end(list);                          \
        return done;                           \
    } while (0)

int execl(const char *path, const char *arg, ...)
{
    LISTED(real_execv(path, argv));
}

int execlp(const char *file, const char *arg, ...)
{
    LISTED(real_execvp(file, argv));
}

int execle(const char *path, const char *arg, ...)
{
    LISTED(real_execve(path, argv, va_arg(list, char **)));
}

/* ---- the end ---- */

int daemon(int keep_directory, int keep_descriptors)
{
    tf_barrier_all(CAUSE_child);
    if (!keep_descriptors)
        for (int fd = 0; fd <= 2; fd++)
            tf_replace(fd);
    int done = real_daemon(keep_directory, keep_descriptors);
    tf_directory_changed();
    return done;
}

/* A filter of system calls may forbid what a drain needs. */
int prctl(int option, ...)
{
    va_list list;
    va_start(list, option);
    unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long),
                  d = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_SECCOMP)
        tf_filter();
    return real_prctl(option, a, b, c, d);
}

/* ---- limits ---- */

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    if (resource == RLIMIT_FSIZE && limit)
        tf_barrier_all(CAUSE_through); /* under the old limit */
    int done = real_setrlimit(resource, limit);
    if (resource == RLIMIT_FSIZE || resource == RLIMIT_NOFILE)
        tf_limits_changed();
    return done;
}

int prlimit(pid_t pid, enum __rlimit_resource resource, const struct rlimit *limit, struct rlimit *old)
{
    if (resource == RLIMIT_FSIZE && limit)
        tf_barrier_all(CAUSE_through); /* under the old limit */
    int done = real_prlimit(pid, resource, limit, old);
    if ((resource == RLIMIT_FSIZE || resource == RLIMIT_NOFILE) && limit)
        tf_limits_changed();
    return done;
}

void _exit(int status)
{
    tf_before_end(CAUSE_exit);
    real__exit(status);
}

void quick_exit(int status)
{
    tf_barrier_all(CAUSE_exit); /* its handlers still write: the rest is done by the first that was registered, ours */
    real_quick_exit(status);
}

void abort(void)
{
    tf_before_end(CAUSE_exit);
    real_abort();
}

void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function)
{
    tf_before_end(CAUSE_exit);
    real___assert_fail(assertion, file, line, function);
}

void __assert_perror_fail(int error, const char *file, unsigned int line, const char *function)
{
    tf_before_end(CAUSE_exit);
    real___assert_perror_fail(error, file, line, function);
}

void __assert(const char *assertion, const char *file, int line)
{
    tf_before_end(CAUSE_exit);
    real___assert(assertion, file, line);
}
