/* What tests call and older releases of glibc lack; as raw system calls, which the shim sees too. */
#ifndef TRACESHIM_TESTS_OLDER_H
#define TRACESHIM_TESTS_OLDER_H

#include <errno.h>
#include <features.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !__GLIBC_PREREQ(2, 34)
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif
static inline int close_range(unsigned first, unsigned last, int flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}
static inline void closefrom(int first)
{
    syscall(SYS_close_range, first, ~0U, 0);
}
#endif

#if !__GLIBC_PREREQ(2, 32)
#define strerrorname_np(error) name_of(error)
__attribute__((unused)) static const char *name_of(int error)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {{EIO, "EIO"},     {EBADF, "EBADF"}, {ENOSPC, "ENOSPC"},     {EDQUOT, "EDQUOT"},
                 {EFBIG, "EFBIG"}, {EROFS, "EROFS"}, {ENOTCONN, "ENOTCONN"}, {ENOENT, "ENOENT"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].error == error)
            return names[i].name;
    return "another error";
}
#endif

#endif
