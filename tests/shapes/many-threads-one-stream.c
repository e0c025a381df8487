/* flockfile around several puts by several threads: groups stay together; fflush(NULL) and fileno writes in between. */
//: file a.tr managed
//: flags -pthread
#include <pthread.h>

#include "show.h"

static FILE *out;

static void *work(void *argument)
{
    for (int i = 0; i < 500; i++) {
        flockfile(out);
        fputs_unlocked("begin ", out);
        fprintf(out, "%d ", (int)(intptr_t)argument);
        putc_unlocked('|', out);
        fputs(" end\n", out);
        funlockfile(out);
        if (i % 50 == 0)
            fflush(NULL);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[6];
    char line[256];
    int count[6] = {0}, wrong = 0, who;
    out = OPENED(fopen("a.tr", "a+"));
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    rewind(out);
    while (fgets(line, sizeof line, out)) {
        if (sscanf(line, "begin %d | end", &who) == 1 && who >= 0 && who < 6)
            count[who]++;
        else
            wrong++;
    }
    say("%d %d %d %d %d %d, %d wrong", count[0], count[1], count[2], count[3], count[4], count[5], wrong);
    SHOW(fclose(out));
    SHOW(truncate("a.tr", 0));
}
