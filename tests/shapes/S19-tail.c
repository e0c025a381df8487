/* S19: a `tail -f` and a poller see every record without being told, while the writer makes no call at all. */
//: file a.tr managed drains>=6
//: env TRACESHIM_WINDOW_MS=50
#include <sched.h>
#include <stdatomic.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "show.h"

enum { ROUNDS = 6 };

static _Atomic int *seen;

static void wait_by_polling(int in, long size)
{
    struct stat st;
    while (fstat(in, &st) == 0 && st.st_size < size)
        usleep(200);
}

static void wait_by_inotify(int watch, int in, long size)
{
    char events[4096];
    struct stat st;
    while (fstat(in, &st) == 0 && st.st_size < size)
        if (read(watch, events, sizeof events) <= 0)
            _exit(2);
}

static int reader(void)
{
    int in = open("a.tr", O_RDONLY), watch = inotify_init(), wrong = 0;
    long size = 0;
    char found[256];
    inotify_add_watch(watch, "a.tr", IN_MODIFY);
    for (int i = 0; i < ROUNDS; i++) {
        size += (long)strlen(record(i));
        if (i % 2)
            wait_by_polling(in, size);
        else
            wait_by_inotify(watch, in, size);
        ssize_t n = read(in, found, sizeof found);
        wrong += n != (ssize_t)strlen(record(i)) || memcmp(found, record(i), (size_t)n) != 0;
        atomic_store(seen, i + 1);
    }
    return wrong;
}

int main(void)
{
    int status, out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    SHOW(close(out));
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(reader());
    out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    for (int i = 0; i < ROUNDS; i++) {
        append(out, record(i));
        while (atomic_load(seen) <= i) /* computes */
            continue;
    }
    waitpid(pid, &status, 0);
    say("wrong: %d", WEXITSTATUS(status));
    return 0;
}
