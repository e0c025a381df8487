/* S25: two ofstreams on one file, the second truncates it under the first, which goes on at its own offset (a hole). */
//: file a.tr managed
//: calls a.tr <= 58, not fewer
#include <fstream>

#include "show.h"

int main()
{
    std::ofstream first("a.tr");
    first << "written by the first and flushed\n" << std::flush;
    {
        std::ofstream second("a.tr");
        second << "second\n" << std::flush;
        show_file("a.tr");
        first << "first again, at its own offset\n" << std::flush;
        show_file("a.tr");
    }
    std::ofstream appending("a.tr", std::ios::app);
    appending << "appended\n" << std::flush;
    std::ofstream third("a.tr", std::ios::trunc);
    show_path("a.tr");
    appending << "appended after the truncation\n" << std::flush;
    third << "third" << std::flush;
    first << "first for the last time\n" << std::flush;
    show_file("a.tr");
}
