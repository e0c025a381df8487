/* eventfd_write(3) and asynchronous lists are writes as any other, also to a trace; none goes to a closed one. */
//: file a.tr
#include <aio.h>
#include <sys/eventfd.h>

#include "show.h"

static void listed(int fd, const char *text)
{
    struct aiocb request = {
        .aio_fildes = fd, .aio_buf = (void *)text, .aio_nbytes = strlen(text), .aio_lio_opcode = LIO_WRITE};
    struct aiocb *one = &request;
    SHOW(lio_listio(LIO_WAIT, &one, 1, NULL));
    SHOW(aio_error(&request));
    SHOW(aio_return(&request));
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int fd = OPENED(open("a.tr", O_RDWR | O_CREAT | (i ? O_APPEND : 0), 0644));
        append(fd, record(i));
        SHOW(eventfd_write(fd, 0x0a31323334353637));
        SHOW(lseek(fd, 0, SEEK_CUR));
        append(fd, record(i));
        SHOW(close(fd));
        fd = OPENED(open("a.tr", O_RDWR | O_APPEND));
        append(fd, record(i));
        SHOW(close(fd));
        listed(fd, "nowhere\n");
        fd = OPENED(open("a.tr", O_RDWR | O_APPEND));
        append(fd, record(i));
        listed(fd, "somewhere\n");
        SHOW(close(fd));
        show_file("a.tr");
    }
}
