/* A library that writes a trace in its constructor (before the shim's) and in its destructor (after the shim's). */
#include <fstream>

#include "show.h"

static std::ofstream early("early.tr");

__attribute__((constructor(101))) static void start()
{
    int out = open("start.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    append(out, "by a constructor\n");
    close(out);
    FILE *stream = fopen("start.tr", "a");
    fputs("by a constructor's stream\n", stream);
    fclose(stream);
}

struct Last {
    FILE *stream = nullptr;
    int descriptor = -1;
    ~Last()
    {
        early << "by a library's static destructor" << std::endl;
        if (stream)
            fputs("to a stream, by a library's static destructor\n", stream);
        if (descriptor >= 0)
            append(descriptor, "to a descriptor, by a library's static destructor\n");
        std::ofstream("late.tr", std::ios::app) << "opened by a library's static destructor\n";
        std::ofstream("late.tr", std::ios::app) << "and again\n";
        show_file("late.tr");
        show_file("early.tr");
    }
};
static Last last;

extern "C" void hand_over(FILE *stream, int descriptor)
{
    last.stream = stream;
    last.descriptor = descriptor;
    early << "handed over" << std::endl;
}

__attribute__((destructor(101))) static void end()
{
    int out = open("end.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
    append(out, "by the last destructor\n");
    close(out);
}
