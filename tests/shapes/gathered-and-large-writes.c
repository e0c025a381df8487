/* writev of many and of empty parts, writes around and above the buffer's size, through descriptors and streams. */
//: env TRACESHIM_BUFFER=64K
//: file a.tr managed
#include <sys/uio.h>

#include "show.h"

int main(void)
{
    static char block[300000];
    struct iovec parts[1024];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (char)('a' + i / 97 % 26);
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 1024; i++)
        parts[i] = (struct iovec){block + i, (size_t)(i % 5)};
    for (int n = 1; n <= 1024; n *= 2)
        SHOW(writev(out, parts, n));
    for (int i = 0; i < 1024; i++)
        parts[i] = (struct iovec){block, 0};
    SHOW(writev(out, parts, 1024));
    for (int i = 0; i < 300; i++)
        parts[i] = (struct iovec){block + i * 900, 900};
    SHOW(writev(out, parts, 300));
    long sizes[] = {65535, 65536, 65537, 32768, 32769, 131072, 300000, 1, 4095, 4096, 4097};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        SHOW(write(out, block, (size_t)sizes[i]));
        SHOW(append(out, "|small|"));
        SHOW(lseek(out, 0, SEEK_CUR));
    }
    FILE *stream = OPENED(fopen("b.tr", "a"));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        SHOW(fwrite(block, 1, (size_t)sizes[i], stream));
        SHOW(fputs("|small|", stream) >= 0);
        show_path("b.tr");
    }
    SHOW(fclose(stream));
    show_file("a.tr");
    show_file("b.tr");
    show_path("a.tr");
}
