/* A library whose constructor comes before the shim's or after it, as it is loaded, and whose destructor likewise: both use traces in the ways
 * that must work there. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pthread.h>

static FILE *kept;
static int descriptor, childs;

static void records(const char *when)
{
    struct stat st;
    char text[64];
    int fd = open("edge.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    snprintf(text, sizeof text, "%s by descriptor\n", when);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || fstat(fd, &st) != 0)
        abort();
    dprintf(fd, "size %ld\n", (long)st.st_size);
    if (close(fd) != 0)
        abort();
    FILE *out = fopen("edge.tr", "a");
    if (!out || fprintf(out, "%s by stream\n", when) < 0 || fclose(out) != 0)
        abort();
    pid_t pid = fork();
    if (pid == 0) {
        out = fopen("edge.tr", "a");
        fprintf(out, "%s by a child\n", when);
        fclose(out);
        _exit(0);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid || status != 0)
        abort();
}

/* The program's own handlers around fork, which may be registered before the shim's. */
static void prepare(void)
{
    if (write(descriptor, "prepare\n", 8) != 8)
        abort();
}
static void parent(void)
{
    if (write(descriptor, "parent\n", 7) != 7)
        abort();
}
static void child(void)
{
    if (write(childs, "child\n", 6) != 6)
        abort();
}

__attribute__((constructor)) static void begin(void)
{
    descriptor = open("atfork.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    childs = open("atfork-child.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (pthread_atfork(prepare, NULL, NULL) || pthread_atfork(NULL, parent, child))
        abort();
    records("constructor");
    kept = fopen("kept.tr", "a");
    if (!kept || fputs("since the constructor, ", kept) < 0)
        abort();
}

__attribute__((destructor)) static void end(void)
{
    records("destructor");
    if (fputs("until the destructor\n", kept) < 0 || fclose(kept) != 0)
        abort();
    kept = fopen("never-closed.tr", "a");
    if (!kept || fputs("flushed by libc alone\n", kept) < 0)
        abort();
}
