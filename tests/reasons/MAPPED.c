/* Reason MAPPED: what is written after a mapping was made is seen through it at once. */
//: file a.tr write-through reason=MAPPED
#include <sys/mman.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, out, 0);
    for (int i = 1; i < 20; i++) {
        long end = lseek(out, 0, SEEK_END);
        append(out, record(i));
        show_bytes("mapped", map + end, (long)strlen(record(i)));
        map[end] = '!';
        SHOW(pread(out, map + 4000, 1, end));
        show_bytes("read", map + 4000, 1);
    }
    int second = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    SHOW(close(out));
    long end = lseek(second, 0, SEEK_END);
    append(second, "by another descriptor\n");
    show_bytes("mapped", map + end, 22);
    SHOW(munmap(map, 4096));
    show_file("a.tr");
}
