/* S14: the header is written if std::filesystem or an ifstream doesn't find the file. */
//: file a.tr managed|write-through reason=UNSEEN|NONE opens>=100
//: calls a.tr <= 650, not fewer
#include <filesystem>
#include <fstream>

#include "show.h"

int main()
{
    for (int i = 0; i < 100; i++) {
        bool found = i % 2 ? std::filesystem::exists("a.tr") : std::ifstream("a.tr").good();
        auto size = found ? (long long)std::filesystem::file_size("a.tr") : -1;
        std::ofstream out("a.tr", std::ios::app);
        if (!found)
            out << "header\n";
        out << i << " " << found << " " << size << std::endl;
    }
    show_file("a.tr");
}
