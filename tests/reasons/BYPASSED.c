/* Reason BYPASSED: an asynchronous write is made by a thread of libc's, which calls the kernel itself. */
//: file a.tr write-through reason=BYPASSED
#include <aio.h>

#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 10; i++) {
        static char text[] = "asynchronous\n";
        struct aiocb request = {.aio_fildes = out, .aio_buf = text, .aio_nbytes = sizeof text - 1};
        const struct aiocb *list[] = {&request};
        append(out, record(i));
        SHOW(aio_write(&request));
        SHOW(aio_suspend(list, 1, NULL));
        SHOW(aio_return(&request));
        append(out, "behind it\n");
    }
    show_file("a.tr");
}
