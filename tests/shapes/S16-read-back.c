/* S16: the same process reads the file, each way that libc has, while its writer is open and has pending bytes. */
//: file a.tr managed|write-through reason=UNSEEN|MAPPED|NONE
//: calls a.tr <= 80, not fewer
//: once
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "show.h"

int main(void)
{
    char buffer[4096];
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 20; i++)
        append(out, record(i));

    FILE *in = OPENED(fopen("a.tr", "r"));
    SHOW(fread(buffer, 1, sizeof buffer, in));
    show_bytes("fread", buffer, 500);
    SHOW(append(out, "written while a stream is open for reading\n"));
    SHOW(feof(in));
    clearerr(in);
    say("%s", fgets(buffer, sizeof buffer, in) ? buffer : "nothing");
    SHOW(fclose(in));

    SHOW(append(out, "written before a descriptor reads\n"));
    int descriptor = OPENED(open("a.tr", O_RDONLY));
    long end = SHOW(lseek(descriptor, 0, SEEK_END));
    SHOW(append(out, "and while it does\n"));
    SHOW(pread(descriptor, buffer, 60, end - 34));
    show_bytes("pread", buffer, 52);
    struct iovec parts[2] = {{buffer, 10}, {buffer + 10, 30}};
    SHOW(preadv(descriptor, parts, 2, end - 10));
    show_bytes("preadv", buffer, 28);
    SHOW(lseek(descriptor, -12, SEEK_END));
    SHOW(readv(descriptor, parts, 2));
    show_bytes("readv", buffer, 12);

    SHOW(append(out, "written before a mapping\n"));
    end = lseek(descriptor, 0, SEEK_END);
    char *map = mmap(NULL, (size_t)end + 100, PROT_READ, MAP_SHARED, descriptor, 0);
    show_bytes("mapped", map + end - 25, 25);
    SHOW(append(out, "written while it is mapped\n"));
    show_bytes("mapped", map + end, 27);
    SHOW(munmap(map, (size_t)end + 100));

    SHOW(append(out, "written before sendfile\n"));
    int copy = OPENED(open("copy", O_RDWR | O_CREAT, 0644));
    off_t from = lseek(descriptor, 0, SEEK_END) - 24;
    SHOW(sendfile(copy, descriptor, &from, 1000));
    SHOW(append(out, "written before copy_file_range\n"));
    loff_t begin = lseek(descriptor, 0, SEEK_END) - 31;
    SHOW(copy_file_range(descriptor, &begin, copy, NULL, 1000, 0));
    int ends[2];
    SHOW(pipe(ends));
    SHOW(append(out, "written before splice\n"));
    begin = lseek(descriptor, 0, SEEK_END) - 22;
    SHOW(splice(descriptor, &begin, ends[1], NULL, 1000, 0));
    SHOW(read(ends[0], buffer, sizeof buffer));
    show_bytes("spliced", buffer, 22);
    show_file("a.tr");
    show_file("copy");
}
