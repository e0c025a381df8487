// C++: std::endl per record.
//: file a.tr managed opens=1 writes=1000
//: calls a.tr <= 20
#include <fstream>

int main()
{
    std::ofstream out("a.tr", std::ios_base::app);
    for (int i = 0; i < 1000; i++)
        out << i << "\t" << i / 7.0 << "\trecord" << std::endl;
    return !out;
}
