/* Another library's wrappers: one plain function, and one chosen by a resolver. */
#include <sys/stat.h>
#include <errno.h>

int mkfifo(const char *path, mode_t mode)
{
    (void)path, (void)mode;
    errno = EDOM;
    return -1;
}

static int plain_mkfifoat(int dir, const char *path, mode_t mode)
{
    (void)dir;
    return mkfifo(path, mode);
}

static int (*choose_mkfifoat(void))(int, const char *, mode_t)
{
    return plain_mkfifoat;
}

int mkfifoat(int dir, const char *path, mode_t mode) __attribute__((ifunc("choose_mkfifoat")));
