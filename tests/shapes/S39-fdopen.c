/* S39: fdopen(open(O_APPEND)), fprintf, fclose for every record: few calls, and the errors of fdopen. */
//: file a.tr managed opens=301
//: calls a.tr <= 640
#include "show.h"

int main(void)
{
    for (int i = 0; i < 300; i++) {
        FILE *out = fdopen(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644), "a");
        if (!out || fputs(record(i), out) < 0 || fclose(out) != 0)
            say("record %d: failed", i);
    }
    int out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    SHOW(fdopen(out, "r") == NULL);
    SHOW(fdopen(out, "a+") == NULL);
    SHOW(fdopen(out, "z") == NULL);
    SHOW(fdopen(-1, "a") == NULL);
    FILE *stream = OPENED(fdopen(out, "w"));
    SHOW(fputs("through w on an appending descriptor\n", stream) >= 0);
    SHOW(ftell(stream));
    SHOW(close(out));
    SHOW(fclose(stream));
    show_file("a.tr");
    int plain = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    SHOW(append(plain, "before fdopen\n"));
    stream = OPENED(fdopen(plain, "a"));
    SHOW(fcntl(plain, F_GETFL) & (O_APPEND | O_ACCMODE));
    SHOW(fputs("by fdopen's a\n", stream) >= 0);
    SHOW(fclose(stream));
    SHOW(fcntl(plain, F_GETFL));
    show_file("b.tr");
}
