/* S03: append, no endl and no close: one write when the stream is destroyed, though an exception is on its way. */
//: file a.tr managed opens=501 real_opens<=2
//: calls a.tr <= 20
#include <fstream>
#include <stdexcept>

#include "show.h"

static void one(int i)
{
    std::ofstream out("a.tr", std::ios::out | std::ios::app);
    out << record(i);
    if (i % 100 == 50)
        throw std::runtime_error("leaving early");
}

int main()
{
    for (int i = 0; i <= 500; i++)
        try {
            one(i);
        } catch (const std::exception &e) {
            say("%d: %s", i, e.what());
        }
    show_file("a.tr");
}
