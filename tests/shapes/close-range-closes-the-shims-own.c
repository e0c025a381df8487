/* close_range and closefrom, as daemons call them: the program's descriptors are closed, the shim's own are not. */
//: file a.tr managed
#include <dlfcn.h>

#include "show.h"

int main(void)
{
    int (*range)(unsigned, unsigned, int) = (int (*)(unsigned, unsigned, int))dlsym(RTLD_DEFAULT, "close_range");
    void (*from)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "closefrom");
    for (int i = 0; i < 8; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644),
            other = open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        append(other, record(i));
        if (i % 4 == 0 && range) {
            SHOW(range(3, ~0U, 0));
        } else if (i % 4 == 1 && from) {
            from(3);
        } else if (i % 4 == 2 && range) {
            SHOW(range((unsigned)out, (unsigned)out, 0));
            SHOW(append(other, "not in the range\n"));
            close(other);
        } else {
            for (int fd = 3; fd < 1024; fd++)
                close(fd);
        }
        SHOW(append(out, "closed"));
        SHOW(append(other, "closed"));
        show_file("a.tr");
    }
    if (range) {
        int out = open("a.tr", O_WRONLY | O_APPEND);
        SHOW(range(3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */));
        SHOW(append(out, "marked close-on-exec and still open\n"));
        SHOW(fcntl(out, F_GETFD));
        SHOW(range(5, 3, 0));
        SHOW(range(3, ~0U, 1 << 20));
    }
    show_file("a.tr");
    show_file("b.tr");
}
