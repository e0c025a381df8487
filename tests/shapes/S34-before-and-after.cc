/* S34: another library's constructor writes before the shim's ran, its destructors after the shim's; and dlopen'ed ones. */
//: library other/early-and-late.cc
//: file a.tr managed
//: calls a.tr <= 15, not fewer
#include <fstream>

#include "show.h"

extern "C" void hand_over(FILE *stream, int descriptor);

static std::ofstream own("own.tr");

int main()
{
    FILE *stream = OPENED(fopen("a.tr", "a"));
    int descriptor = OPENED(open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 50; i++) {
        fputs(record(i), stream);
        append(descriptor, record(i));
        own << record(i);
    }
    show_file("early.tr");
    show_file("start.tr");
    hand_over(stream, descriptor);
}
