/* S16: an ifstream reads what an ofstream has flushed and not closed, again and again. */
//: file a.tr managed|write-through reason=UNSEEN|NONE
//: calls a.tr <= 460, not fewer
#include <fstream>
#include <string>

#include "show.h"

int main()
{
    std::ofstream out("a.tr");
    std::ifstream kept("a.tr");
    for (int i = 0; i < 50; i++) {
        out << i << " " << record(i) << std::flush;
        std::string line, last;
        std::ifstream in("a.tr");
        int lines = 0;
        while (std::getline(in, line)) {
            last = line;
            lines++;
        }
        std::getline(kept, line);
        say("%d: %d lines, last %s; kept stream: %s", i, lines, last.c_str(), line.c_str());
    }
}
