/* S01: truncate and write a header, then open for append, endl and close for every record, as ns-3's PHY and MAC traces. */
//: file a.tr managed opens=1001 real_opens<=2 closes=1001 real_closes<=2 drains<=4
//: calls a.tr <= 20
#include <fstream>

#include "show.h"

int main()
{
    {
        std::ofstream out("a.tr");
        say("open %d", out.is_open());
        out << "% time\tcellId\tIMSI\tRNTI" << std::endl;
        out.close();
    }
    for (int i = 0; i < 1000; i++) {
        std::ofstream out;
        out.open("a.tr", std::ios_base::app);
        if (!out.is_open())
            say("record %d: can't open", i);
        out << i << "\t" << record(i) << std::flush;
        out.close();
        if (i % 250 == 0)
            say("record %d: good %d fail %d", i, out.good(), out.fail());
    }
    show_file("a.tr");
    show_path("a.tr");
}
