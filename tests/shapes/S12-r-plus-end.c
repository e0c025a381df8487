/* S12: fopen("r+") and seek to the end for every record; the same by open(O_RDWR) and lseek. */
//: file a.tr managed opens>=300
//: file b.tr managed opens>=300
//: calls a.tr b.tr <= 600
#include "show.h"

int main(void)
{
    SHOW(OPENED(fopen("a.tr", "r+")) == NULL);
    SHOW(fclose(OPENED(fopen("a.tr", "w"))));
    for (int i = 0; i < 300; i++) {
        FILE *out = fopen("a.tr", "r+");
        if (!out || fseek(out, 0, SEEK_END) != 0)
            say("record %d: failed", i);
        else if (i % 100 == 50)
            SHOW(ftell(out));
        fputs(record(i), out);
        if (i % 100 == 50) {
            SHOW(ftell(out));
            SHOW(fseek(out, 3, SEEK_SET));
            SHOW(fputs("PATCHED", out) >= 0);
        }
        fclose(out);
    }
    for (int i = 0; i < 300; i++) {
        int out = open("b.tr", O_RDWR | O_CREAT, 0644);
        long end = lseek(out, 0, SEEK_END), n = append(out, record(i));
        if (i % 100 == 50)
            say("record %d: end %ld, wrote %ld, now at %ld", i, end, n, (long)lseek(out, 0, SEEK_CUR));
        close(out);
    }
    show_file("a.tr");
    show_file("b.tr");
}
