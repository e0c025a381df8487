/* Reason SYNCHRONOUS: O_SYNC, O_DSYNC. */
//: file s.tr write-through reason=SYNCHRONOUS
//: file d.tr write-through reason=SYNCHRONOUS
#include "show.h"

int main(void)
{
    for (int i = 0; i < 10; i++) {
        int s = open("s.tr", O_WRONLY | O_CREAT | O_APPEND | O_SYNC, 0644),
            d = open("d.tr", O_WRONLY | O_CREAT | O_APPEND | O_DSYNC, 0644);
        append(s, record(i));
        append(d, record(i));
        SHOW(fcntl(s, F_GETFL) & (O_SYNC | O_DSYNC));
        SHOW(close(s) | close(d));
    }
    show_file("s.tr");
}
