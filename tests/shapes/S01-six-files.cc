/* S01 on six files in turn, as the LTE traces of a simulation: each its own header, records interleaved.
   For each file: two opens with two looks at it, the header, a drain of four calls, and whether it is new. */
//: file DlMacStats.tr managed opens=201 real_opens<=2
//: file UlSinrStats.tr managed opens=201 real_opens<=2
//: calls DlMacStats.tr UlMacStats.tr DlRsrpSinrStats.tr UlSinrStats.tr DlTxPhyStats.tr UlRxPhyStats.tr <= 78
#include <fstream>
#include <string>

#include "show.h"

int main()
{
    const char *names[] = {"DlMacStats.tr",  "UlMacStats.tr",   "DlRsrpSinrStats.tr",
                           "UlSinrStats.tr", "DlTxPhyStats.tr", "UlRxPhyStats.tr"};
    for (int i = 0; i <= 200; i++)
        for (std::string name : names) {
            std::ofstream out(name, i ? std::ios::app : std::ios::out);
            if (!out)
                say("%s record %d: can't open", name.c_str(), i);
            out << name << "\t" << record(i);
            out << std::endl;
            out.close();
        }
}
