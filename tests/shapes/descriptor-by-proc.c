/* /dev/fd/N and /proc/self/fd/N of a managed descriptor: opened for reading and for writing, stat'ed, linked. */
//: file a.tr
#include "show.h"

int main(void)
{
    char path[64], buffer[100] = "";
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 4; i++) {
        append(out, record(i));
        snprintf(path, sizeof path, i % 2 ? "/dev/fd/%d" : "/proc/self/fd/%d", out);
        int in = open(path, O_RDONLY);
        say("%s", in >= 0 ? "opened" : strerror(errno));
        long n = SHOW(read(in, buffer, 60));
        show_bytes("read", buffer, n);
        close(in);
        append(out, "more\n");
        int second = open(path, O_WRONLY | O_APPEND);
        append(second, "by the second\n");
        append(out, "by the first\n");
        close(second);
        struct stat info;
        show_stat("stat", stat(path, &info), &info);
        FILE *stream = fopen(path, "a");
        fputs("by a stream\n", stream);
        fclose(stream);
        snprintf(buffer, sizeof buffer, "linked%d.tr", i);
        SHOW(linkat(AT_FDCWD, path, AT_FDCWD, buffer, AT_SYMLINK_FOLLOW) < 0);
    }
    show_file("a.tr");
    SHOW(close(out));
}
