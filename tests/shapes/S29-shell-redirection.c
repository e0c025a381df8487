/* S29: what a shell's child does: open, dup2 onto 1, close, exec; and a program that redirects its own output. */
//: file b.tr
//: child a.tr
//: calls a.tr b.tr <= 140, not fewer
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    for (int i = 0; i < 6; i++) {
        pid_t child = fork();
        if (child == 0) {
            int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0666);
            dup2(out, 1);
            close(out);
            if (i % 2)
                execlp("echo", "echo", "by a child whose output is the trace", (char *)NULL);
            printf("by a child's own printf %d\n", i);
            exit(0);
        }
        waitpid(child, NULL, 0);
        show_file("a.tr");
    }
    int saved = dup(1), out = open("b.tr", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(out, 1);
    close(out);
    say("this goes into b.tr");
    printf("and this\n");
    fflush(stdout);
    if (system("echo and by a child") != 0)
        return 2;
    dup2(saved, 1);
    close(saved);
    show_file("b.tr");
    say("stdout again");
}
