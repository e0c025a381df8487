/* S08: open(O_APPEND), write, dprintf, close for every record. */
//: file a.tr managed opens=1000 real_opens<=2 writes>=2000 drains<=4
//: calls a.tr <= 20
#include "show.h"

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0640);
        const char *text = record(i);
        if (out < 0 || write(out, text, strlen(text)) != (ssize_t)strlen(text) || dprintf(out, "%05d\n", i) != 6 ||
            close(out) != 0)
            say("record %d: failed", i);
    }
    show_file("a.tr");
    show_path("a.tr");
}
