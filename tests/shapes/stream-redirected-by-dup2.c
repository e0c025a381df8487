/* A trace comes to be under a stream of libc's by dup2 onto its number, once or after another file: what the stream writes and where
 * it stands is right. */
//: file a.tr
#include "show.h"

int main(void)
{
    FILE *stream = OPENED(fopen("plain", "w"));
    fputs("to the plain file\n", stream);
    fflush(stream);
    int pipe_ends[2], out = OPENED(open("a.tr", O_RDWR | O_CREAT, 0644));
    append(out, record(0));
    if (pipe(pipe_ends) != 0)
        return 1;
    SHOW(dup2(pipe_ends[1], fileno(stream)) == fileno(stream));
    SHOW(dup2(out, fileno(stream)) == fileno(stream));
    append(out, record(1));
    SHOW(ftell(stream));
    fputs("by the stream\n", stream);
    fflush(stream);
    append(out, record(2));
    SHOW(lseek(out, 0, SEEK_CUR));
    fputs("left for fclose\n", stream);
    SHOW(fclose(stream));
    append(out, record(3));
    show_file("a.tr");
    show_file("plain");
}
