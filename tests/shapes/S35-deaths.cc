/* S35: the program dies of abort, assert, an uncaught exception, SIGSEGV, SIGTERM, SIGINT or SIGKILL: every record whose write had returned
 * is in the file, and nothing else. (Random instants, by the thousand: ../kill.) */
//: file a.tr managed|write-through
#include <cassert>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>

#include "show.h"

enum { RECORDS = 300 };

static void by_abort()
{
    abort();
}
static void by_assert()
{
    assert(!"dead");
}
static void by_exception()
{
    throw std::runtime_error("nobody catches it");
}
static void by_terminate()
{
    std::terminate();
}
static void by_segv()
{
    volatile int *nowhere = nullptr;
    *nowhere = 1;
}
static void by_division()
{
    raise(SIGFPE);
}
static void by_term()
{
    kill(getpid(), SIGTERM);
}
static void by_int()
{
    raise(SIGINT);
}
static void by_kill()
{
    kill(getpid(), SIGKILL);
}
static void by_alarm()
{
    ualarm(1000, 0);
    for (;;)
        pause();
}

static const struct {
    const char *name;
    void (*die)();
} deaths[] = {{"abort.tr", by_abort},         {"assert.tr", by_assert}, {"exception.tr", by_exception},
              {"terminate.tr", by_terminate}, {"segv.tr", by_segv},     {"division.tr", by_division},
              {"term.tr", by_term},           {"int.tr", by_int},       {"kill.tr", by_kill},
              {"alarm.tr", by_alarm}};

/* Both shapes: reopened for each record, and kept open and flushed. */
static void write_and_die(const char *name, void (*die)())
{
    std::ofstream kept(std::string("kept-") + name);
    for (int i = 0; i < RECORDS; i++) {
        std::ofstream(name, i ? std::ios::app : std::ios::out) << record(i);
        kept << record(i) << std::flush;
    }
    kept << "not flushed";
    die();
}

/* The guard writes at once when it is dead; a test can only wait for the last byte. */
static void wait_for_bytes(const char *name)
{
    long size = 0;
    struct stat st;
    for (int i = 0; i < RECORDS; i++)
        size += (long)strlen(record(i));
    while (stat(name, &st) != 0 || st.st_size < size)
        usleep(200);
    show_file(name);
}

int main()
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    append(out, record(0));
    for (const auto &death : deaths) {
        int status, null;
        pid_t pid = fork();
        if (pid == 0) {
            null = open("/dev/null", O_WRONLY);
            dup2(null, 2);
            write_and_die(death.name, death.die);
        }
        SHOW(waitpid(pid, &status, 0) == pid);
        say("%s: signal %d", death.name, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        wait_for_bytes(death.name);
        wait_for_bytes((std::string("kept-") + death.name).c_str());
    }
    SHOW(close(out));
    return 0;
}
