/* write: bytes go to a descriptor. */
#define NAMES_write
#include "export.h"

#include "fd.h"

ssize_t write(int fd, const void *buf, size_t count)
{
    struct handle *h = tf_get_to_write(fd, count);
    if (unlikely(h != NULL))
        return tf_write(fd, h, buf, count);
    tf_tell_through(fd);
    return real_write(fd, buf, count);
}

ssize_t shim_write(int fd, const void *buf, size_t count)
{
    return write(fd, buf, count);
}

ssize_t writev(int fd, const struct iovec *iov, int count)
{
    struct handle *h = tf_get_to_write(fd, 1); /* of what size isn't known: iov is libc's to judge */
    if (unlikely(h != NULL))
        return tf_writev(fd, h, iov, count);
    tf_tell_through(fd);
    return real_writev(fd, iov, count);
}

ssize_t pwrite(int fd, const void *buf, size_t count, off_t offset)
{
    return ready(fd, CAUSE_offset) ? real_pwrite(fd, buf, count, offset) : -1;
}

ssize_t pwritev(int fd, const struct iovec *iov, int count, off_t offset)
{
    return ready(fd, CAUSE_offset) ? real_pwritev(fd, iov, count, offset) : -1;
}

ssize_t pwritev2(int fd, const struct iovec *iov, int count, off_t offset, int flags)
{
    tf_tell_through(fd);
    return ready(fd, CAUSE_offset) ? real_pwritev2(fd, iov, count, offset, flags) : -1;
}

/* libc's dprintf writes inside libc: the text is made here and written by us. */
extern int __vsnprintf_chk(char *to, size_t most, int flag, size_t size, const char *format, va_list list);

static int print(char *to, size_t size, int flag, const char *format, va_list list)
{
    return flag < 0 ? vsnprintf(to, size, format, list) : __vsnprintf_chk(to, size, flag, size, format, list);
}

static int write_whole(int fd, struct handle *h, const char *text, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t m = tf_write(fd, h, text + done, n - done);
        if (m < 0)
            return -1;
        done += (size_t)m;
    }
    return (int)n;
}

/* flag: of the fortified form, -1 for the plain one. */
static int print_to(int fd, struct handle *h, int flag, const char *format, va_list list)
{
    char memory[2048];
    va_list again;
    va_copy(again, list);
    int n = print(memory, sizeof memory, flag, format, list);
    int done = n;
    if (n >= 0 && (size_t)n < sizeof memory) {
        done = write_whole(fd, h, memory, (size_t)n);
    } else if (n >= 0) {
        size_t size = (size_t)n + 1;
        char *large = sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (sys_bad(large)) {
            errno = ENOMEM;
            done = -1;
        } else {
            n = print(large, size, flag, format, again);
            done = n < 0 ? n : write_whole(fd, h, large, (size_t)n);
            sys_munmap(large, size);
        }
    }
    va_end(again);
    return done;
}

int vdprintf(int fd, const char *format, va_list list)
{
    struct handle *h = tf_get_to_write(fd, 1);
    tf_tell_through(fd);
    return likely(!h) ? real_vdprintf(fd, format, list) : print_to(fd, h, -1, format, list);
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list list)
{
    struct handle *h = tf_get_to_write(fd, 1);
    tf_tell_through(fd);
    return likely(!h) ? real___vdprintf_chk(fd, flag, format, list) : print_to(fd, h, flag, format, list);
}

int dprintf(int fd, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vdprintf(fd, format, list);
    va_end(list);
    return n;
}

int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __vdprintf_chk(fd, flag, format, list);
    va_end(list);
    return n;
}
