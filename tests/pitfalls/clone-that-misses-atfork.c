/* A clone by an instruction of the program's own runs no handler: the child has the parent's memory, and neither
 * may put a byte into the file twice, or take one from the other. */
//: file a.tr managed
//: child a.tr absent
//: file b.tr managed
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "direct.h"
#include "show.h"

static pid_t clone_unseen(void)
{
    return (pid_t)direct(SYS_clone, SIGCHLD, 0, 0, 0);
}

enum { ROUNDS = 6, LINES = 3000, WRITERS = 1 + ROUNDS };

/* Writer 0 is the parent. */
static void lines(int fd, int writer, int from, int to)
{
    char text[32];
    for (int i = from; i < to; i++) {
        snprintf(text, sizeof text, "%d:%d.\n", writer, i);
        append(fd, text);
    }
}

static void check(void)
{
    int next[WRITERS] = {0}, wrong = 0, writer, number;
    char line[64], end;
    FILE *in = OPENED(fopen("a.tr", "r"));
    while (fgets(line, sizeof line, in))
        if (sscanf(line, "%d:%d%c", &writer, &number, &end) != 3 || end != '.' || writer < 0 || writer >= WRITERS ||
            number != next[writer]++)
            wrong++;
    fclose(in);
    for (int i = 0; i < WRITERS; i++)
        say("writer %d: %d lines", i, next[i]);
    say("%d lines torn, lost, doubled or out of order", wrong);
}

int main(void)
{
    int a = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644)), status;
    int c = open("c.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    append(c, "closed, and kept by the shim\n");
    SHOW(fsync(c)); /* or it would come behind what the child writes (exception c) */
    close(c);
    for (int i = 0; i < ROUNDS; i++) {
        lines(a, 0, i * LINES, i * LINES + LINES / 2);
        pid_t child = clone_unseen();
        if (child == 0) {
            lines(a, i + 1, 0, LINES);
            int again = open("c.tr", O_WRONLY | O_APPEND);
            append(again, "by a child\n");
            close(again);
            if (i % 2)
                _exit(0);
            direct(SYS_exit_group, 0, 0, 0, 0);
        }
        lines(a, 0, i * LINES + LINES / 2, (i + 1) * LINES);
        waitpid(child, &status, 0);
        say("status %d", status);
    }
    SHOW(fsync(a));
    check();
    show_file("c.tr");
    SHOW(ftruncate(a, 0)); /* the order is not the kernel's: bytes that are pending come later (exception c) */
    int b = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    append(b, "the parent goes on\n");
    show_file("b.tr");
}
