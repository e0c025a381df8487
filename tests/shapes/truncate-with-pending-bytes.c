/* ftruncate and truncate, shorter and longer, with bytes pending in appending and other descriptors; fallocate. */
//: file a.tr
//: file b.tr
#include "show.h"

int main(void)
{
    int a = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644)), b = OPENED(open("b.tr", O_RDWR | O_CREAT, 0644));
    for (int i = 0; i < 6; i++) {
        append(a, record(i));
        append(b, record(i));
        SHOW(i % 2 ? ftruncate(a, 20) : truncate("a.tr", 25));
        SHOW(i % 2 ? truncate("b.tr", 30) : ftruncate(b, 35));
        show_fstat("a.tr", a);
        show_fstat("b.tr", b);
        SHOW(lseek(a, 0, SEEK_CUR));
        SHOW(lseek(b, 0, SEEK_CUR));
        SHOW(append(a, "after the cut\n"));
        SHOW(append(b, "after the cut\n"));
        show_file("a.tr");
        show_file("b.tr");
        SHOW(i % 2 ? ftruncate(a, 300) : truncate("a.tr", 200));
        SHOW(append(a, "after it grew\n"));
        show_path("a.tr");
        SHOW(lseek(b, 0, SEEK_END));
    }
    SHOW(ftruncate(a, -1));
    SHOW(truncate("a.tr", -1));
    SHOW(truncate("none.tr", 0));
    int reader = OPENED(open("a.tr", O_RDONLY));
    SHOW(ftruncate(reader, 0));
    append(a, "before fallocate\n");
    SHOW(posix_fallocate(a, 0, 5000));
    show_fstat("a.tr", a);
    SHOW(append(a, "after it\n"));
    show_file("a.tr");
    SHOW(ftruncate(a, 0));
    append(a, "from nothing\n");
    show_file("a.tr");
}
