/* Reason LOCKED: record locks survive as natively: a close of any descriptor of the file drops them, and only
 * then. */
//: file a.tr reason=LOCKED|SHARED
#include <sys/file.h>
#include <sys/wait.h>

#include "show.h"

static void seen_by_another_process(void)
{
    pid_t child = fork();
    if (child == 0) {
        int fd = open("a.tr", O_RDWR);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        fcntl(fd, F_GETLK, &lock);
        say("record lock %s, flock %s", lock.l_type == F_UNLCK ? "free" : "held",
            flock(fd, LOCK_EX | LOCK_NB) ? strerror(errno) : "free");
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    for (int i = 0; i < 3; i++) {
        int first = open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644);
        append(first, record(i));
        close(first);
        int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
        SHOW(fcntl(out, F_SETLK, &lock));
        append(out, "under a record lock\n");
        seen_by_another_process();
        int second = open("a.tr", O_WRONLY | O_APPEND);
        append(second, "by a second\n");
        seen_by_another_process();
        SHOW(close(second));
        seen_by_another_process();
        SHOW(flock(out, LOCK_EX));
        append(out, "under flock\n");
        seen_by_another_process();
        SHOW(close(out));
        seen_by_another_process();
        out = open("a.tr", O_WRONLY | O_APPEND);
        SHOW(lockf(out, F_TLOCK, 0));
        SHOW(fcntl(out, F_OFD_SETLK, &lock));
        seen_by_another_process();
        SHOW(close(out));
        seen_by_another_process();
    }
    show_file("a.tr");
}
