/* 20,000 streams that become wide, one after another: memory stays where it is. */
//: file a.tr write-through reason=UNSEEN opens>=20000
#include <malloc.h>
#include <wchar.h>

#include "show.h"

static long pages(void)
{
    long size = 0, resident = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (fscanf(in, "%ld %ld", &size, &resident) != 2)
        say("can't read");
    fclose(in);
    return size;
}

int main(void)
{
    long before = 0;
    for (int i = 0; i < 20000; i++) {
        FILE *out = fopen("a.tr", i % 1000 ? "a" : "w");
        if (!out || fwprintf(out, L"%d\n", i) < 0 || fclose(out) != 0)
            say("%d failed", i);
        if (i == 1000)
            before = pages();
    }
    say("memory %s", pages() - before <= 32 ? "stays" : "grows");
    show_file("a.tr");
}
