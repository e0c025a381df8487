// C++: an ofstream per record, as ns-3 has it.
//: file a.tr managed opens=1000 real_opens=1
//: calls a.tr <= 20
#include <fstream>

int main()
{
    for (int i = 0; i < 1000; i++) {
        std::ofstream out("a.tr", std::ios_base::app);
        out << i << "\t" << i / 7.0 << "\trecord" << std::endl;
        out.close();
        if (!out)
            return 1;
    }
}
