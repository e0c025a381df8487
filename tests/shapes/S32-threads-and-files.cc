/* S32: each thread its own ofstream reopened per record, while another thread opens and closes other files. */
//: file t0.tr managed opens=400
//: file t3.tr managed opens=400
//: calls a.tr t0.tr t3.tr <= 52
//: flags -pthread
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "show.h"

int main()
{
    std::vector<std::thread> threads;
    for (int who = 0; who < 4; who++)
        threads.emplace_back([who] {
            for (int i = 0; i < 400; i++)
                std::ofstream("t" + std::to_string(who) + ".tr", std::ios::app)
                    << who << " " << record(i) << std::flush;
        });
    threads.emplace_back([] {
        for (int i = 0; i < 400; i++) {
            std::ofstream("other.txt", std::ios::app) << i << "\n";
            std::string line;
            std::ifstream in("/proc/self/stat");
            std::getline(in, line);
        }
    });
    for (auto &thread : threads)
        thread.join();
    for (const char *path : {"t0.tr", "t1.tr", "t2.tr", "t3.tr", "other.txt"})
        show_file(path);
}
