/* S32: threads that append through one descriptor, through one stream, and each by reopening one path. */
//: file one.tr managed|write-through reason=UNSEEN|NONE
//: file stream.tr managed|write-through reason=UNSEEN|NONE
//: file many.tr managed|write-through reason=UNSEEN|NONE
//: calls a.tr many.tr one.tr stream.tr <= 1420
//: flags -pthread
#include <pthread.h>

#include "show.h"

enum { THREADS = 8, RECORDS = 500 };

static int one;
static FILE *stream;

static void *work(void *argument)
{
    int who = (int)(intptr_t)argument;
    char text[256];
    for (int i = 0; i < RECORDS; i++) {
        int length = snprintf(text, sizeof text, "%d:%d: %s", who, i, record(i));
        if (write(one, text, (size_t)length) != length)
            say("a write failed");
        if (fputs(text, stream) < 0 || (i % 3 == 0 && fflush(stream) != 0))
            say("a put failed");
        int own = open("many.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (own < 0 || write(own, text, (size_t)length) != length || close(own) != 0)
            say("a reopen failed");
    }
    return NULL;
}

static void check(const char *path)
{
    int next[THREADS] = {0}, wrong = 0, lines = 0, who, number;
    char line[256];
    FILE *in = fopen(path, "r");
    while (fgets(line, sizeof line, in)) {
        lines++;
        if (sscanf(line, "%d:%d:", &who, &number) != 2 || who < 0 || who >= THREADS || number != next[who]++)
            wrong++;
    }
    fclose(in);
    say("%s: %d lines, %d of them wrong", path, lines, wrong);
    show_path(path);
    SHOW(truncate(path, 0)); /* the order differs from run to run */
}

int main(void)
{
    pthread_t threads[THREADS];
    one = OPENED(open("one.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    stream = OPENED(fopen("stream.tr", "a"));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    SHOW(fclose(stream));
    SHOW(lseek(one, 0, SEEK_CUR));
    SHOW(close(one));
    check("one.tr");
    check("stream.tr");
    check("many.tr");
}
