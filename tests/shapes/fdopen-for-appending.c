/* fdopen "a" sets O_APPEND and goes to the end, but moves nothing when the flag is set already. The end is the one that the
 * program knows, also where the descriptor is of another name. */
//: file a.tr
#include "show.h"

static void by_another_name(void)
{
    int other = OPENED(open("other", O_WRONLY));
    int out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    append(out, record(2));
    FILE *stream = OPENED(fdopen(other, "a"));
    SHOW(lseek(other, 0, SEEK_CUR));
    SHOW(ftell(stream));
    append(out, record(3));
    stream = OPENED(freopen("other", "a", stream));
    SHOW(lseek(fileno(stream), 0, SEEK_CUR));
    SHOW(fclose(stream));
    close(out);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | (i ? O_APPEND : 0), 0644));
        append(out, record(i));
        SHOW(lseek(out, 3, SEEK_SET));
        FILE *stream = OPENED(fdopen(out, "a"));
        SHOW(lseek(out, 0, SEEK_CUR));
        SHOW(fcntl(out, F_GETFL));
        fputs("appended\n", stream);
        SHOW(ftell(stream));
        SHOW(fclose(stream));
    }
    SHOW(link("a.tr", "other"));
    by_another_name();
    show_file("a.tr");
}
