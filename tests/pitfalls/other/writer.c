/* writer MODE COUNT: records of 61 bytes into a.tr, by a descriptor that appends, by a stream flushed for each, by
 * an open for each, or at offsets. */
//: file a.tr managed
#include "show.h"

int main(int count, char **argument)
{
    const char *mode = count > 2 ? argument[1] : "";
    FILE *stream = NULL;
    int records = count > 2 ? atoi(argument[2]) : 0, fd = -1;
    if (strcmp(mode, "stream") == 0)
        stream = fopen("a.tr", "a");
    else if (strcmp(mode, "reopen") != 0)
        fd = open("a.tr", O_WRONLY | O_CREAT | (strcmp(mode, "append") == 0 ? O_APPEND : 0), 0644);
    for (int i = 0; i < records; i++) {
        char text[80];
        snprintf(text, sizeof text, "%-60d\n", i);
        int now = stream || fd >= 0 ? fd : open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (stream ? fputs(text, stream) < 0 || fflush(stream) != 0 : append(now, text) != 61)
            return 1;
        if (now != fd && close(now) != 0)
            return 2;
    }
    return 0;
}
