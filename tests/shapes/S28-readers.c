/* S28: system, popen, posix_spawn, vfork and every exec read the trace: the bytes written before are there. */
//: file a.tr managed|write-through reason=SHARED|UNSEEN|NONE
//: calls a.tr <= 710, not fewer
#include <spawn.h>
#include <sys/wait.h>

#include "show.h"

extern char **environ;

static void pass_on(FILE *from)
{
    char line[256];
    while (fgets(line, sizeof line, from))
        say("child says: %.*s", (int)strcspn(line, "\n"), line);
}

static void wait_for(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    say("child's status %x", status);
}

int main(void)
{
    char *cat[] = {"md5sum", "a.tr", NULL};
    char *none[] = {NULL};
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    pid_t child;
    for (int i = 0; i < 3; i++) {
        append(out, record(i));
        SHOW(system("wc -c a.tr; tail -c 30 a.tr"));

        FILE *stream = fopen("a.tr", "a");
        fputs("stdio's, not flushed\n", stream);
        SHOW(system("wc -c a.tr"));
        fclose(stream);
        FILE *pipe = OPENED(popen("md5sum < a.tr", "r"));
        pass_on(pipe);
        SHOW(pclose(pipe));

        append(out, "before a popen that appends\n");
        pipe = OPENED(popen("cat >> a.tr", "w"));
        append(out, "while it runs\n");
        fputs("through the pipe\n", pipe);
        SHOW(pclose(pipe));
        show_file("a.tr");

        append(out, "before posix_spawn\n");
        int spawned = posix_spawnp(&child, "md5sum", NULL, NULL, cat, environ);
        wait_for(child);
        say("spawned %d", spawned);
        SHOW(posix_spawn(&child, "/no/such/file", NULL, NULL, cat, environ));
        append(out, "before vfork\n");
        child = vfork();
        if (child == 0) {
            execvp("md5sum", cat);
            _exit(9);
        }
        wait_for(child);
        append(out, "before a vfork whose exec fails\n");
        child = vfork();
        if (child == 0) {
            close(out);
            execv("/no/such/file", none);
            _exit(9);
        }
        wait_for(child);
        append(out, "and after it\n");
        show_fstat("a.tr", out);

        for (int how = 0; how < 6; how++) {
            dprintf(out, "before exec %d\n", how);
            child = fork();
            if (child == 0) {
                dprintf(out, "in the child before exec %d\n", how);
                if (how == 0)
                    execl("/usr/bin/md5sum", "md5sum", "a.tr", (char *)NULL);
                else if (how == 1)
                    execlp("md5sum", "md5sum", "a.tr", (char *)NULL);
                else if (how == 2)
                    execle("/usr/bin/md5sum", "md5sum", "a.tr", (char *)NULL, environ);
                else if (how == 3)
                    execve("/usr/bin/md5sum", cat, environ);
                else if (how == 4)
                    execvpe("md5sum", cat, environ);
                else
                    fexecve(open("/usr/bin/md5sum", O_RDONLY | O_CLOEXEC), cat, environ);
                _exit(9);
            }
            wait_for(child);
        }
    }
    SHOW(execv("/no/such/file", none));
    append(out, "after an exec that failed\n");
    show_file("a.tr");
    fflush(NULL);
    execlp("md5sum", "md5sum", "a.tr", (char *)NULL);
    return 9;
}
