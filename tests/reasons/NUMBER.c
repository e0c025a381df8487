/* Reason NUMBER: a descriptor above all that the shim's table has: it and the others write to one file in the
 * program's order. The suite's library has a small table; natively it is of no concern. */
//: file only.tr unmanaged reason=NUMBER
//: file high.tr write-through reason=NUMBER
//: file a.tr write-through reason=NUMBER
//: once
#include <sys/resource.h>

#include "show.h"

enum { TABLE = 2048, BEYOND = 3000 };

static void more_numbers(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = BEYOND + 100;
    if (limit.rlim_max < limit.rlim_cur)
        limit.rlim_max = limit.rlim_cur;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
        cannot_run("RLIMIT_NOFILE can't be set above 3000");
}

int main(void)
{
    char text[32];
    more_numbers();
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT, 0644));
    append(out, record(0));
    int high = fcntl(out, F_DUPFD, BEYOND);
    SHOW(high >= BEYOND);
    for (int i = 1; i < 10; i++) { /* one description, one offset */
        append(out, record(i));
        append(high, "through the high number\n");
        SHOW(lseek(out, 0, SEEK_CUR));
        SHOW(lseek(high, 0, SEEK_CUR));
    }
    SHOW(close(out));
    append(high, "the low number is closed\n");
    out = OPENED(open("a.tr", O_RDWR | O_APPEND));
    append(out, "a description of its own\n");
    SHOW(lseek(high, 0, SEEK_CUR));
    show_bytes("read through the high number", text, pread(high, text, 25, lseek(out, 0, SEEK_CUR) - 25));

    int null = open("/dev/null", O_RDONLY); /* the next open gets a high number, too */
    while (null >= 0 && null < TABLE)
        null = dup(null);
    int opened = OPENED(open("high.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(opened >= TABLE);
    append(opened, record(1));
    int only = OPENED(open("only.tr", O_WRONLY | O_CREAT, 0644));
    append(only, record(0));
    SHOW(dup2(out, 100) == 100);
    SHOW(close(out));
    int low = OPENED(open("high.tr", O_WRONLY | O_APPEND));
    for (int i = 2; i < 10; i++) {
        append(low, record(i));
        append(opened, "through the high number\n");
    }
    show_file("high.tr");
    append(100, "end\n");
    show_file("a.tr");
}
