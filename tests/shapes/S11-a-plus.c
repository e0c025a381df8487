/* S11: fopen("a+") and open(O_RDWR|O_APPEND) for every record, reads between the writes. */
//: file a.tr managed opens>=300
//: file b.tr managed opens>=200
//: calls a.tr b.tr <= 360
#include "show.h"

int main(void)
{
    char buffer[256];
    for (int i = 0; i < 300; i++) {
        FILE *out = fopen("a.tr", "a+");
        if (!out) {
            say("record %d: can't open", i);
            continue;
        }
        if (i % 60 == 30) {
            SHOW(ftell(out));
            say("first line: %s", fgets(buffer, sizeof buffer, out) ? buffer : "none");
            SHOW(ftell(out));
            SHOW(fseek(out, -10, SEEK_END));
            SHOW(fread(buffer, 1, 10, out));
            show_bytes("tail", buffer, 10);
            SHOW(fgetc(out));
            SHOW(feof(out));
            SHOW(fseek(out, 0, SEEK_CUR));
        }
        fputs(record(i), out);
        if (i % 60 == 30) {
            SHOW(ftell(out));
            rewind(out);
            say("first line: %s", fgets(buffer, sizeof buffer, out) ? buffer : "none");
        }
        if (fclose(out) != 0)
            say("record %d: can't close", i);
    }
    for (int i = 0; i < 200; i++) {
        int out = open("b.tr", O_RDWR | O_CREAT | O_APPEND, 0600);
        append(out, record(i));
        if (i % 50 == 25) {
            SHOW(lseek(out, 0, SEEK_CUR));
            SHOW(lseek(out, 5, SEEK_SET));
            SHOW(read(out, buffer, 20));
            show_bytes("bytes from 5", buffer, 20);
            SHOW(lseek(out, 0, SEEK_CUR));
            SHOW(append(out, "appended though the offset is at 25\n"));
            SHOW(lseek(out, 0, SEEK_CUR));
            SHOW(pread(out, buffer, 30, lseek(out, 0, SEEK_END) - 30));
            show_bytes("last 30", buffer, 30);
        }
        SHOW(close(out));
    }
    show_file("a.tr");
    show_file("b.tr");
    show_path("b.tr");
}
