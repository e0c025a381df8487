/* Who makes a file may write to it whatever its mode says, but not open it again. */
//: run as nobody
//: file a.tr
#include "show.h"

int main(void)
{
    for (int i = 0; i < 3; i++) {
        static const int modes[] = {0, 0444, 0222};
        int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, modes[i]));
        append(out, record(i));
        SHOW(close(out));
        OPENED(open("a.tr", O_RDWR | O_APPEND));
        OPENED(open("a.tr", O_WRONLY | O_APPEND));
        OPENED(fopen("a.tr", "a+"));
        SHOW(unlink("a.tr"));
    }
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(5));
    SHOW(chmod("a.tr", 0));
    OPENED(open("a.tr", O_WRONLY | O_APPEND));
    SHOW(close(out));
    SHOW(chmod("a.tr", 0200));
    OPENED(open("a.tr", O_WRONLY | O_APPEND));
    OPENED(open("a.tr", O_RDWR | O_APPEND));
    SHOW(unlink("a.tr"));

    /* What was opened while it could be is not kept for later. */
    FILE *kept = OPENED(fopen("a.tr", "a"));
    SHOW(chmod("a.tr", 0444));
    OPENED(fopen("a.tr", "r+"));
    SHOW(chmod("a.tr", 0644));
    FILE *stream = OPENED(fopen("a.tr", "r+"));
    SHOW(chmod("a.tr", 0444));
    fputs(record(6), stream);
    SHOW(fclose(stream));
    OPENED(fopen("a.tr", "r+"));
    OPENED(fopen("a.tr", "w+"));
    SHOW(fclose(kept));
    show_file("a.tr");
}
