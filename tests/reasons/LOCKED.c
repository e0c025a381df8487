/* Reason LOCKED, with nothing else that could be the reason: lockf, fcntl and flock around appends. */
//: file a.tr write-through reason=LOCKED
//: file b.tr write-through reason=LOCKED
#include <sys/file.h>

#include "show.h"

int main(void)
{
    for (int i = 0; i < 5; i++) {
        int a = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
        int b = OPENED(open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
        append(a, "before\n");
        SHOW(lockf(a, F_LOCK, 0));
        SHOW(flock(b, LOCK_EX));
        append(a, record(i));
        append(b, record(i));
        SHOW(lockf(a, F_ULOCK, 0));
        SHOW(close(a) | close(b));
    }
    show_file("a.tr");
    show_file("b.tr");
}
