/* S40: O_DIRECT: an unaligned write is refused where it is natively, an aligned one is in the file. */
//: file a.tr
//: calls a.tr <= 27, not fewer
#include "show.h"

int main(void)
{
    void *block;
    int out = open("a.tr", O_WRONLY | O_CREAT | O_DIRECT, 0644);
    say("%s", out >= 0 ? "opened" : strerror(errno));
    if (out < 0)
        out = OPENED(open("a.tr", O_WRONLY | O_CREAT, 0644));
    if (posix_memalign(&block, 4096, 8192))
        return 2;
    memset(block, 'd', 8192);
    SHOW(write(out, block, 4096));
    SHOW(write(out, (char *)block + 1, 100));
    SHOW(write(out, block, 4096));
    SHOW(lseek(out, 0, SEEK_CUR));
    show_fstat("a.tr", out);
    SHOW(close(out));
    show_file("a.tr");
}
