/* @auto: the third open for appending is managed; what is opened less often, for truncating, or is named by !pattern or @never isn't. */
//: env TRACESHIM_PATTERNS=!left.log:@auto
//: file records.log managed opens=998 real_opens<=2 writes=998
//: file stream.log managed opens=498 real_opens<=2
//: calls records.log stream.log <= 60
#include <fcntl.h>
#include <stdlib.h>

#include "show.h"

static void put(const char *path, int flags, int number)
{
    char text[32];
    int n = sprintf(text, "%d\n", number), fd = open(path, O_WRONLY | O_CREAT | flags, 0644);
    ssize_t done = write(fd, text, (size_t)n);
    if (done != n || close(fd) != 0)
        say("record %d of %s: %zd", number, path, done);
}

static void line(const char *path, int number)
{
    FILE *out = fopen(path, "a");
    if (!out || fprintf(out, "%d\n", number) < 0 || fclose(out) != 0)
        say("line %d of %s", number, path);
}

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        put("records.log", O_APPEND, i);
        if (i % 2)
            line("stream.log", i);
        put("left.log", O_APPEND, i);
        put("never.pcap", O_APPEND, i);
        put("rewritten.log", O_TRUNC, i);
    }
    put("twice.log", O_APPEND, 1);
    put("twice.log", O_APPEND, 2);
    show_file("records.log");
    show_file("stream.log");
    show_file("left.log");
    show_file("twice.log");
}
