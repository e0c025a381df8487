/* Reason ALIASED: on a file system that keeps a size for each name, a hard link is opened while the file has bytes
 * pending. */
//: on bindfs
//: file a.tr write-through reason=ALIASED
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(link("a.tr", "b.tr"));
    for (int i = 1; i < 10; i++) {
        int other = open("b.tr", O_WRONLY | O_APPEND);
        append(other, "by the other name\n");
        SHOW(close(other));
        append(out, record(i));
        SHOW(close(out));
        out = open("a.tr", O_WRONLY | O_APPEND);
    }
    SHOW(close(out));
    show_file("a.tr");
}
