/* S27: parent and child share an offset, without O_APPEND: what one writes moves the other. */
//: file a.tr
//: calls a.tr <= 220, not fewer
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_TRUNC, 0644));
    for (int i = 0; i < 20; i++) {
        append(out, record(i));
        pid_t child = fork();
        if (child == 0) {
            SHOW(lseek(out, 0, SEEK_CUR));
            append(out, "child\n");
            if (i % 4 == 3)
                SHOW(lseek(out, 10, SEEK_SET));
            _exit(0);
        }
        waitpid(child, NULL, 0);
        SHOW(lseek(out, 0, SEEK_CUR));
        append(out, "parent\n");
        if (i % 4 == 3)
            SHOW(lseek(out, 0, SEEK_END));
    }
    show_file("a.tr");
}
