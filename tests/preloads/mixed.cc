/* A program that uses traces in all ways at once, says what it sees, and gives the same output every time: what other preloaded
 * libraries must not change, nor the shim beside them. With an argument it loads that library while it runs, and unloads it. */
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static std::ofstream at_the_end("end.tr"); /* closed by its destructor */
static volatile sig_atomic_t handled;

static std::string record(const char *who, int number)
{
    std::string text = std::string(who) + " " + std::to_string(number) + " ";
    return text + std::string(size_t(number * 7 % 40), char('a' + number % 26)) + "\n";
}

static void say(const char *what, long value)
{
    printf("%s: %ld\n", what, value);
}

static long size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? long(st.st_size) : -1;
}

static void by_descriptor(const char *path, const std::string &text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0 || write(fd, text.data(), text.size()) != ssize_t(text.size()) || close(fd) != 0)
        say("open, write, close", errno);
}

static void by_stdio(const char *path, const std::string &text)
{
    FILE *out = fopen(path, "a");
    if (!out || fputs(text.c_str(), out) < 0 || fclose(out) != 0)
        say("fopen, fputs, fclose", errno);
}

static void by_ofstream(const char *path, const std::string &text)
{
    std::ofstream out(path, std::ios::app);
    out << text << std::flush;
    if (!out)
        say("ofstream", errno);
}

/* Memory of all sizes comes and goes while records are written. */
static void thread(int which)
{
    std::string path = "thread-" + std::to_string(which) + ".tr";
    std::map<int, std::vector<char>> memory;
    for (int i = 0; i < 300; i++) {
        memory[i % 17] = std::vector<char>(size_t(1 + i * i % 5000), char(i));
        if (i % 3 == 0)
            by_descriptor(path.c_str(), record("thread", i));
        else if (i % 3 == 1)
            by_stdio(path.c_str(), record("thread", i));
        else
            by_ofstream(path.c_str(), record("thread", i));
    }
}

static void handler(int)
{
    int saved = errno;
    by_descriptor("handler.tr", "from a handler\n");
    handled = handled + 1;
    errno = saved;
}

static void processes()
{
    by_descriptor("child.tr", record("parent", 1));
    pid_t pid = fork();
    if (pid == 0) {
        by_descriptor("child.tr", record("child", 2));
        _exit(7);
    }
    int status = -1;
    say("child", waitpid(pid, &status, 0) == pid ? status : -1);
    by_descriptor("child.tr", record("parent", 3));
    say("system", system("cat child.tr; echo from the shell >>child.tr"));
    FILE *in = popen("wc -c <child.tr", "r");
    int bytes = -1;
    say("popen", in && fscanf(in, "%d", &bytes) == 1 ? bytes : -1);
    say("pclose", pclose(in));
}

static void at_exit()
{
    by_descriptor("exit.tr", record("atexit", 1));
    say("size in atexit", size_of("exit.tr"));
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    atexit(at_exit);
    signal(SIGUSR1, handler);
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
    if (argc > 1)
        say("dlopen", library != nullptr);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(thread, i);
    for (auto &t : threads)
        t.join();
    for (int i = 0; i < 200; i++) {
        by_ofstream("main.tr", record("main", i));
        at_the_end << record("end", i);
        if (i % 50 == 0) {
            raise(SIGUSR1);
            say("size", size_of("main.tr"));
        }
    }
    int fd = open("main.tr", O_RDWR | O_APPEND);
    char start[8] = "";
    say("fsync", fsync(fd));
    say("fdatasync", fdatasync(fd));
    say("lseek", long(lseek(fd, 0, SEEK_END)));
    say("pread", long(pread(fd, start, 4, 0)));
    say(start, close(fd));
    say("rename", rename("main.tr", "renamed.tr"));
    say("size", size_of("renamed.tr"));
    say("handled", handled);
    processes();
    if (library)
        say("dlclose", dlclose(library));
    by_stdio("left.tr", record("left", 1));
    return 3;
}
