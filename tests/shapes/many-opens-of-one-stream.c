/* 20,000 fopen and fclose of one trace: memory stays where it is, and so does the number of descriptors. */
//: file a.tr managed opens>=20000 real_opens<=2
//: calls a.tr <= 60
//: once
#include <dirent.h>
#include <malloc.h>

#include "show.h"

static int descriptors(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

/* mallinfo's numbers are too small for much memory, which this isn't. */
#if __GLIBC_PREREQ(2, 33)
#define in_use() mallinfo2().uordblks
#else
#define in_use() (size_t) mallinfo().uordblks
#endif

int main(void)
{
    int first = 0;
    size_t used = 0;
    for (int i = 0; i < 20000; i++) {
        FILE *out = fopen("a.tr", "a");
        if (!out || fputs(record(i), out) < 0 || fclose(out) != 0)
            say("record %d: failed", i);
        if (i == 1000) {
            first = descriptors();
            used = in_use();
        }
    }
    say("more descriptors: %d, more memory: %d", descriptors() > first, in_use() > used + 4096);
    show_file("a.tr");
}
