/* O_TRUNC, ftruncate and truncate by another descriptor or another process while bytes are pending in ours. */
//: file a.tr managed|write-through reason=SHARED|UNSEEN|NONE
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    FILE *stream = OPENED(fopen("b.tr", "w"));
    for (int i = 0; i < 4; i++) {
        append(out, record(i));
        fputs(record(i), stream);
        fflush(stream);
        if (i == 0) {
            SHOW(close(OPENED(open("a.tr", O_RDWR | O_TRUNC))));
            SHOW(fclose(OPENED(fopen("b.tr", "w"))));
        } else if (i == 1) {
            int other = open("a.tr", O_RDWR);
            SHOW(ftruncate(other, 10));
            close(other);
            SHOW(truncate("b.tr", 10));
        } else if (i == 2) {
            SHOW(system(": > a.tr; : > b.tr"));
        } else if (fork() == 0) {
            SHOW(truncate("a.tr", 3));
            SHOW(ftruncate(fileno(stream), 3));
            _exit(0);
        } else {
            wait(NULL);
        }
        show_fstat("a.tr", out);
        show_fstat("b.tr", fileno(stream));
        append(out, "after it\n");
        fputs("after it\n", stream);
        fflush(stream);
        show_file("a.tr");
        show_file("b.tr");
    }
}
