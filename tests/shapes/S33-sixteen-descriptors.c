/* S33 with RLIMIT_NOFILE 16: the program gets every descriptor that it would get natively, and EMFILE where it would. */
//: file t0.tr
//: calls a.tr t0.tr <= 90, not fewer
#include <sys/resource.h>

#include "show.h"

int main(void)
{
    struct rlimit limit = {16, 16};
    char name[32];
    int held[32], n = 0, ends[2];
    SHOW(setrlimit(RLIMIT_NOFILE, &limit));
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 40; i++) {
            snprintf(name, sizeof name, "t%d.tr", i);
            int out = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
            if (out < 0)
                say("%d: %s", i, strerror(errno));
            append(out, record(round));
            close(out);
        }
    while (n < 32 && (held[n] = open("/dev/null", O_RDONLY)) >= 0)
        n++;
    say("%d held, then %s", n, strerror(errno));
    SHOW(open("t0.tr", O_WRONLY | O_APPEND));
    SHOW(fopen("t0.tr", "a") == NULL);
    SHOW(dup(0));
    SHOW(pipe(ends));
    close(held[--n]);
    held[n++] = OPENED(open("t0.tr", O_WRONLY | O_APPEND));
    append(held[n - 1], "by the last descriptor\n");
    SHOW(open("/dev/null", O_RDONLY));
    while (n > 0)
        close(held[--n]);
    SHOW(pipe(ends));
    show_file("t0.tr");
    show_file("t39.tr");
}
