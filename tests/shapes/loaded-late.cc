/* A library loaded by dlopen whose constructor, functions and destructor write traces. */
//: library other/early-and-late.cc
//: file a.tr managed
//: flags -ldl
#include <dlfcn.h>

#include <fstream>
#include <string>

#include "show.h"

extern "C" void hand_over(FILE *stream, int descriptor);

int main(int, char **arguments)
{
    /* The library is linked so that the harness builds it; a copy under another name is loaded anew. */
    std::string from = std::string(arguments[0]) + ".early-and-late.cc.so";
    std::ofstream("copy.so", std::ios::binary) << std::ifstream(from, std::ios::binary).rdbuf();
    std::ofstream("a.tr") << "before\n";
    void *library = dlopen("./copy.so", RTLD_NOW | RTLD_LOCAL);
    say("loaded %d", library != nullptr);
    show_file("start.tr");
    if (library)
        say("unloaded %d", dlclose(library));
    std::ofstream("a.tr", std::ios::app) << "after\n";
    show_file("end.tr");
    hand_over(nullptr, -1);
    unlink("copy.so");
}
