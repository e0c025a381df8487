/* O_EXCL on what exists, O_TMPFILE, O_PATH, O_NOFOLLOW, O_DIRECTORY, O_CLOEXEC, O_NOATIME, O_NONBLOCK; fopen's "x" and "e". */
//: file a.tr managed
#include "show.h"

#define OPEN_AND_CLOSE(call)           \
    do {                               \
        int fd_ = OPENED(call);        \
        if (fd_ >= 0) {                \
            SHOW(fcntl(fd_, F_GETFD)); \
            SHOW(fcntl(fd_, F_GETFL)); \
            SHOW(append(fd_, "x\n"));  \
            show_fstat("it", fd_);     \
            SHOW(close(fd_));          \
        }                              \
    } while (0)

int main(void)
{
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0640));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0640));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_APPEND | O_CLOEXEC));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_APPEND));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_APPEND | O_NONBLOCK));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_APPEND));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_APPEND | O_NOFOLLOW));
    OPEN_AND_CLOSE(open("a.tr", O_RDWR | O_APPEND | O_NOATIME));
    OPEN_AND_CLOSE(open("a.tr", O_PATH));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_PATH | O_APPEND));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_APPEND | O_DIRECTORY));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY | O_RDWR | O_APPEND));
    OPEN_AND_CLOSE(open("a.tr", O_RDONLY | O_TRUNC));
    show_path("a.tr");
    OPEN_AND_CLOSE(open("a.tr", O_RDONLY | O_CREAT, 0644));
    OPEN_AND_CLOSE(open("c.tr", O_RDONLY | O_CREAT, 0604));
    OPEN_AND_CLOSE(open("a.tr", O_WRONLY));
    OPEN_AND_CLOSE(open("a.tr", O_ACCMODE | O_CREAT | O_LARGEFILE, 0));
    OPEN_AND_CLOSE(open("d.tr", O_WRONLY | O_CREAT, 0));
    OPEN_AND_CLOSE(open("e.tr", O_WRONLY | O_CREAT, 06777));
    int unnamed = open(".", O_RDWR | O_TMPFILE, 0644);
    if (unnamed >= 0) {
        char self[64];
        append(unnamed, "no name yet\n");
        snprintf(self, sizeof self, "/proc/self/fd/%d", unnamed);
        SHOW(linkat(AT_FDCWD, self, AT_FDCWD, "named.tr", AT_SYMLINK_FOLLOW));
        append(unnamed, "and now\n");
        show_file("named.tr");
    }
    const char *modes[] = {"wx", "ax", "ae", "a,ccs=UTF-8", "we", "w+x", "am", "ac", "r+e", "abx+", "rx"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        FILE *stream = fopen("f.tr", modes[i]);
        say("%s: %s", modes[i], stream ? "opened" : strerror(errno));
        if (stream) {
            SHOW(fcntl(fileno(stream), F_GETFD));
            SHOW(fcntl(fileno(stream), F_GETFL));
            SHOW(fputs("by a mode\n", stream) >= 0);
            SHOW(fclose(stream));
        }
        if (i % 3 == 1)
            SHOW(unlink("f.tr"));
    }
    show_file("f.tr");
}
