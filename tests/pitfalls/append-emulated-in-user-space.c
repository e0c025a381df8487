/* O_APPEND done in user space gave wrong offsets: others append between our writes, and each offset is where our
 * own bytes end. */
//: file a.tr
#include <sys/wait.h>

#include "show.h"

static void another_appends(void)
{
    pid_t child = fork();
    if (child == 0) {
        int fd = open("a.tr", O_WRONLY | O_APPEND);
        append(fd, "by another process\n");
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    char byte;
    int first = OPENED(open("a.tr", O_WRONLY | O_CREAT, 0644));
    append(first, "what was there\n");
    SHOW(close(first));
    int out = OPENED(open("a.tr", O_RDWR | O_APPEND)), other = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    SHOW(lseek(out, 0, SEEK_CUR));
    for (int i = 0; i < 10; i++) {
        append(out, record(i));
        if (i % 3 == 1)
            another_appends();
        SHOW(lseek(out, 0, SEEK_CUR));
        append(other, "by another descriptor\n");
        SHOW(lseek(other, 0, SEEK_CUR));
        if (i % 2)
            SHOW(lseek(out, 3, SEEK_SET)); /* a read there, but no write */
        SHOW(read(out, &byte, 1));
    }
    show_file("a.tr");
}
