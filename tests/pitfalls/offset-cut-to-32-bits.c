/* A pwrite64 declared with an offset of 32 bits corrupted a database: offsets beyond 4 GiB, by every call that
 * takes one. */
//: file a.tr
//: file b.tr managed
#include <sys/uio.h>

#include "show.h"

#define FAR ((off64_t)5 << 30)

static void read_at(int fd, off64_t at)
{
    char bytes[8];
    show_bytes("there", bytes, pread64(fd, bytes, 4, at));
    show_bytes("where it would be with 32 bits", bytes, pread64(fd, bytes, 4, (int)at));
}

int main(void)
{
    struct iovec part = {(void *)"vvvv", 4};
    int a = OPENED(open64("a.tr", O_RDWR | O_CREAT | O_TRUNC, 0644)),
        b = OPENED(open64("b.tr", O_RDWR | O_CREAT, 0644));
    append(a, "begin");
    SHOW(pwrite64(a, "pppp", 4, FAR));
    read_at(a, FAR);
    SHOW(pwritev64(a, &part, 1, FAR + 4));
    read_at(a, FAR + 4);
    SHOW(pwritev64v2(a, &part, 1, FAR + 8, 0));
    read_at(a, FAR + 8);
    SHOW(lseek64(b, FAR, SEEK_SET)); /* buffered at this offset */
    append(b, "wwww");
    append(b, "xxxx");
    SHOW(lseek64(b, 0, SEEK_CUR));
    show_fstat("with bytes pending", b);
    read_at(b, FAR + 4);
    FILE *stream = OPENED(fopen64("b.tr", "r+"));
    SHOW(fseeko64(stream, FAR + 8, SEEK_SET));
    fputs("ssss", stream);
    SHOW(ftello64(stream));
    SHOW(fclose(stream));
    read_at(b, FAR + 8);
    SHOW(lseek64(b, FAR - 4, SEEK_DATA) >= FAR - 4096);
    SHOW(ftruncate64(a, FAR + 6));
    show_fstat("a.tr", a);
    SHOW(truncate64("b.tr", FAR + 6));
    show_path("b.tr");
    SHOW(ftruncate(a, 5) | ftruncate(b, 0)); /* 5 GiB would be compared byte by byte */
    show_file("a.tr");
}
