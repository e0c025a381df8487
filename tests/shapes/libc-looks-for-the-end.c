/* A stream of libc's is opened for appending while bytes are pending: it stands behind them. */
//: file a.tr
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(link("a.tr", "alias"));
    append(out, record(1));
    FILE *stream = OPENED(fopen("alias", "a"));
    SHOW(ftell(stream));
    SHOW(fclose(stream));
    append(out, record(2));
    stream = OPENED(fopen("a.tr", "am"));
    SHOW(ftell(stream));
    SHOW(fclose(stream));
    append(out, record(3));
    stream = OPENED(fopen("/dev/null", "r"));
    SHOW(freopen("a.tr", "a", stream) == stream);
    SHOW(ftell(stream));
    fputs("at the end\n", stream);
    SHOW(fclose(stream));
    show_file("a.tr");
}
