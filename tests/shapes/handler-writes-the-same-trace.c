/* A signal handler opens, writes and closes the trace that the interrupted thread is appending to: nothing lost, no record torn. */
//: file a.tr managed|write-through reason=UNSEEN|NONE
#include <signal.h>
#include <sys/time.h>

#include "show.h"

enum { FROM_HANDLER = 200 };
static volatile sig_atomic_t handled;
static int kept;

static void handler(int number)
{
    (void)number;
    if (handled >= FROM_HANDLER)
        return;
    int saved = errno, own = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (write(own, "handler by its own descriptor\n", 30) != 30 || close(own) != 0)
        _exit(3);
    if (write(kept, "handler by the kept descriptor\n", 31) != 31)
        _exit(4);
    handled++;
    errno = saved;
}

int main(void)
{
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    kept = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(sigaction(SIGALRM, &action, NULL));
    SHOW(setitimer(ITIMER_REAL, &often, NULL));
    int records = 0, lines = 0, own = 0, by_kept = 0, others = 0;
    for (; handled < FROM_HANDLER || records < 2000; records++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (append(out, record(records)) != (long)strlen(record(records)) || close(out) != 0)
            say("%d failed", records);
    }
    SHOW(setitimer(ITIMER_REAL, &never, NULL));
    char line[256];
    FILE *in = fopen("a.tr", "r");
    int next = 0;
    while (fgets(line, sizeof line, in)) {
        lines++;
        if (strcmp(line, "handler by its own descriptor\n") == 0)
            own++;
        else if (strcmp(line, "handler by the kept descriptor\n") == 0)
            by_kept++;
        else if (strcmp(line, record(next)) == 0)
            next++;
        else
            others++;
    }
    fclose(in);
    say("from the handler %d and %d; all of the records %d; torn or foreign %d", own, by_kept, next == records, others);
    SHOW(truncate("a.tr", 0)); /* how many records it takes differs from run to run */
}
