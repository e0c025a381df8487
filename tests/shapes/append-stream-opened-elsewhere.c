/* A stream opened for appending stands where the end was at its open, whoever moves the end before it is first used. */
//: file a.tr
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    FILE *stream = OPENED(fopen("a.tr", "a"));
    append(out, record(1));
    SHOW(ftell(stream));
    SHOW(fclose(stream));
    stream = OPENED(fopen("a.tr", "a"));
    SHOW(posix_fallocate(out, 0, 5000));
    SHOW(lseek(fileno(stream), 0, SEEK_CUR));
    SHOW(fclose(stream));
    SHOW(close(out));
    stream = OPENED(fopen("a.tr", "a"));
    SHOW(truncate("a.tr", 7));
    SHOW(ftell(stream));
    FILE *truncates = OPENED(fopen("a.tr", "w"));
    SHOW(lseek(fileno(stream), 0, SEEK_CUR));
    SHOW(lseek(fileno(stream), 0, SEEK_END));
    fputs("by the second\n", truncates);
    fclose(truncates);
    fputs("by the first\n", stream);
    SHOW(ftell(stream));
    fclose(stream);
    show_file("a.tr");
}
