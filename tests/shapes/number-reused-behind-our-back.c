/* A system call instruction of the program's own closes a trace's number, which then leads to another file: no trace bytes there. */
//: file a.tr
#include <sys/syscall.h>

#include "show.h"

static long direct(long number, long a, long b, long c)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                     x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#else
#error "which instruction makes a system call here?"
#endif
}

int main(void)
{
    int plain = OPENED(open("plain", O_RDWR | O_CREAT, 0644));
    append(plain, "plain\n");
    for (int i = 0; i < 5; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (i % 2) {
            append(out, record(i));
            SHOW(fsync(out));
        }
        if (i < 3)
            SHOW(close(out));
        direct(SYS_dup3, plain, out, 0);
        int again = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
        append(again, "to the trace\n");
        SHOW(close(again));
        SHOW(fdatasync(plain));
        show_file("plain");
        show_file("a.tr");
        direct(SYS_close, out, 0, 0);
    }
    show_file("plain");
}
