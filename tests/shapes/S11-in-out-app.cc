/* S11: fstream with in|out|app for every record; sometimes reads what is there before it writes. */
//: file a.tr managed opens>=300
//: calls a.tr <= 190
#include <fstream>
#include <string>

#include "show.h"

int main()
{
    for (int i = 0; i < 300; i++) {
        std::fstream file("a.tr", std::ios::in | std::ios::out | std::ios::app);
        if (!file)
            say("record %d: can't open", i);
        if (i % 50 == 49) {
            std::string line;
            int lines = 0;
            file.seekg(0);
            while (std::getline(file, line))
                lines++;
            say("record %d: %d lines, last %s", i, lines, line.c_str());
            file.clear();
            file.seekp(0, std::ios::end);
            say("end %lld", (long long)file.tellp());
        }
        file << record(i) << std::flush;
        if (i % 50 == 49) {
            std::string line;
            file.seekg(0);
            std::getline(file, line);
            say("first %s, at %lld", line.c_str(), (long long)file.tellg());
        }
    }
    show_file("a.tr");
}
