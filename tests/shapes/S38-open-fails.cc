/* S38: ofstreams that can't be opened: is_open, the state, errno, exceptions. */
//: file a.tr managed
//: calls a.tr <= 32, not fewer
#include <fstream>

#include "show.h"

int main()
{
    std::ofstream("a.tr") << "there\n";
    for (const char *path : {"no/such/a.tr", "a.tr/b.tr", "", "/proc/self/none.tr", "."}) {
        errno = 0;
        std::ofstream out(path, std::ios::app);
        say("%s: open %d good %d %s", path, out.is_open(), out.good(), strerror(errno));
        out << "nowhere" << std::endl;
        out.close();
        say("state %d", (int)out.rdstate());
    }
    std::ofstream out;
    out.exceptions(std::ios::failbit | std::ios::badbit);
    try {
        out.open("no/such/a.tr", std::ios::app);
    } catch (const std::ios_base::failure &e) {
        say("%s", e.what());
    }
    out.exceptions(std::ios::goodbit);
    out.clear();
    out.open("a.tr", std::ios::app);
    out << "then there\n";
    out.open("a.tr", std::ios::app);
    say("opened twice: state %d", (int)out.rdstate());
    out.clear();
    out.close();
    show_file("a.tr");
}
