/* close: a descriptor or a stream ends. */
#define NAMES_close
#include "export.h"

#include "cookie.h"
#include "fd.h"

int shim_close(int fd)
{
    struct handle *h = tf_get(fd);
    if (h)
        return tf_close(fd, h);
    tf_new_number(fd); /* the table's entry goes before the real close */
    return real_close(fd);
}

int close(int fd)
{
    return shim_close(fd);
}

int fclose(FILE *stream)
{
    if (!stream || cookie_ours(stream))
        return real_fclose(stream); /* it calls our close function */
    int fd = stream->_fileno;
    if (fd >= 0)
        tf_replace(fd);
    return real_fclose(stream);
}

int fcloseall(void)
{
    int done = real_fcloseall(); /* it flushes, and closes no descriptor */
    tf_barrier_all(CAUSE_exit);
    return done;
}

#if __GLIBC_PREREQ(2, 34)
#define ONLY_CLOEXEC 4 /* CLOSE_RANGE_CLOEXEC */

int close_range(unsigned int first, unsigned int last, int flags)
{
    if (first <= last && !(flags & ONLY_CLOEXEC))
        tf_close_range(first, last);
    if (first <= last && (flags & ONLY_CLOEXEC))
        for (unsigned fd = first; fd <= last && fd < TF_DESCRIPTORS; fd++) {
            struct handle *h = tf_get((int)fd);
            if (h)
                tf_set_cloexec((int)fd, h);
        }
    return real_close_range(first, last, flags);
}

void closefrom(int first)
{
    tf_close_range(first < 0 ? 0 : (unsigned)first, TF_DESCRIPTORS);
    real_closefrom(first);
}
#endif
