/* Bad pointers, negative sizes and counts, zero bytes: the kernel's answer, and no byte of it in the file. */
//: file a.tr managed
#include <sys/mman.h>
#include <sys/uio.h>

#include "show.h"

int main(void)
{
    void *volatile bad = (void *)16, *volatile nothing = NULL;
    long page = sysconf(_SC_PAGESIZE);
    char *half = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(half, 'h', 2 * (size_t)page);
    mprotect(half + page, (size_t)page, PROT_NONE);
    volatile size_t huge = (size_t)-1;
    volatile int negative = -1, too_many = 100000;
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, "before\n");
    SHOW(write(out, bad, 10));
    SHOW(write(out, nothing, 10));
    SHOW(write(out, bad, 0));
    SHOW(write(out, "x", 0));
    SHOW(write(out, "x", huge));
    show_fstat("a.tr", out);
    SHOW(write(out, half + page - 10, 10));
    SHOW(write(out, half + page - 10, 20));
    show_fstat("a.tr", out);
    struct iovec parts[5] = {{(char *)"one", 3}, {NULL, 0}, {bad, 0}, {(char *)" two", 4}, {(char *)"\n", 1}};
    SHOW(writev(out, parts, 5));
    SHOW(writev(out, parts, 0));
    SHOW(writev(out, parts, negative));
    SHOW(writev(out, parts, too_many));
    SHOW(writev(out, bad, 2));
    parts[2].iov_len = 10;
    SHOW(writev(out, parts, 5));
    show_fstat("a.tr", out);
    parts[2] = (struct iovec){(char *)"x", huge};
    SHOW(writev(out, parts, 5));
    show_fstat("a.tr", out);
    SHOW(pwrite(out, bad, 10, 0));
    SHOW(read(out, bad, 10));
    SHOW(lseek(out, 0, SEEK_SET));
    SHOW(read(out, bad, 10));
    SHOW(open(bad, O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(open(nothing, O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(stat(bad, (struct stat *)half));
    SHOW(access(nothing, F_OK));
    SHOW(unlink(bad));
    SHOW(rename("a.tr", bad));
    SHOW(fcntl(out, 12345, 0));
    append(out, "after\n");
    show_file("a.tr");
}
