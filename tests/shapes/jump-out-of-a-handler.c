/* siglongjmp out of a handler that interrupted an append or a reopen, again and again: no record torn, the last ones all there. */
//: file a.tr managed
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "show.h"

static sigjmp_buf back;

static void handler(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

int main(void)
{
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    volatile int jumps = 0, records = 0;
    volatile int kept = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    signal(SIGALRM, handler);
    while (jumps < 300) {
        if (sigsetjmp(back, 1))
            jumps++;
        else
            setitimer(ITIMER_REAL, &often, NULL);
        for (;;) {
            append(kept, "0123456789abcdef0123456789abcdef\n");
            if (jumps >= 300)
                break;
        }
    }
    setitimer(ITIMER_REAL, &never, NULL);
    signal(SIGALRM, SIG_IGN);
    for (records = 0; records < 100; records++)
        append(kept, "and after the last jump, a record\n");
    int lines = 0, torn = 0, last = 0;
    char line[256];
    FILE *in = fopen("a.tr", "r");
    while (fgets(line, sizeof line, in)) {
        lines++;
        if (strcmp(line, "and after the last jump, a record\n") == 0)
            last++;
        else if (strcmp(line, "0123456789abcdef0123456789abcdef\n") != 0)
            torn++;
    }
    say("%d torn, %d after the last jump", torn, last);
    SHOW(truncate("a.tr", 0)); /* how many there are differs from run to run */
}
