/* Reason ENDED: a library that is older than the shim writes to a trace from its destructor, which runs after the
 * shim's, and then becomes another program, so that there is a report behind it. */
//: library other/destructor.c
//: file a.tr write-through reason=ENDED
#include "show.h"

extern int late_descriptor;

int main(void)
{
    late_descriptor = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 10; i++)
        append(late_descriptor, record(i));
}
