// writer++ PAGE BIG: as writer, one file, std::ofstream opened per record.
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

#include "record.h"

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int fd = open(argv[1], O_RDWR);
    void *p = mmap(nullptr, sizeof(page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return 2;
    close(fd);
    page *shared = static_cast<page *>(p);
    char memory[RECORD_MOST];
    shared->begun = 1;
    for (uint64_t i = 0;; i++) {
        size_t n = record(memory, 0, i, std::atoi(argv[2]));
        std::ofstream out("out0.tr", std::ios::app);
        out.write(memory, static_cast<std::streamsize>(n));
        out.close();
        if (!out) {
            shared->failed = 1;
            pause();
        }
        shared->acknowledged[0] = i + 1;
    }
}
