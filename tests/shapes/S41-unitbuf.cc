/* S41: unitbuf, and a filebuf without a buffer: one write for each fragment. */
//: file a.tr managed writes>=1000
//: file b.tr managed
//: calls a.tr b.tr <= 24
#include <fstream>

#include "show.h"

int main()
{
    std::ofstream out("a.tr"), bare;
    bare.rdbuf()->pubsetbuf(nullptr, 0);
    bare.open("b.tr");
    out << std::unitbuf;
    for (int i = 0; i < 200; i++) {
        out << i << "\t" << i * 0.5 << "\t" << 'c' << "\n";
        bare << i << " " << record(i);
    }
    say("at %lld and %lld", (long long)out.tellp(), (long long)bare.tellp());
    show_path("a.tr");
}
