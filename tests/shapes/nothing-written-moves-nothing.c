/* A write of no bytes leaves the offset where it is, also where the file writes through; a child's fdopen "a" moves the offset that
 * its parent shares. */
//: file a.tr
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(lseek(out, 29, SEEK_END));
    FILE *reader = OPENED(fopen("a.tr", "r"));
    SHOW(write(out, "", 0));
    SHOW(lseek(out, 0, SEEK_CUR));
    fclose(reader);

    int other = OPENED(open("a.tr", O_RDWR));
    pid_t pid = fork();
    if (pid == 0) {
        FILE *stream = fdopen(other, "a");
        _exit(stream == NULL);
    }
    int status;
    waitpid(pid, &status, 0);
    SHOW(status);
    SHOW(lseek(other, 0, SEEK_CUR));
    SHOW(fcntl(other, F_GETFL));
    show_file("a.tr");
}
