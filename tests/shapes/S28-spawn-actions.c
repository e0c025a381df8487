/* S28: posix_spawn with file actions that open, dup and close a trace; the child's output goes into it. */
//: file a.tr managed|write-through reason=SHARED|UNSEEN|NONE
//: calls a.tr <= 150, not fewer
#include <spawn.h>
#include <sys/wait.h>

#include "show.h"

extern char **environ;

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    char *echo[] = {"echo", "from the spawned one", NULL};
    for (int i = 0; i < 6; i++) {
        posix_spawn_file_actions_t actions;
        pid_t child;
        int status;
        append(out, record(i));
        posix_spawn_file_actions_init(&actions);
        if (i % 2)
            posix_spawn_file_actions_adddup2(&actions, out, 1);
        else
            posix_spawn_file_actions_addopen(&actions, 1, "a.tr", O_WRONLY | O_APPEND, 0);
        if (i % 3 == 0)
            posix_spawn_file_actions_addclose(&actions, out);
        int spawned = posix_spawnp(&child, "echo", &actions, NULL, echo, environ);
        say("spawned %d", spawned);
        waitpid(child, &status, 0);
        SHOW(WEXITSTATUS(status));
        posix_spawn_file_actions_destroy(&actions);
        append(out, "after it\n");
        show_file("a.tr");
    }
}
