/* A stream that was opened with "e" once keeps its number close-on-exec through every freopen, as libc's own does. */
//: file a.tr
#include "show.h"

int main(void)
{
    for (int i = 0; i < 4; i++) { /* the third uses what is left of the second */
        FILE *stream = OPENED(fopen("a.tr", i % 2 ? "ae" : "a"));
        SHOW(fcntl(fileno(stream), F_GETFD));
        fputs(record(i), stream);
        stream = OPENED(freopen("a.tr", "a", stream));
        SHOW(fcntl(fileno(stream), F_GETFD));
        stream = OPENED(freopen("b.tr", "we", stream));
        SHOW(fcntl(fileno(stream), F_GETFD));
        stream = OPENED(freopen("a.tr", "a", stream));
        SHOW(fcntl(fileno(stream), F_GETFD));
        fputs(record(i), stream);
        SHOW(fclose(stream));
    }
    show_file("a.tr");
}
