/* Records that show whether they are whole, once, and in order.
 *
 * The idea: each writer (a thread, a handler, a child) numbers its records from 0. A record is one line,
 *
 *     WRITER NUMBER SEEN FILLER
 *
 * whose filler follows from WRITER and NUMBER, so that a torn or mixed one is noticed; SEEN is how many records of another
 * writer were written (their calls had returned) when this one's write began. records_check reads a file and
 * says what is wrong with it.
 */
#ifndef STRESS_RECORDS_H
#define STRESS_RECORDS_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_MOST  160
#define WRITERS_MOST 512

/* Says what went wrong, and ends the program. For handlers too: no stdio. */
__attribute__((unused, noreturn)) static void broken(const char *what, long value)
{
    char text[256];
    int n = snprintf(text, sizeof text, "not ok: %s (%ld, errno %d)\n", what, value, errno);
    if (write(1, text, (size_t)n) != n)
        _exit(98);
    _exit(99);
}

#define MUST(condition, what) ((condition) ? (void)0 : broken(what, 0))

static char *put_number(char *to, unsigned long n)
{
    char digits[24];
    int count = 0;
    do {
        digits[count++] = (char)('0' + n % 10);
    } while (n /= 10);
    while (count)
        *to++ = digits[--count];
    return to;
}

/* Makes a record (async-signal-safe); its length. */
static size_t record_make(char to[RECORD_MOST], unsigned writer, unsigned long number, unsigned long seen)
{
    char *p = put_number(to, writer);
    *p++ = ' ';
    p = put_number(p, number);
    *p++ = ' ';
    p = put_number(p, seen);
    *p++ = ' ';
    size_t n = 1 + (writer * 31 + number * 7) % 60;
    memset(p, (int)('a' + (writer + number) % 26), n);
    p += n;
    *p++ = '\n';
    return (size_t)(p - to);
}

/* Writes a record in one call. */
__attribute__((unused)) static void record_write(int fd, unsigned writer, unsigned long number, unsigned long seen)
{
    char text[RECORD_MOST];
    size_t n = record_make(text, writer, number, seen);
    ssize_t done = write(fd, text, n);
    if (done != (ssize_t)n)
        broken("a write of a record", done);
}

/* What records_check finds. */
struct records {
    unsigned long count[WRITERS_MOST]; /* of each writer: its last number, plus one */
    unsigned long found[WRITERS_MOST]; /* how many there are */
    unsigned long all;
};

struct line {
    unsigned writer;
    unsigned long number, seen;
};

/* One whole record, or what is wrong. */
static const char *record_read(const char *text, size_t n, struct line *l)
{
    char again[RECORD_MOST], *end;
    if (n == 0 || n > RECORD_MOST || text[n - 1] != '\n')
        return "not a whole line";
    l->writer = (unsigned)strtoul(text, &end, 10);
    if (*end++ != ' ' || l->writer >= WRITERS_MOST)
        return "no writer";
    l->number = strtoul(end, &end, 10);
    if (*end++ != ' ')
        return "no number";
    l->seen = strtoul(end, &end, 10);
    if (record_make(again, l->writer, l->number, l->seen) != n || memcmp(again, text, n) != 0)
        return "torn";
    return NULL;
}

/* Reads the file. gaps: numbers may be left out (the writer jumped out of a write), never doubled or out of
 * order; 2: any order, for whoever counts them.
 * order, unless NULL, is asked about each record together with how many of each writer came before it. */
__attribute__((unused)) static struct records *records_check(const char *path, int gaps,
                                                             int (*order)(const struct line *, const struct records *))
{
    static struct records r;
    memset(&r, 0, sizeof r);
    FILE *in = fopen(path, "r");
    if (!in)
        broken("opening the trace to read it", 0);
    char *text = NULL;
    size_t room = 0;
    for (ssize_t n; (n = getline(&text, &room, in)) > 0; r.all++) {
        struct line l = {0};
        const char *wrong = record_read(text, (size_t)n, &l);
        if (!wrong && gaps < 2 && l.number < r.count[l.writer])
            wrong = "a record twice, or out of order";
        if (!wrong && !gaps && l.number > r.count[l.writer])
            wrong = "records lost before this one";
        if (!wrong && order && !order(&l, &r))
            wrong = "out of order with the other writer's";
        if (wrong) {
            printf("not ok: %s, line %lu: %s, %lu records of the writer before: %.*s\n", path, r.all + 1, wrong,
                   r.count[l.writer], (int)(n > 100 ? 100 : n), text);
            fflush(stdout);
            _exit(99);
        }
        r.count[l.writer] = l.number + 1;
        r.found[l.writer]++;
    }
    free(text);
    fclose(in);
    return &r;
}

#endif
