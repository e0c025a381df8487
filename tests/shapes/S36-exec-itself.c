/* S36: the program execs itself three times; descriptors that it left open go on in the new image. */
//: file a.tr
//: calls a.tr <= 350, not fewer
#include "show.h"

int main(int count, char **arguments)
{
    int round = count > 2 ? atoi(arguments[1]) : 0, inherited = count > 2 ? atoi(arguments[2]) : -1;
    int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    for (int i = 0; i < 50; i++)
        append(out, record(round * 50 + i));
    if (inherited >= 0)
        append(inherited, "through the inherited descriptor\n");
    show_file("a.tr");
    FILE *stream = fopen("a.tr", "a");
    fputs("flushed before exec\n", stream);
    fflush(stream);
    fputs("never flushed\n", stream);
    int closed = open("b.tr", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    append(closed, "close-on-exec\n");
    if (round < 3) {
        char next[16], number[16];
        snprintf(next, sizeof next, "%d", round + 1);
        snprintf(number, sizeof number, "%d", out);
        execl("/proc/self/exe", "again", next, number, (char *)NULL);
    }
    show_file("b.tr");
    _exit(7);
}
