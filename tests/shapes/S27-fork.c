/* S27: fork while bytes are pending; children that end by _exit, exit, exec, or write themselves. No byte twice. */
//: file a.tr managed|write-through reason=SHARED|UNSEEN|NONE
//: child a.tr
//: calls a.tr <= 590, not fewer
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    FILE *stream = OPENED(fopen("b.tr", "a"));
    for (int i = 0; i < 40; i++) {
        int status;
        append(out, record(i));
        fputs(record(i), stream);
        fflush(stream);
        pid_t child = fork();
        if (child == 0) {
            switch (i % 5) {
            case 0: _exit(i);
            case 1: append(out, "by the child on its parent's descriptor\n"); _exit(i);
            case 2: fputs("by the child on its parent's stream\n", stream); exit(i);
            case 3: {
                int own = open("a.tr", O_WRONLY | O_APPEND);
                append(own, "by the child on a descriptor of its own\n");
                close(own);
                close(out);
                _exit(i);
            }
            default: execl("/bin/sh", "sh", "-c", "echo by the shell >> a.tr; exit 7", (char *)NULL); _exit(99);
            }
        }
        if (i % 2)
            append(out, "");
        if (waitpid(child, &status, 0) != child)
            say("%d: not waited for", i);
        say("%d: child ended with %d", i, WEXITSTATUS(status));
        append(out, "by the parent after the child\n");
        if (i % 10 == 9) {
            show_file("a.tr");
            show_file("b.tr");
            show_fstat("a.tr", out);
        }
    }
    SHOW(fclose(stream));
    SHOW(close(out));
    show_file("a.tr");
}
