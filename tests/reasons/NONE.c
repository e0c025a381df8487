/* Reason NONE: managed, buffered, and nothing in the way. */
//: file a.tr managed reason=NONE opens=101 real_opens<=2 written_through=0
#include "show.h"

int main(void)
{
    for (int i = 0; i < 100; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        SHOW(close(out));
    }
    int out = OPENED(open("a.tr", O_WRONLY | O_APPEND));
    append(out, "end\n");
}
