/* Reason SHARED: a child that is alive has the description, too; and when it is gone, buffering resumes. */
//: file a.tr write-through reason=SHARED
//: file b.tr managed reason=NONE
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    int ends[2], out = OPENED(open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    pid_t child = fork();
    if (child == 0) {
        append(out, record(1));
        _exit(0);
    }
    waitpid(child, NULL, 0);
    for (int i = 2; i < 20; i++)
        append(out, record(i));

    int shared = OPENED(open("a.tr", O_WRONLY | O_CREAT, 0644));
    append(shared, record(0));
    SHOW(pipe(ends));
    child = fork();
    if (child == 0) {
        char byte;
        close(ends[1]);
        while (read(ends[0], &byte, 1) > 0)
            append(shared, "by the child\n");
        _exit(0);
    }
    for (int i = 1; i < 20; i++)
        append(shared, record(i));
    SHOW(lseek(shared, 0, SEEK_CUR));
    show_file("a.tr");
    /* It ends with this process, which nobody waits for. */
}
