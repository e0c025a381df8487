/* Reason LARGE: a write larger than the buffer goes to the file, behind what was pending. */
//: env TRACESHIM_BUFFER=16K
//: file a.tr write-through reason=LARGE written_through=5
//: file b.tr managed reason=NONE written_through=1
#include "show.h"

int main(void)
{
    static char large[20000];
    memset(large, 'x', sizeof large);
    int a = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644)),
        b = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    for (int i = 0; i < 5; i++) {
        append(a, record(i));
        SHOW(write(a, large, sizeof large));
    }
    append(b, record(0));
    SHOW(write(b, large, sizeof large));
    append(b, record(1)); /* and what fits is buffered again */
    show_file("a.tr");
    show_file("b.tr");
}
