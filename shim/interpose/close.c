/* close: a descriptor or a stream ends. */
#define NAMES_close
#include "export.h"

#include "cookie.h"
#include "fd.h"

int shim_close(int fd)
{
    struct handle *h = tf_get(fd);
    tf_tell_close(fd, h);
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
    if (!stream)
        return real_fclose(stream);
    if (cookie_ours(stream))
        return cookie_end(stream);
    int fd = stream->_fileno;
    if (fd >= 0) {
        tf_tell_close(fd, tf_get(fd));
        tf_replace(fd);
        tf_stream(fd, false);
    }
    struct cookie *c = cookie_was(stream);
    int done = real_fclose(stream);
    cookie_over(c);
    return done;
}

int fcloseall(void)
{
    tf_tell();
    int done = real_fcloseall(); /* it flushes, and closes no descriptor */
    tf_barrier_all(CAUSE_exit);
    return done;
}

#define ONLY_CLOEXEC 4 /* CLOSE_RANGE_CLOEXEC */

static int real_range(unsigned first, unsigned last, int flags)
{
    long done = sys_close_range(first, last, flags);
    if (done < 0)
        errno = (int)-done;
    return done < 0 ? -1 : 0;
}

/* Around the shim's own descriptors. */
static int split(unsigned first, unsigned last, int flags)
{
    int own[2], n = tf_own_descriptors(own);
    for (int i = 0; i < n && !apart(); i++) {
        if ((unsigned)own[i] < first || (unsigned)own[i] > last)
            continue;
        if ((unsigned)own[i] > first && real_range(first, (unsigned)own[i] - 1, flags) < 0)
            return -1;
        first = (unsigned)own[i] + 1;
        if (first > last)
            return 0;
    }
    return real_range(first, last, flags);
}

int shim_close_range(unsigned first, unsigned last, int flags)
{
    if (first <= last && !(flags & ONLY_CLOEXEC)) {
        if (last > 2)
            tf_tell();
        tf_close_range(first, last);
    }
    if (first <= last && (flags & ONLY_CLOEXEC))
        for (unsigned fd = first; fd <= last && fd < TF_DESCRIPTORS; fd++) {
            struct handle *h = tf_get((int)fd);
            if (h)
                tf_set_cloexec((int)fd, h, FD_CLOEXEC);
        }
    return split(first, last, flags);
}

#if __GLIBC_PREREQ(2, 34)
int close_range(unsigned int first, unsigned int last, int flags)
{
    return shim_close_range(first, last, flags);
}

void closefrom(int first)
{
    unsigned from = first < 0 ? 0 : (unsigned)first;
    tf_tell();
    tf_close_range(from, TF_DESCRIPTORS);
    if (tf_own_descriptors((int[2]){0}) == 0)
        real_closefrom(first);
    else
        split(from, ~0u, 0);
}
#endif
