/* A vfork child runs in its parent's memory: what it closes and copies are its own numbers, and the parent's lead
 * where they did. */
//: file a.tr managed writes=30 closes=0
//: file b.tr managed writes=20 closes=0
#include <sys/wait.h>

#include "show.h"

static void wait_for(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    say("status %d", status);
}

int main(void)
{
    int a = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644)),
        b = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    for (int i = 0; i < 10; i++) {
        int cached = open("c.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(cached, record(i));
        close(cached);
        append(a, record(i));
        append(b, record(i));
        pid_t child = vfork();
        if (child == 0) {
            dup2(b, 1);
            close(a);
            close(b);
            close_range(3, ~0U, 0);
            execlp("echo", "echo", "by a vfork child", (char *)NULL);
            _exit(9);
        }
        wait_for(child);
        SHOW(append(a, "after it\n"));
        SHOW(append(b, "after it\n"));
        SHOW(lseek(b, 0, SEEK_CUR));
        child = vfork();
        if (child == 0) {
            close(a);
            fcntl(b, F_SETFL, O_APPEND); /* of the description, which is the parent's, too */
            _exit(0);
        }
        wait_for(child);
        SHOW(fcntl(b, F_GETFL) & O_APPEND);
        SHOW(append(a, "and after the second\n"));
        SHOW(fcntl(b, F_SETFL, 0));
    }
    show_file("a.tr");
    show_file("b.tr");
    show_file("c.tr");
}
