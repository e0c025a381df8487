/* fdopen "a" sets O_APPEND and goes to the end, but moves nothing when the flag is set already. */
//: file a.tr
#include "show.h"

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
    show_file("a.tr");
}
