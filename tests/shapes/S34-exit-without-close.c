/* S34: exit without close: streams, descriptors, unflushed bytes; atexit handlers that write and open more. */
//: file a.tr managed opens>=2
//: file b.tr managed
//: calls a.tr b.tr <= 40
#include "show.h"

static FILE *stream;
static int descriptor;

static void late(void)
{
    fputs("from an atexit handler\n", stream);
    append(descriptor, "from an atexit handler\n");
    FILE *again = fopen("a.tr", "a");
    fputs("opened in an atexit handler, never closed\n", again);
    again = fopen("c.tr", "w");
    fputs("the first open of c.tr is in an atexit handler\n", again);
    show_path("b.tr");
}

static void __attribute__((destructor)) later(void)
{
    fputs("from a destructor of the program\n", stream);
    append(descriptor, "from a destructor of the program\n");
    show_path("b.tr");
}

int main(void)
{
    atexit(late);
    stream = OPENED(fopen("a.tr", "w"));
    descriptor = OPENED(open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 100; i++) {
        fputs(record(i), stream);
        append(descriptor, record(i));
    }
    return 5;
}
