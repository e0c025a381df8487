/* S30: several processes append to one file: every record is whole and none is lost, whatever the order. */
//: file a.tr
//: calls a.tr <= 130
#include <sys/wait.h>

#include "show.h"

enum { PROCESSES = 4, RECORDS = 500 };

static void check(void)
{
    int next[PROCESSES] = {0}, wrong = 0, lines = 0, who, number;
    char line[256], rest[256];
    FILE *in = fopen("a.tr", "r");
    while (fgets(line, sizeof line, in)) {
        lines++;
        if (sscanf(line, "%d:%d: %255[^\n]", &who, &number, rest) != 3 || who < 0 || who >= PROCESSES ||
            number != next[who]++ || strncmp(record(number), rest, strlen(rest)) != 0 ||
            strlen(rest) + 1 != strlen(record(number)))
            wrong++;
    }
    fclose(in);
    say("%d lines, %d of them wrong", lines, wrong);
}

int main(void)
{
    for (int who = 0; who < PROCESSES; who++)
        if (fork() == 0) {
            for (int i = 0; i < RECORDS; i++) {
                int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
                char text[256];
                int length = snprintf(text, sizeof text, "%d:%d: %s", who, i, record(i));
                if (write(out, text, (size_t)length) != length)
                    _exit(1);
                close(out);
            }
            if (who % 2)
                _exit(0);
            exit(0);
        }
    for (int status, i = 0; i < PROCESSES; i++)
        if (wait(&status) < 0 || status != 0)
            say("a child failed");
    check();
    SHOW(truncate("a.tr", 0));
    /* The order differs from run to run: only the check counts, so the file is left empty. */
    FILE *out = fopen("a.tr", "a");
    SHOW(fclose(out));
}
