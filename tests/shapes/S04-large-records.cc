/* S04: records around and above the filebuf's 8191 bytes (write, writev, several), and one above any buffer.
   Of the calls, 25 are one for each tellp after an append. */
//: file a.tr managed
//: calls a.tr <= 60
#include <fstream>
#include <string>

#include "show.h"

int main()
{
    std::ofstream("a.tr") << "head\n";
    for (int round = 0; round < 3; round++)
        for (int length : {1, 100, 8190, 8191, 8192, 8193, 16384, 20000}) {
            std::ofstream out("a.tr", std::ios::app);
            out << "len " << length << " ";
            out << std::string(length, 'a' + round) << "\n";
            out << "tail" << std::endl;
            say("%d: tell %lld good %d", length, (long long)out.tellp(), out.good());
        }
    show_file("a.tr");
    {
        std::ofstream out("a.tr", std::ios::app);
        out << std::string(700 * 1024, 'x') << std::endl;
        out << "after the largest" << std::endl;
        say("tell %lld", (long long)out.tellp());
    }
    show_file("a.tr");
    show_path("a.tr");
}
