/* S05: several lines per open (an epoch), one close, as ns-3's RLC and PDCP traces. */
//: file a.tr managed opens=101 real_opens<=2 writes>=1000
//: calls a.tr <= 20
#include <fstream>
#include <iomanip>

#include "show.h"

int main()
{
    std::ofstream out;
    out.open("a.tr");
    out << "% start\tend\tCellId" << std::endl;
    out.close();
    for (int epoch = 0; epoch < 100; epoch++) {
        out.open("a.tr", std::ios_base::app);
        if (!out.is_open())
            say("epoch %d: can't open", epoch);
        for (int line = 0; line < 10; line++)
            out << std::fixed << std::setprecision(3) << epoch * 0.001 << "\t" << line << "\t" << epoch * line * 1.5
                << std::endl;
        out.close();
    }
    show_file("a.tr");
}
