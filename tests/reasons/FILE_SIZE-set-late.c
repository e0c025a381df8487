/* RLIMIT_FSIZE set by setrlimit or prlimit while bytes are pending. */
//: file a.tr write-through reason=FILE_SIZE
#include <signal.h>
#include <sys/resource.h>

#include "show.h"

int main(void)
{
    struct rlimit limit = {700, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 5; i++)
        append(out, record(i));
    SHOW(setrlimit(RLIMIT_FSIZE, &limit));
    for (int i = 0; i < 12; i++)
        SHOW(append(out, record(i)));
    SHOW(prlimit(0, RLIMIT_FSIZE, &none, NULL));
    SHOW(append(out, record(0)));
    SHOW(prlimit(0, RLIMIT_FSIZE, &limit, NULL));
    SHOW(append(out, record(0)));
    SHOW(setrlimit(RLIMIT_FSIZE, &none)); /* a report is longer than the limit */
    show_file("a.tr");
}
