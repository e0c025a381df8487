/* position: where a descriptor stands. */
#define NAMES_position
#include "export.h"

#include "fd.h"

off_t lseek(int fd, off_t offset, int whence)
{
    struct handle *h = tf_get(fd);
    return likely(!h) ? real_lseek(fd, offset, whence) : tf_lseek(fd, h, offset, whence);
}
