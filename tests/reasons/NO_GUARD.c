/* Reason NO_GUARD: the suite's library has no guard beside it, so nothing is left in a buffer that nobody watches;
 * opens and closes are still saved. */
//: file a.tr write-through reason=NO_GUARD opens=100 real_opens<=2
//: file b.tr write-through reason=NO_GUARD
#include "show.h"

int main(void)
{
    int kept = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    for (int i = 0; i < 100; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        SHOW(close(out));
        append(kept, record(i));
    }
    show_file("a.tr");
    show_file("b.tr");
}
