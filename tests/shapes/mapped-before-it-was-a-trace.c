/* A file is mapped under a name that doesn't match, and then written as a trace: the mapping shows what was written. */
//: file a.tr
//: file b.tr
#include <sys/mman.h>

#include "show.h"

int main(void)
{
    int other = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    append(other, "the first trace\n");
    int in = OPENED(open("plain", O_RDWR | O_CREAT, 0644));
    append(in, record(0));
    char *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, in, 0);
    SHOW(rename("plain", "a.tr"));
    int out = OPENED(open("a.tr", O_WRONLY));
    append(out, "WRITTEN OVER");
    show_bytes("mapped", map, 20);
    SHOW(close(in));
    append(out, "AND ON");
    show_bytes("mapped", map, 20);
    SHOW(munmap(map, 4096));
    append(out, "AND ON");
    show_file("a.tr");
}
