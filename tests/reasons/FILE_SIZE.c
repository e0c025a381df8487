/* Reason FILE_SIZE: with a finite RLIMIT_FSIZE the write that passes it is cut or refused, as natively, with
 * SIGXFSZ. */
//: file a.tr write-through reason=FILE_SIZE
#include <signal.h>
#include <sys/resource.h>

#include "show.h"

static void handler(int number)
{
    say("signal %d", number);
}

int main(void)
{
    struct rlimit limit = {1000, 1000};
    signal(SIGXFSZ, handler);
    SHOW(setrlimit(RLIMIT_FSIZE, &limit));
    for (int i = 0; i < 25; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        SHOW(append(out, record(i)));
        SHOW(close(out));
    }
    FILE *stream = OPENED(fopen("b.tr", "w"));
    for (int i = 0; i < 25; i++)
        SHOW(fputs(record(i), stream) >= 0 && fflush(stream) == 0);
    SHOW(fclose(stream));
    show_file("a.tr");
    show_path("b.tr");
}
