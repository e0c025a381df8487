/* S12: fstream with in|out|ate for every record. */
//: file a.tr managed opens>=300
//: calls a.tr <= 70
#include <fstream>

#include "show.h"

int main()
{
    say("open of no file: %d", std::fstream("a.tr", std::ios::in | std::ios::out | std::ios::ate).is_open());
    std::ofstream("a.tr") << "header\n";
    for (int i = 0; i < 300; i++) {
        std::fstream out("a.tr", std::ios::in | std::ios::out | std::ios::ate);
        if (i % 100 == 0)
            say("record %d at %lld", i, (long long)out.tellp());
        out << record(i);
        if (i % 100 == 0) {
            out.seekp(0);
            out << "HEAD";
            say("then at %lld", (long long)out.tellp());
        }
    }
    show_file("a.tr");
}
