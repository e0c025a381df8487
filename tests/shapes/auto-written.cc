/* @auto: a descriptor becomes managed after 64 small writes with nothing between them, with its offset, its flags and its FD_CLOEXEC as
 * they were; a C++ stream's file at its next open; what is looked at or sought in between never does. */
//: env TRACESHIM_PATTERNS=@auto
//: file kept.log managed opens=1 writes>=930
//: file placed.log managed opens=1 writes>=430
//: file stream.log managed opens=1 real_opens=1 writes>=100
//: calls kept.log placed.log <= 240
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "show.h"

static void records(int fd, int from, int to)
{
    for (int i = from; i < to; i++) {
        std::string text = "record " + std::to_string(i) + "\n";
        if (write(fd, text.data(), text.size()) != ssize_t(text.size()))
            say("record %d", i);
    }
}

static void shown(int fd)
{
    struct stat st;
    say("offset %ld size %ld flags %o cloexec %d", long(lseek(fd, 0, SEEK_CUR)),
        fstat(fd, &st) == 0 ? long(st.st_size) : -1, fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
}

int main()
{
    int kept = open("kept.log", O_WRONLY | O_CREAT | O_APPEND, 0644);
    records(kept, 0, 1000);
    shown(kept);
    close(kept);
    show_file("kept.log");

    int placed = open("placed.log", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (ftruncate(placed, 100) != 0 || lseek(placed, 50, SEEK_SET) != 50)
        say("placed");
    records(placed, 0, 250);
    shown(placed);
    lseek(placed, 10, SEEK_SET);
    records(placed, 250, 500);
    shown(placed);
    char text[64];
    say("read %zd", pread(placed, text, sizeof text, 0));
    show_bytes("read", text, sizeof text);
    close(placed);
    show_file("placed.log");

    for (int i = 0; i < 2; i++) {
        std::ofstream out("stream.log");
        for (int record = 0; record < 100 + i; record++)
            out << "record " << record << std::endl;
    }
    show_file("stream.log");

    int sought = open("sought.log", O_WRONLY | O_CREAT, 0644);
    for (int i = 0; i < 200; i++) {
        records(sought, i, i + 1);
        lseek(sought, 0, SEEK_END);
    }
    shown(sought);
    close(sought);
}
