/* S07: a C stream kept open and flushed after every record; another that is line-buffered. */
//: file a.tr managed opens=1 real_opens=1 drains<=4
//: file line.tr managed opens=1 real_opens=1 drains<=4
//: calls a.tr line.tr <= 24
#include "show.h"

int main(void)
{
    FILE *out = OPENED(fopen("a.tr", "w")), *line = OPENED(fopen("line.tr", "a"));
    SHOW(setvbuf(line, NULL, _IOLBF, 0));
    for (int i = 0; i < 1000; i++) {
        if (fprintf(out, "%d\t%f\t%s", i, i / 7.0, record(i)) < 0 || fflush(out) != 0)
            say("record %d: failed", i);
        fputs(record(i), line);
    }
    SHOW(ftell(out));
    SHOW(ftell(line));
    show_path("a.tr");
    show_path("line.tr");
    SHOW(fclose(out));
}
