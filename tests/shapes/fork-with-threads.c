/* fork while other threads append and reopen, fork inside a handler: no deadlock, each record once. */
//: file a.tr managed|write-through reason=UNSEEN|SHARED|NONE
//: flags -pthread
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "show.h"

enum { RECORDS = 3000, FORKS = 60 };
static int kept;

static void *work(void *argument)
{
    int who = (int)(intptr_t)argument;
    char text[128];
    for (int i = 0; i < RECORDS; i++) {
        int length = snprintf(text, sizeof text, "%d:%d: %s", who, i, record(i));
        int fd = who ? open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644) : kept;
        if (write(fd, text, (size_t)length) != length)
            say("a write failed");
        if (who)
            close(fd);
    }
    return NULL;
}

static void handler(int number)
{
    (void)number;
    if (fork() == 0) {
        int fd = open("a.tr", O_WRONLY | O_APPEND);
        append(fd, "9:0: by a child forked in a handler\n");
        _exit(0);
    }
    wait(NULL);
}

int main(void)
{
    pthread_t threads[3];
    int next[10] = {0}, wrong = 0, children = 0, who, number;
    char line[256];
    kept = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    signal(SIGUSR1, handler);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < FORKS; i++) {
        if (i % 10 == 0)
            raise(SIGUSR1);
        pid_t child = fork();
        if (child == 0) {
            append(kept, "9:0: by a child\n");
            int fd = open("a.tr", O_WRONLY | O_APPEND);
            append(fd, "9:0: by a child's own\n");
            close(fd);
            if (i % 2)
                _exit(0);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    FILE *in = fopen("a.tr", "r");
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, "%d:%d:", &who, &number) != 2 || who < 0 || who > 9)
            wrong++;
        else if (who == 9)
            children++;
        else if (number != next[who]++)
            wrong++;
    }
    say("%d %d %d records, %d of children, %d wrong", next[0], next[1], next[2], children, wrong);
    SHOW(truncate("a.tr", 0)); /* the order differs from run to run */
}
