/* Reason INHERITED: a child goes on with its parent's description, and without O_APPEND both move one offset. */
//: child a.tr write-through reason=INHERITED
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT, 0644));
    append(out, record(0));
    for (int i = 1; i < 5; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int k = 0; k < 3; k++)
                append(out, "by a child\n");
            SHOW(lseek(out, 0, SEEK_CUR));
            exit(0);
        }
        waitpid(child, NULL, 0);
        SHOW(lseek(out, 0, SEEK_CUR));
        append(out, record(i));
    }
    show_file("a.tr");
}
