/* S36: _exit, _Exit, quick_exit, each exec over itself, in children; what was written by write(2) is in the file. */
//: child a.tr
//: calls a.tr <= 3650, not fewer
#include <sys/wait.h>

#include "show.h"

static void at_quick_exit_handler(void)
{
    int out = open("a.tr", O_WRONLY | O_APPEND);
    append(out, "from an at_quick_exit handler\n");
}

int main(int count, char **arguments)
{
    if (count > 1) {
        int out = open("a.tr", O_WRONLY | O_APPEND | O_CREAT, 0644);
        dprintf(out, "the new program, %s\n", arguments[1]);
        _exit(8);
    }
    for (int how = 0; how < 7; how++) {
        pid_t child = fork();
        int status = -1;
        if (child == 0) {
            at_quick_exit(at_quick_exit_handler);
            FILE *stream = fopen("a.tr", "a"), *unflushed = fopen("unflushed.tr", "a");
            int out = open("a.tr", O_WRONLY | O_APPEND);
            for (int i = 0; i < 50; i++) {
                append(out, record(i));
                fputs("flushed\n", stream);
                fflush(stream);
                fputs("never flushed\n", unflushed);
            }
            switch (how) {
            case 0: _exit(3);
            case 1: _Exit(4);
            case 2: quick_exit(5);
            case 3: execl("/proc/self/exe", "again", "by execl", (char *)NULL); break;
            case 4: {
                char *next[] = {"again", "by execv", NULL};
                execv("/proc/self/exe", next);
                break;
            }
            case 5:
                close(out);
                fclose(stream);
                _exit(6);
            default: execl("/bin/true", "true", (char *)NULL);
            }
            _exit(99);
        }
        waitpid(child, &status, 0);
        say("%d: %d", how, WEXITSTATUS(status));
        show_file("a.tr");
        show_path("unflushed.tr");
    }
}
