/* setfsuid(2) changes the calling thread only: what one thread has opened and closed is not another's to use again. */
//: file a.tr
#include <pthread.h>
#include <sys/fsuid.h>

#include "show.h"

static pthread_barrier_t turn;

static void *other(void *root)
{
    if (*(int *)root)
        setfsuid(65534);
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
    int out = open("a.tr", O_WRONLY | O_APPEND);
    SHOW((out < 0) == *(int *)root);
    if (out >= 0)
        close(out);
    FILE *stream = fopen("a.tr", "a");
    SHOW((stream == NULL) == *(int *)root);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int root = geteuid() == 0;
    pthread_barrier_init(&turn, NULL, 2);
    pthread_create(&thread, NULL, other, &root);
    pthread_barrier_wait(&turn);
    for (int i = 0; i < 3; i++) {
        int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0600));
        append(out, record(i));
        SHOW(close(out));
    }
    pthread_barrier_wait(&turn);
    pthread_join(thread, NULL);
    show_file("a.tr");
}
