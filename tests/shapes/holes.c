/* Writes after a seek beyond the end leave holes; SEEK_DATA and SEEK_HOLE see the file with its pending bytes. */
//: file a.tr
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT, 0644));
    SHOW(append(out, "begin"));
    SHOW(lseek(out, 100000, SEEK_SET));
    SHOW(lseek(out, 0, SEEK_END));
    SHOW(lseek(out, 100000, SEEK_SET));
    SHOW(append(out, "after a hole"));
    show_fstat("a.tr", out);
    SHOW(lseek(out, 0, SEEK_DATA));
    SHOW(lseek(out, 10, SEEK_DATA) >= 10);
    SHOW(lseek(out, 100005, SEEK_HOLE));
    SHOW(lseek(out, 200000, SEEK_DATA));
    SHOW(lseek(out, 200000, SEEK_HOLE));
    SHOW(lseek(out, 0, SEEK_CUR));
    SHOW(lseek(out, 50, SEEK_CUR));
    SHOW(lseek(out, -1, SEEK_SET));
    SHOW(lseek(out, -1000000, SEEK_CUR));
    SHOW(lseek(out, 0, 17));
    SHOW(append(out, "and again"));
    SHOW(lseek(out, -5, SEEK_END));
    SHOW(append(out, "over the end"));
    SHOW(lseek(out, 0x7fffffffffffffff, SEEK_SET));
    SHOW(lseek(out, 1, SEEK_CUR));
    SHOW(append(out, "at the end of all"));
    show_file("a.tr");
    FILE *stream = OPENED(fopen("b.tr", "w"));
    SHOW(fseek(stream, 5000, SEEK_SET));
    SHOW(fputs("after a hole", stream) >= 0);
    SHOW(ftell(stream));
    SHOW(fclose(stream));
    show_file("b.tr");
}
