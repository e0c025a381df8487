/* Threads cancelled while they write and reopen: writes stay cancellation points, the others go on. */
//: file a.tr managed
//: flags -pthread
#include <pthread.h>

#include "show.h"

static void *forever(void *argument)
{
    for (;;) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (append(out, "a whole record of the cancelled thread\n") < 0)
            return argument;
        close(out);
    }
}

static void *once_pending(void *argument)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    pthread_cancel(pthread_self());
    append(*(int *)argument, "not cancelled while disabled\n");
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    append(*(int *)argument, "never written\n");
    return NULL;
}

int main(void)
{
    void *result;
    int torn = 0, kept = open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    char line[256];
    for (int i = 0; i < 30; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, forever, NULL);
        FILE *own = fopen("a.tr", "a");
        fputs("by the main thread\n", own);
        fclose(own);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            say("not cancelled");
        pthread_create(&thread, NULL, once_pending, &kept);
        pthread_join(thread, &result);
        SHOW(result == PTHREAD_CANCELED);
    }
    FILE *in = fopen("a.tr", "r");
    while (fgets(line, sizeof line, in))
        torn += strcmp(line, "a whole record of the cancelled thread\n") && strcmp(line, "by the main thread\n");
    say("%d torn", torn);
    SHOW(truncate("a.tr", 0));
    show_file("b.tr");
}
