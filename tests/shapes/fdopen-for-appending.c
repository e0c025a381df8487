/* fdopen "a" sets O_APPEND and goes to the end, but moves nothing when the flag is set already. The end is the one that the
 * program knows, also where the descriptor is of another name; the flag is the one that whoever shares the description has set. */
//: file a.tr
#include <signal.h>
#include <sys/wait.h>

#include "show.h"

static void by_another_name(void)
{
    int other = OPENED(open("other", O_WRONLY));
    int out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    append(out, record(2));
    FILE *stream = OPENED(fdopen(other, "a"));
    SHOW(lseek(other, 0, SEEK_CUR));
    SHOW(ftell(stream));
    append(out, record(3));
    stream = OPENED(freopen("other", "a", stream));
    SHOW(lseek(fileno(stream), 0, SEEK_CUR));
    SHOW(fclose(stream));
    close(out);
}

static void cleared_by_a_child(void)
{
    int ends[2], out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    char byte;
    SHOW(pipe(ends));
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        fcntl(out, F_SETFL, 0);
        kill(getppid(), SIGUSR1);
        _exit(read(ends[0], &byte, 1) != 0); /* lives until the end of it */
    }
    sigset_t told;
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    sigwait(&told, &(int){0});
    FILE *stream = OPENED(fdopen(out, "a"));
    SHOW(fcntl(out, F_GETFL));
    SHOW(lseek(out, 0, SEEK_CUR));
    close(ends[1]);
    SHOW(waitpid(child, NULL, 0) == child);
    SHOW(fclose(stream));
}

int main(void)
{
    sigset_t told;
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    sigprocmask(SIG_BLOCK, &told, NULL);
    for (int i = 0; i < 2; i++) {
        int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | (i ? O_APPEND : 0), 0644));
        append(out, record(i));
        SHOW(lseek(out, 3, SEEK_SET));
        FILE *stream = OPENED(fdopen(out, "a"));
        SHOW(lseek(out, 0, SEEK_CUR));
        SHOW(fcntl(out, F_GETFL));
        fputs("appended\n", stream);
        SHOW(ftell(stream));
        SHOW(fclose(stream));
    }
    SHOW(link("a.tr", "other"));
    by_another_name();
    cleared_by_a_child();
    show_file("a.tr");
}
