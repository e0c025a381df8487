/* S13: the header is written if the file is empty, found by a seek to the end: the position counts pending bytes.
   The kernel is asked for the size once for each seek to the end and each tell after an append: others may append too. */
//: file a.tr managed opens=200 real_opens<=2
//: file b.tr managed opens=200 real_opens<=2
//: calls a.tr b.tr <= 640
#include "show.h"

int main(void)
{
    for (int i = 0; i < 200; i++) {
        FILE *out = fopen("a.tr", "a");
        fseek(out, 0, SEEK_END);
        long at = ftell(out);
        if (at == 0)
            fputs("header\n", out);
        fprintf(out, "%ld %s", at, record(i));
        fclose(out);
    }
    for (int i = 0; i < 200; i++) {
        int out = open("b.tr", O_WRONLY | O_APPEND | O_CREAT, 0644);
        long first = lseek(out, 0, SEEK_CUR), end = lseek(out, 0, SEEK_END);
        if (end == 0)
            append(out, "header\n");
        dprintf(out, "%ld %ld ", first, end);
        dprintf(out, "%ld\n", (long)lseek(out, 0, SEEK_CUR));
        close(out);
    }
    show_file("a.tr");
    show_file("b.tr");
}
