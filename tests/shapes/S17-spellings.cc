/* S17: ofstreams on one file by several names, and the working directory changed while one is open. */
//: file a.tr managed
//: calls a.tr <= 800, not fewer
#include <filesystem>
#include <fstream>

#include "show.h"

namespace fs = std::filesystem;

int main()
{
    fs::path here = fs::current_path();
    fs::create_directory("dir");
    std::ofstream kept("a.tr", std::ios::app);
    fs::create_symlink(here / "a.tr", "dir/soft.tr");
    fs::create_hard_link("a.tr", "hard.other");
    for (int i = 0; i < 60; i++) {
        std::ofstream(i % 3 ? "dir/soft.tr" : "a.tr", std::ios::app) << "by name " << record(i);
        std::ofstream("hard.other", std::ios::app) << "by the hard link " << i << "\n";
        fs::current_path(here / "dir");
        kept << "kept " << i << std::endl;
        std::ofstream("a.tr", std::ios::app) << "another file, in dir, " << i << "\n";
        fs::current_path(here);
        if (i % 20 == 0)
            show_file("dir/soft.tr");
    }
    show_file("a.tr");
    show_file("dir/a.tr");
}
