/* fileno with write, lseek, ftruncate, fcntl between the stream's own output: the order is the program's. */
//: file a.tr managed
//: file b.tr managed
#include "show.h"

int main(void)
{
    FILE *a = OPENED(fopen("a.tr", "a")), *w = OPENED(fopen("b.tr", "w"));
    FILE *both[2] = {a, w};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 10; i++) {
            int fd = fileno(both[k]);
            fprintf(both[k], "%d by the stream, unflushed\n", i);
            dprintf(fd, "%d by the descriptor\n", i);
            if (i % 3 == 0)
                SHOW(fflush(both[k]));
            append(fd, "by the descriptor again\n");
            SHOW(lseek(fd, 0, SEEK_CUR));
            SHOW(ftell(both[k]));
            show_fstat("it", fd);
            if (i == 5)
                SHOW(lseek(fd, 10, SEEK_SET));
            if (i == 6)
                SHOW(fcntl(fd, F_GETFL));
        }
    SHOW(fclose(a));
    SHOW(fclose(w));
    show_file("a.tr");
    show_file("b.tr");
}
