/* S13: the header is written if tellp() at the end is 0. The kernel is asked for the size twice a record. */
//: file a.tr managed opens=300 real_opens<=2
//: calls a.tr <= 640
#include <fstream>

#include "show.h"

int main()
{
    for (int i = 0; i < 300; i++) {
        std::ofstream out("a.tr", std::ios::app);
        long long first = out.tellp();
        out.seekp(0, std::ios::end);
        if (out.tellp() == std::ofstream::pos_type(0))
            out << "header" << std::endl;
        out << first << " " << out.tellp() << " " << record(i);
    }
    show_file("a.tr");
}
