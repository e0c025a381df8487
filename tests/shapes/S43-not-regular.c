/* S43: devices, a FIFO, a terminal, /proc, a directory, a socket: matched by the patterns and yet never managed. */
//: env TRACESHIM_PATTERNS=/**
//: file a.tr managed
//: calls a.tr <= 23, not fewer
#include <sys/socket.h>
#include <sys/un.h>

#include "show.h"

int main(void)
{
    char buffer[256];
    for (int i = 0; i < 3; i++) {
        int null = OPENED(open("/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0644));
        SHOW(append(null, "into nothing\n"));
        SHOW(lseek(null, 0, SEEK_END));
        SHOW(close(null));
        SHOW(append(null, "closed"));
        FILE *stream = OPENED(fopen("/dev/null", "a"));
        SHOW(fputs("into nothing\n", stream) >= 0);
        SHOW(ftell(stream));
        SHOW(fclose(stream));
        int full = OPENED(open("/dev/full", O_WRONLY));
        SHOW(append(full, "no space\n"));
        SHOW(close(full));
        stream = OPENED(fopen("/dev/full", "w"));
        SHOW(fputs("no space\n", stream) >= 0);
        SHOW(fflush(stream));
        SHOW(fclose(stream));
        int zero = OPENED(open("/dev/zero", O_RDWR));
        SHOW(read(zero, buffer, 16));
        SHOW(write(zero, buffer, 16));
        SHOW(close(zero));
    }
    SHOW(mkfifo("fifo.tr", 0644));
    SHOW(open("fifo.tr", O_WRONLY | O_NONBLOCK));
    int reader = OPENED(open("fifo.tr", O_RDONLY | O_NONBLOCK)), writer = OPENED(open("fifo.tr", O_WRONLY | O_APPEND));
    SHOW(append(writer, "through the pipe\n"));
    SHOW(lseek(writer, 0, SEEK_END));
    SHOW(read(reader, buffer, sizeof buffer));
    show_bytes("read", buffer, 17);
    SHOW(close(writer));
    SHOW(read(reader, buffer, sizeof buffer));

    int master = OPENED(posix_openpt(O_RDWR | O_NOCTTY));
    SHOW(grantpt(master) | unlockpt(master));
    int tty = OPENED(open(ptsname(master), O_WRONLY | O_NOCTTY));
    SHOW(isatty(tty));
    SHOW(append(tty, "to a terminal\n"));
    SHOW(read(master, buffer, sizeof buffer));
    show_bytes("read", buffer, 15);

    SHOW(open("/proc/self/comm", O_WRONLY) >= 0);
    int comm = open("/proc/self/comm", O_WRONLY);
    SHOW(append(comm, "renamed"));
    SHOW(close(comm));
    show_file("/proc/self/comm");
    SHOW(open(".", O_WRONLY));
    SHOW(open(".", O_RDWR | O_CREAT, 0644));
    int dir = OPENED(open(".", O_RDONLY));
    SHOW(append(dir, "x"));
    SHOW(read(dir, buffer, 10));
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket.tr"};
    int sock = OPENED(socket(AF_UNIX, SOCK_STREAM, 0));
    SHOW(bind(sock, (struct sockaddr *)&address, sizeof address));
    SHOW(open("socket.tr", O_WRONLY));
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(append(out, "a regular file\n"));
    show_file("a.tr");
}
