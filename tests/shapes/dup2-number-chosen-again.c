/* A number that the program has chosen with dup2 and closed isn't given to the next open: the program may choose it again. */
//: file a.tr
#include "show.h"

int main(void)
{
    for (int i = 0; i < 5; i++) {
        int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
        SHOW(dup2(out, 100));
        close(out);
        append(100, record(i));
        SHOW(close(100));
        int other = OPENED(open("a.tr", O_WRONLY | O_APPEND));
        SHOW(fcntl(100, F_GETFD));
        SHOW(other == 100);
        int unmatched = OPENED(open("plain", O_WRONLY | O_CREAT | O_APPEND, 0644));
        SHOW(dup2(unmatched, 100));
        append(other, "to the trace\n");
        append(100, "to the other file\n");
        close(other);
        close(unmatched);
        close(100);
    }
    show_file("a.tr");
    show_file("plain");
}
