/* S02: kept open, endl per record; one closed at exit (a static object), one never. */
//: file closed.tr managed opens=1 real_opens=1 drains<=4
//: file never.tr managed opens=1 real_opens=1 drains<=4
//: calls closed.tr never.tr <= 24
#include <fstream>

#include "show.h"

static std::ofstream closed("closed.tr");

int main()
{
    auto *never = new std::ofstream("never.tr");
    for (int i = 0; i < 1000; i++) {
        closed << i << "\t" << 0.25 * i << std::endl;
        *never << record(i) << std::flush;
    }
    say("positions %lld %lld", (long long)closed.tellp(), (long long)never->tellp());
    show_path("closed.tr");
    show_path("never.tr");
}
