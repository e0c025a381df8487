/* RLIMIT_FSIZE is set below what is pending: those bytes were written under the old limit. */
//: file a.tr
#include <signal.h>
#include <sys/resource.h>

#include "show.h"

int main(void)
{
    signal(SIGXFSZ, SIG_IGN);
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 100; i++)
        append(out, record(i));
    SHOW(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, RLIM_INFINITY}));
    SHOW(lseek(out, 0, SEEK_END));
    SHOW(append(out, "refused"));
    SHOW(setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
    for (int i = 0; i < 100; i++)
        append(out, record(i));
    SHOW(prlimit(0, RLIMIT_FSIZE, &(struct rlimit){1000, RLIM_INFINITY}, NULL));
    SHOW(close(out));
    show_file("a.tr");
}
