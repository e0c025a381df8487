/* S26: an ofstream that seeks back to patch its header after each block. */
//: file a.tr
//: calls a.tr <= 230
#include <fstream>

#include "show.h"

int main()
{
    std::fstream file("a.tr", std::ios::in | std::ios::out | std::ios::trunc);
    file << "blocks 0000\n";
    for (int i = 1; i <= 50; i++) {
        file.seekp(0, std::ios::end);
        for (int k = 0; k < 5; k++)
            file << record(i * 5 + k);
        auto end = file.tellp();
        file.seekp(7);
        file.width(4);
        file.fill('0');
        file << i << std::flush;
        if (i % 10 == 0) {
            say("block %d ends at %lld, now at %lld", i, (long long)end, (long long)file.tellp());
            show_file("a.tr");
        }
    }
}
