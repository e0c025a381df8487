/* Every sibling of open, write, stat and seek in one program: the 64 names, fortify's, the double-underscore ones. */
//: file a.tr managed
//: once
#include <dlfcn.h>
#include <sys/uio.h>

#include "show.h"

/* Called by name, as binaries built with other settings do; those that this libc lacks are said to be missing in both runs. */
#define CALL(type, name, arguments)                                     \
    do {                                                                \
        void *libc_ = dlopen("libc.so.6", RTLD_NOW);                    \
        type (*f_)() = (type(*)())dlsym(RTLD_DEFAULT, #name);           \
        if (f_ && dlsym(libc_, #name))                                  \
            say("%s", #name), errno = 0, (void)SHOW(f_ arguments >= 0); \
        else                                                            \
            say("%s is missing", #name);                                \
    } while (0)

int main(void)
{
    struct stat info;
    struct iovec part = {(char *)"part\n", 5};
    char buffer[64];
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, "header\n");
    CALL(int, open64, ("a.tr", O_WRONLY | O_APPEND, 0));
    CALL(int, __open, ("a.tr", O_WRONLY | O_APPEND, 0));
    CALL(int, __open64, ("a.tr", O_WRONLY | O_APPEND, 0));
    CALL(int, __open_2, ("a.tr", O_WRONLY | O_APPEND));
    CALL(int, __open64_2, ("a.tr", O_WRONLY | O_APPEND));
    CALL(int, openat64, (AT_FDCWD, "a.tr", O_WRONLY | O_APPEND, 0));
    CALL(int, __openat_2, (AT_FDCWD, "a.tr", O_WRONLY | O_APPEND));
    CALL(int, __openat64_2, (AT_FDCWD, "a.tr", O_WRONLY | O_APPEND));
    append(out, "pending\n");
    CALL(ssize_t, __write, (out, "__write\n", (size_t)8));
    CALL(ssize_t, pwrite64, (out, "pwrite64\n", (size_t)9, (off_t)0));
    CALL(ssize_t, __pwrite64, (out, "__pwrite64\n", (size_t)11, (off_t)0));
    CALL(ssize_t, pwritev64, (out, &part, 1, (off_t)0));
    CALL(ssize_t, pwritev64v2, (out, &part, 1, (off_t)-1, 0));
    CALL(int, __dprintf_chk, (out, 1, "%s", "__dprintf_chk\n"));
    CALL(off_t, lseek64, (out, (off_t)0, SEEK_END));
    CALL(off_t, __lseek, (out, (off_t)0, SEEK_END));
    append(out, "pending\n");
    CALL(ssize_t, __read, (out, buffer, (size_t)5));
    CALL(ssize_t, __read_chk, (out, buffer, (size_t)5, sizeof buffer));
    CALL(ssize_t, pread64, (out, buffer, (size_t)5, (off_t)3));
    CALL(ssize_t, __pread64, (out, buffer, (size_t)5, (off_t)3));
    CALL(ssize_t, __pread_chk, (out, buffer, (size_t)5, (off_t)3, sizeof buffer));
    CALL(ssize_t, __pread64_chk, (out, buffer, (size_t)5, (off_t)3, sizeof buffer));
    CALL(ssize_t, preadv64, (out, &part, 0, (off_t)3));
    append(out, "pending\n");
    CALL(int, __xstat, (1, "a.tr", &info));
    show_stat("__xstat", 0, &info);
    CALL(int, __fxstat, (1, out, &info));
    append(out, "pending\n");
    CALL(int, __fxstat64, (1, out, &info));
    show_stat("__fxstat64", 0, &info);
    CALL(int, __lxstat, (1, "a.tr", &info));
    CALL(int, __lxstat64, (1, "a.tr", &info));
    append(out, "pending\n");
    CALL(int, __xstat64, (1, "a.tr", &info));
    show_stat("__xstat64", 0, &info);
    append(out, "pending\n");
    CALL(int, __fxstatat, (1, AT_FDCWD, "a.tr", &info, 0));
    CALL(int, __fxstatat64, (1, AT_FDCWD, "a.tr", &info, 0));
    CALL(int, stat64, ("a.tr", &info));
    CALL(int, fstat64, (out, &info));
    show_stat("fstat64", 0, &info);
    CALL(int, ftruncate64, (out, (off_t)60));
    CALL(int, truncate64, ("a.tr", (off_t)50));
    CALL(int, __fcntl, (out, F_GETFL));
    CALL(int, fcntl64, (out, F_GETFL));
    CALL(int, creat64, ("b.tr", 0644));
    append(out, "pending\n");
    show_file("a.tr");
    CALL(int, __dup2, (out, 90));
    append(90, "by __dup2's\n");
    CALL(int, __close, (90));
    SHOW(append(90, "closed"));
    CALL(int, __close, (out));
    SHOW(append(out, "closed"));
}
