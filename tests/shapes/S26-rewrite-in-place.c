/* S26: a status file rewritten in place: "w", then fseek to 0, write and fflush, again and again; pwrite of a header. */
//: file a.tr
//: file b.tr
//: calls a.tr b.tr <= 710, not fewer
#include "show.h"

int main(void)
{
    FILE *status = OPENED(fopen("a.tr", "w"));
    int trace = OPENED(open("b.tr", O_RDWR | O_CREAT | O_TRUNC, 0644));
    append(trace, "COUNT 00000\n");
    for (int i = 0; i < 100; i++) {
        char count[16];
        fseek(status, 0, SEEK_SET);
        fprintf(status, "progress %d of 100, %s", i, record(i));
        fflush(status);
        append(trace, record(i));
        snprintf(count, sizeof count, "%05d", i);
        if (pwrite(trace, count, 5, 6) != 5)
            say("%d: pwrite failed", i);
        if (i % 25 == 0) {
            show_file("a.tr");
            show_file("b.tr");
            SHOW(ftell(status));
            SHOW(lseek(trace, 0, SEEK_CUR));
        }
    }
    rewind(status);
    SHOW(fputs("done", status) >= 0);
    SHOW(fclose(status));
    show_file("a.tr");
}
