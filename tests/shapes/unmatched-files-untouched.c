/* Files that match no pattern, mixed with one that does: everything as natively, and not in the report. */
//: file a.tr managed
//: file plain.txt absent
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    char buffer[100];
    for (int i = 0; i < 50; i++) {
        FILE *plain = fopen("plain.txt", i ? "a+" : "w+"), *trace = fopen("a.tr", "a");
        fputs(record(i), plain);
        fputs(record(i), trace);
        rewind(plain);
        if (i % 10 == 0)
            say("%s", fgets(buffer, sizeof buffer, plain) ? buffer : "nothing");
        fclose(plain);
        fclose(trace);
        int fd = open("other.txt", O_RDWR | O_CREAT, 0600);
        lseek(fd, 0, SEEK_END);
        append(fd, record(i));
        SHOW(pwrite(fd, "P", 1, i));
        if (i % 10 == 0) {
            SHOW(dup2(fd, 100));
            SHOW(ftruncate(100, 40));
            close(100);
        }
        close(fd);
    }
    show_file("plain.txt");
    show_file("other.txt");
    show_file("a.tr");
}
