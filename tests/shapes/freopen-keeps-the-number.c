/* freopen: the descriptor's number stays, nothing of before is left in the stream, "a" finds the end, and at exit the stream is the
 * first to be flushed, as the newest. */
//: file a.tr
#include "show.h"

int main(void)
{
    FILE *first = OPENED(fopen("a.tr", "a"));
    fputs("a line of the first\n", first);
    fclose(first);
    FILE *stream = OPENED(fopen("b.tr", "w"));
    int number = fileno(stream);
    SHOW(freopen("a.tr", "a", stream) == stream);
    SHOW(fileno(stream) == number);
    SHOW(ftell(stream));
    fputs("by the second\n", stream);
    SHOW(freopen("a.tr", "r", stream) == stream);
    SHOW(fileno(stream) == number);
    SHOW(fwrite("refused", 1, 7, stream));
    SHOW(fgetc(stream));
    SHOW(freopen(NULL, "q", stream) == NULL);
    FILE *older = OPENED(fopen("c.tr", "w"));
    FILE *newer = OPENED(fopen("c.tr", "a"));
    SHOW(freopen("c.tr", "r+", older) == older);
    fputs("at the start", older);
    fputs("appended: comes second, for it is older now", newer);
    return 0;
}
