/* What the writer of tests/causes does: calls that make a channel ready, and calls that tell. Included by causes.c. */
/* clang-format off */

/* ---- bytes ---- */

static struct iovec one_byte = {(void *)"x", 1};

IS(by_write) { DO(write(out, "12345678", 1)); }
IS(by_event) { DO(write(out, &(uint64_t){1}, 8)); }
IS(by_eventfd_write) { DO(eventfd_write(out, 1)); }
IS(by_writev) { DO(writev(out, &one_byte, 1)); }
IS(by_pwritev2) { DO(pwritev2(out, &one_byte, 1, -1, 0)); }
IS(by_dprintf) { DO(dprintf(out, "%c", 'x')); }
IS(by_send) { DO(send(out, "x", 1, 0)); }
IS(by_sendto) { DO(sendto(out, "x", 1, 0, NULL, 0)); }
IS(by_sendmsg) { DO(sendmsg(out, &(struct msghdr){.msg_iov = &one_byte, .msg_iovlen = 1}, 0)); }
IS(by_sendmmsg)
{
    struct mmsghdr m = {.msg_hdr = {.msg_iov = &one_byte, .msg_iovlen = 1}};
    DO(sendmmsg(out, &m, 1, 0));
}
IS(by_syscall) { DO(syscall(SYS_write, out, "x", 1L)); }
IS(by_syscall_sendto) { DO(syscall(SYS_sendto, out, "x", 1L, 0L, NULL, 0L)); }

IS(fill_inner)
{
    if (inner[0] < 0)
        DO(pipe2(inner, O_CLOEXEC));
    DO(write(inner[1], "x", 1));
}
IS(by_splice) { DO(splice(inner[0], NULL, out, NULL, 1, 0)); }
IS(by_tee) { DO(tee(inner[0], out, 1, 0)); }
IS(empty_inner)
{
    char byte;
    DO(read(inner[0], &byte, 1));
}
IS(by_vmsplice) { DO(vmsplice(out, &one_byte, 1, 0)); }
IS(open_byte)
{
    if (to >= 0)
        return;
    to = DO(open("byte", O_RDWR | O_CREAT, 0600));
    DO(write(to, "x", 1));
}
IS(by_sendfile) { DO(sendfile(out, to, &(off_t){0}, 1)); }

static struct aiocb asked;
static const struct aiocb *const asked_list[] = {&asked};
IS(by_aio_write)
{
    asked = (struct aiocb){.aio_fildes = out, .aio_buf = (void *)"x", .aio_nbytes = 1};
    DO(aio_write(&asked));
    DO(aio_suspend(asked_list, 1, NULL));
}
IS(by_lio_listio)
{
    struct aiocb *list[] = {&asked};
    asked = (struct aiocb){.aio_fildes = out, .aio_buf = (void *)"x", .aio_nbytes = 1, .aio_lio_opcode = LIO_WRITE};
    DO(lio_listio(LIO_WAIT, list, 1, NULL));
}

/* ---- streams ---- */

IS(open_stream)
{
    if (stream)
        return;
    stream = fdopen(out, "w");
    if (!stream)
        fail("fdopen");
}
IS(put_byte)
{
    open_stream();
    putc('x', stream);
}
IS(by_fflush) { DO(fflush(stream)); }
IS(by_fflush_all) { DO(fflush(NULL)); }
IS(new_stream)
{
    stream = NULL;
    put_byte();
}
IS(by_fclose) { DO(fclose(stream)); }
IS(open_unbuffered)
{
    if (!stream) {
        open_stream();
        setvbuf(stream, NULL, _IONBF, 0);
    }
}
IS(open_by_line)
{
    if (!stream) {
        open_stream();
        setvbuf(stream, NULL, _IOLBF, 4096);
    }
}
IS(open_full)
{
    static char small[16];
    if (!stream) {
        open_stream();
        setvbuf(stream, small, _IOFBF, sizeof small);
    }
}
IS(by_fprintf) { DO(fprintf(stream, "%c", 'x')); }
IS(by_line) { DO(fputs("12345678901234567890123456789\n\n\n", stream)); }
IS(by_overflow) { DO(fwrite("12345678901234567890123456789012", 1, 32, stream)); }

/* ---- ends ---- */

IS(by_close) { DO(close(out)); }
IS(by_shutdown) { DO(shutdown(out, SHUT_WR)); }
IS(close_out) { DO(close(out)); }
IS(open_null)
{
    if (to < 0)
        to = DO(open("/dev/null", O_WRONLY));
}
IS(by_dup2) { DO(dup2(to, out)); }
IS(by_dup3) { DO(dup3(to, out, O_CLOEXEC)); }
#if __GLIBC_PREREQ(2, 34)
IS(by_close_range) { DO(close_range((unsigned)out, (unsigned)out, 0)); }
#endif
#if __GLIBC_PREREQ(2, 34)
IS(move_out_high)
{
    int low = out;
    out = DO(dup2(low, 300));
    close(low);
}
IS(by_closefrom) { closefrom(300); }
#endif

/* ---- signals ---- */

static pid_t reader(void) { return getppid(); }

IS(by_kill) { DO(kill(reader(), SIGUSR1)); }
IS(by_killpg) { DO(killpg(getpgid(reader()), SIGUSR1)); }
IS(leave_group) { setpgid(0, 0); }
IS(by_tgkill) { DO(tgkill(reader(), reader(), SIGUSR1)); }
IS(by_sigqueue) { DO(sigqueue(reader(), SIGUSR1, (union sigval){0})); }
IS(by_pidfd_send_signal)
{
    if (to < 0)
        to = DO(syscall(SYS_pidfd_open, reader(), 0L));
#if __GLIBC_PREREQ(2, 36)
    extern int pidfd_send_signal(int pidfd, int signal, siginfo_t *info, unsigned int flags);
    DO(pidfd_send_signal(to, SIGUSR1, NULL, 0));
#else
    DO(syscall(SYS_pidfd_send_signal, to, (long)SIGUSR1, NULL, 0L));
#endif
}
IS(by_syscall_pidfd)
{
    if (to < 0)
        to = DO(syscall(SYS_pidfd_open, reader(), 0L));
    DO(syscall(SYS_pidfd_send_signal, (long)to, (long)SIGUSR1, NULL, 0L));
}
IS(by_syscall_tgkill) { DO(syscall(SYS_tgkill, (long)reader(), (long)reader(), (long)SIGUSR1)); }
IS(by_raise) { DO(raise(SIGSTOP)); }
IS(by_pthread_kill) { DO(pthread_kill(pthread_self(), SIGSTOP)); }
IS(by_pthread_sigqueue) { DO(pthread_sigqueue(pthread_self(), SIGSTOP, (union sigval){0})); }

/* ---- semaphores, queues ---- */

IS(open_named)
{
    if (!posted && (posted = sem_open(shared_name(0), 0)) == SEM_FAILED)
        fail("sem_open");
}
IS(open_shared)
{
    if (!posted && !(posted = shared_semaphore()))
        fail("mmap");
}
IS(by_sem_post) { DO(sem_post(posted)); }
IS(open_queue)
{
    if (to < 0)
        to = DO(mq_open(shared_name(0), O_WRONLY));
}
IS(by_mq_send) { DO(mq_send(to, "x", 1, 0)); }
IS(by_mq_timedsend) { DO(mq_timedsend(to, "x", 1, 0, &(struct timespec){0})); }
IS(open_message)
{
    if (to < 0)
        to = DO(msgget(shared_key(), 0));
}
IS(by_msgsnd)
{
    struct { long type; char text[8]; } m = {1, "x"};
    DO(msgsnd(to, &m, 1, 0));
}
IS(open_set)
{
    if (to < 0)
        to = DO(semget(shared_key(), 1, 0));
}
IS(by_semop) { DO(semop(to, &(struct sembuf){0, 1, 0}, 1)); }
IS(by_semtimedop) { DO(semtimedop(to, &(struct sembuf){0, 1, 0}, 1, &(struct timespec){1, 0})); }
IS(by_semctl) { DO(semctl(to, 0, SETVAL, 1)); }

/* ---- locks ---- */

static struct flock whole(short type) { return (struct flock){.l_type = type}; }
IS(open_lock) { to = DO(open("lock", O_RDWR | O_CREAT, 0600)); }
IS(locked) { DO(write(MEET_FD, "l", 1)); }
IS(take_flock)
{
    if (to < 0)
        open_lock();
    DO(flock(to, LOCK_EX));
    locked();
}
IS(take_lockf)
{
    if (to < 0)
        open_lock();
    DO(lockf(to, F_LOCK, 0));
    locked();
}
IS(take_new_shared_flock)
{
    open_lock();
    DO(flock(to, LOCK_SH));
    locked();
}
IS(by_downgrade) { DO(flock(to, LOCK_SH)); }
IS(by_flock) { DO(flock(to, LOCK_UN)); }
IS(by_fcntl) { struct flock l = whole(F_UNLCK); DO(fcntl(to, F_SETLK, &l)); }
IS(by_lockf) { DO(lockf(to, F_ULOCK, 0)); }
IS(take_new_flock)
{
    open_lock();
    DO(flock(to, LOCK_EX));
    locked();
}
IS(take_trace_flock) /* of a trace file that is not the one with the record */
{
    if (!there("l.tr"))
        DO(link("lock", "l.tr"));
    to = DO(open("l.tr", O_WRONLY | O_APPEND));
    DO(flock(to, LOCK_EX));
    locked();
}
IS(by_close_lock) { DO(close(to)); }
IS(take_new_posix)
{
    open_lock();
    DO(lockf(to, F_LOCK, 0));
    locked();
}
IS(by_close_another) /* closing any descriptor of the file releases its POSIX locks */
{
    DO(close(DO(open("lock", O_RDONLY))));
    close(to);
}
IS(by_fclose_lock)
{
    FILE *s = fopen("lock", "r");
    if (!s)
        fail("fopen");
    fclose(s);
    close(to);
}

/* ---- paths ---- */

#define NEW done_name(round_)
IS(by_open) { DO(close(DO(open(NEW, O_WRONLY | O_CREAT, 0600)))); }
IS(by_openat) { DO(close(DO(openat(AT_FDCWD, NEW, O_WRONLY | O_CREAT, 0600)))); }
IS(by_creat) { DO(close(DO(creat(NEW, 0600)))); }
IS(by_fopen) { fclose(fopen(NEW, "w")); }
IS(by_freopen)
{
    if (!stream)
        stream = fopen("/dev/null", "w");
    if (!freopen(NEW, "w", stream))
        fail("freopen");
}
IS(by_mkdir) { DO(mkdir(NEW, 0700)); }
IS(by_mkdirat) { DO(mkdirat(AT_FDCWD, NEW, 0700)); }
IS(by_mkfifo) { DO(mkfifo(NEW, 0600)); }
IS(by_mknod) { DO(mknod(NEW, S_IFREG | 0600, 0)); }
IS(by_symlink) { DO(symlink("nowhere", NEW)); }
IS(by_symlinkat) { DO(symlinkat("nowhere", AT_FDCWD, NEW)); }
IS(open_old)
{
    if (!there("old"))
        DO(close(DO(open("old", O_WRONLY | O_CREAT, 0600))));
}
IS(by_link) { DO(link("old", NEW)); }
IS(by_linkat) { DO(linkat(AT_FDCWD, "old", AT_FDCWD, NEW, 0)); }
IS(by_rename) { DO(rename("old", NEW)); }
IS(by_renameat) { DO(renameat(AT_FDCWD, "old", AT_FDCWD, NEW)); }
IS(by_renameat2) { DO(renameat2(AT_FDCWD, "old", AT_FDCWD, NEW, 0)); }
IS(by_bind)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    int fd = DO(socket(AF_UNIX, SOCK_STREAM, 0));
    strcpy(a.sun_path, NEW);
    DO(bind(fd, (void *)&a, sizeof a));
    close(fd);
}
static const char *trace_name(int i)
{
    static char name[32];
    snprintf(name, sizeof name, "done.%d.tr", i);
    return name;
}
IS(by_trace) { DO(close(DO(open(trace_name(round_), O_WRONLY | O_CREAT | O_APPEND, 0600)))); }
IS(make) { DO(close(DO(open(NEW, O_WRONLY | O_CREAT, 0600)))); }
IS(make_directory) { DO(mkdir(NEW, 0700)); }
IS(by_unlink) { DO(unlink(NEW)); }
IS(by_unlinkat) { DO(unlinkat(AT_FDCWD, NEW, 0)); }
IS(by_remove) { DO(remove(NEW)); }
IS(by_rmdir) { DO(rmdir(NEW)); }
IS(by_rename_away) { DO(rename(NEW, "old")); }

static const char *memory_path(int i)
{
    static char path[80];
    snprintf(path, sizeof path, "/dev/shm%s", shared_name(i));
    return path;
}
static const char *semaphore_path(int i)
{
    static char path[80];
    snprintf(path, sizeof path, "/dev/shm/sem.%s", shared_name(i) + 1);
    return path;
}
IS(by_shm_open) { DO(close(DO(shm_open(shared_name(round_), O_RDWR | O_CREAT, 0600)))); }
IS(remove_memory) { DO(shm_unlink(shared_name(round_))); }
IS(by_sem_open) { posted = sem_open(shared_name(round_), O_CREAT, 0600, 0); }
IS(remove_semaphore) { DO(sem_unlink(shared_name(round_))); }
IS(by_mq_open)
{
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    DO(mq_close(DO(mq_open(shared_name(round_), O_RDWR | O_CREAT, 0600, &attributes))));
}
IS(remove_queue) { DO(mq_unlink(shared_name(round_))); }

/* ---- children ---- */

static void await(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status != 0)
        fail("the child ended with %x", status);
}

IS(by_fork)
{
    pid_t pid = DO(fork());
    if (pid == 0)
        _exit(write(OUT_FD, "x", 1) != 1);
    await(pid);
}
IS(by__Fork)
{
#if __GLIBC_PREREQ(2, 34)
    pid_t pid = DO(_Fork());
    if (pid == 0)
        _exit(write(OUT_FD, "x", 1) != 1);
    await(pid);
#else
    by_fork();
#endif
}
static int cloned(void *arg)
{
    (void)arg;
    return write(OUT_FD, "x", 1) != 1;
}
IS(by_clone)
{
    static char stack[65536] __attribute__((aligned(64)));
    await(DO(clone(cloned, stack + sizeof stack, SIGCHLD, NULL)));
}

/* The child is another program, without the library. */
static char tell[] = "--tell";
#define ARGUMENTS {program, tell, NULL}
static char *nothing[] = {NULL};

IS(by_vfork)
{
    char *arguments[] = ARGUMENTS;
    pid_t pid = DO(vfork());
    if (pid == 0) {
        execve(program, arguments, nothing);
        _exit(1);
    }
    await(pid);
}
IS(by_posix_spawn)
{
    pid_t pid;
    char *arguments[] = ARGUMENTS;
    if (posix_spawn(&pid, program, NULL, NULL, arguments, nothing) != 0)
        fail("posix_spawn");
    await(pid);
}
IS(by_posix_spawnp)
{
    pid_t pid;
    char *arguments[] = ARGUMENTS;
    if (posix_spawnp(&pid, program, NULL, NULL, arguments, nothing) != 0)
        fail("posix_spawnp");
    await(pid);
}

static char command[4200];
static int relay(void)
{
    return getchar() == EOF || write(OUT_FD, "x", 1) != 1;
}
IS(no_library)
{
    snprintf(command, sizeof command, "LD_PRELOAD= '%s' --tell", program);
    unsetenv("LD_PRELOAD");
}
IS(by_system) { DO(system(command)); }
IS(by_popen) { pclose(popen(command, "r")); }
IS(by_wordexp)
{
    wordexp_t words;
    char text[4300];
    snprintf(text, sizeof text, "$(%s)", command);
    if (wordexp(text, &words, 0) == 0)
        wordfree(&words);
}
/* What is opened after popen is no child's. */
IS(open_relay)
{
    snprintf(command, sizeof command, "LD_PRELOAD= exec '%s' --relay", program);
    unsetenv("LD_PRELOAD");
    stream = popen(command, "w");
    putc('\n', stream);
    close(trace);
    open_trace(false);
}
IS(by_pclose) { DO(pclose(stream)); }

/* The next image tells. */
static void by_exec_of(int (*call)(const char *, char *const *))
{
    char number[16], rounds[16] = "2147483647", port_[16] = "0", name[] = "--told";
    snprintf(number, sizeof number, "%d", round_ + 1);
    char *arguments[] = {program, name, getenv("CAUSES_NAME"), number, rounds, port_, NULL};
    DO(call(program, arguments));
}
static int call_execve(const char *path, char *const *arguments) { return execve(path, arguments, environ); }
static int call_execvpe(const char *path, char *const *arguments) { return execvpe(path, arguments, environ); }
static int call_fexecve(const char *path, char *const *arguments)
{
    return fexecve(DO(open(path, O_RDONLY | O_CLOEXEC)), arguments, environ);
}
static int call_execl(const char *path, char *const *a)
{
    return execl(path, a[0], a[1], a[2], a[3], a[4], a[5], NULL);
}
IS(by_execve) { by_exec_of(call_execve); }
IS(by_execv) { by_exec_of(execv); }
IS(by_execvp) { by_exec_of(execvp); }
IS(by_execvpe) { by_exec_of(call_execvpe); }
IS(by_fexecve) { by_exec_of(call_fexecve); }
IS(by_execl) { by_exec_of(call_execl); }

/* ---- the end ---- */

IS(by_exit) { exit(0); }
IS(by__exit) { _exit(0); }
IS(by__Exit) { _Exit(0); }
IS(by_quick_exit) { quick_exit(0); }
IS(by_abort) { abort(); }
IS(by_assert)
{
    DO(dup2(DO(open("/dev/null", O_WRONLY)), 2));
    assert(round_ < 0);
}
IS(by_exit_group) { syscall(SYS_exit_group, 0L); }
IS(by_exit_of_the_last_thread) { pthread_exit(NULL); }
