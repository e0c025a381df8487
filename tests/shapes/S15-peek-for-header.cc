/* S15: the header is written if peek() on an in|app stream meets the end of the file. */
//: file a.tr managed opens=200
//: calls a.tr <= 1780, not fewer
#include <fstream>

#include "show.h"

int main()
{
    for (int i = 0; i < 200; i++) {
        std::fstream file("a.tr", std::ios::in | std::ios::out | std::ios::app);
        file.seekg(0);
        bool empty = file.peek() == std::fstream::traits_type::eof();
        file.clear();
        if (empty)
            file << "header" << std::endl;
        file << i << " " << empty << std::endl;
    }
    show_file("a.tr");
}
