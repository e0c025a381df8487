/* The end of a file is where it was when a buffer is taken over from a file that is gone. */
//: file a.tr
#include "show.h"

int main(void)
{
    int made = OPENED(open("plain", O_WRONLY | O_CREAT, 0644));
    append(made, record(0));
    SHOW(close(made));
    SHOW(rename("plain", "a.tr"));
    for (int i = 0; i < 10; i++) {
        int gone = open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(gone, record(i));
        SHOW(unlink("b.tr"));
        SHOW(close(gone));
        int out = OPENED(open("a.tr", O_RDWR | O_APPEND));
        SHOW(lseek(out, 0, SEEK_END));
        SHOW(write(out, "", 0));
        SHOW(lseek(out, 0, SEEK_END));
        append(out, record(i));
        SHOW(unlink("a.tr"));
        SHOW(close(out));
        made = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(made, record(i));
        SHOW(rename("a.tr", "plain")); /* drains and closes what is cached */
        SHOW(rename("plain", "a.tr"));
        SHOW(close(made));
    }
    show_file("a.tr");
}
