/* Reason NOT_REGULAR: a FIFO and a device that the patterns match; what is written is there at once. */
//: env TRACESHIM_PATTERNS=/**
//: file fifo.tr unmanaged reason=NOT_REGULAR
//: file null unmanaged reason=NOT_REGULAR
//: file comm unmanaged reason=NOT_REGULAR
#include "show.h"

int main(void)
{
    char line[256];
    SHOW(mkfifo("fifo.tr", 0644));
    int in = OPENED(open("fifo.tr", O_RDONLY | O_NONBLOCK)), out = OPENED(open("fifo.tr", O_WRONLY | O_APPEND)),
        null = OPENED(open("/dev/null", O_WRONLY)), kernels = OPENED(open("/proc/self/comm", O_WRONLY));
    for (int i = 0; i < 10; i++) {
        SHOW(append(out, record(i)));
        show_bytes("read", line, read(in, line, sizeof line));
        SHOW(append(null, record(i)));
    }
    SHOW(append(kernels, "another-name"));
    int comm = OPENED(open("/proc/self/comm", O_RDONLY));
    show_bytes("name", line, read(comm, line, sizeof line));
}
