/* setvbuf of every kind and size, setbuf, setlinebuf: what is in the file after each put is what is there natively. */
//: file a.tr managed
#include <stdio_ext.h>

#include "show.h"

static char own[100];

int main(void)
{
    for (int kind = 0; kind < 8; kind++) {
        FILE *out = OPENED(fopen("a.tr", kind % 2 ? "a" : "w"));
        say("kind %d, buffer %zu", kind, __fbufsize(out));
        switch (kind) {
        case 0: SHOW(setvbuf(out, NULL, _IOFBF, 64)); break;
        case 1: SHOW(setvbuf(out, own, _IOFBF, sizeof own)); break;
        case 2: SHOW(setvbuf(out, NULL, _IOLBF, 0)); break;
        case 3: setbuf(out, NULL); break;
        case 4: setlinebuf(out); break;
        case 5: SHOW(setvbuf(out, own, _IOLBF, 10)); break;
        case 6: SHOW(setvbuf(out, NULL, 99, 0)); break;
        default: break;
        }
        for (int i = 0; i < 150; i++) {
            fputs("some text without a newline, ", out);
            if (i % 10 == 0) {
                show_path("a.tr");
                putc('\n', out);
                show_path("a.tr");
            }
        }
        say("buffer %zu, pending %zu, line %d, writing %d, writable %d, readable %d", __fbufsize(out), __fpending(out),
            __flbf(out) != 0, __fwriting(out) != 0, __fwritable(out) != 0, __freadable(out) != 0);
        if (kind % 3 == 0) {
            __fpurge(out);
            say("purged, pending %zu", __fpending(out));
        }
        SHOW(fclose(out));
        show_file("a.tr");
    }
}
