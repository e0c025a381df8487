/* stat, lstat, fstat, fstatat, statx, access, by path and descriptor, with bytes pending: size, mode, links, blocks, times. */
//: file a.tr managed
#include <sys/sysmacros.h>
#include <time.h>

#include "show.h"

static void times(const char *label, const struct stat *info, const struct stat *before)
{
    say("%s: mtime moved %d, not ahead %d, blocks enough %d", label,
        info->st_mtime > before->st_mtime ||
            (info->st_mtime == before->st_mtime && info->st_mtim.tv_nsec >= before->st_mtim.tv_nsec),
        info->st_mtime <= time(NULL), info->st_blocks * 512 + 4096 >= info->st_size);
}

int main(void)
{
    struct stat info, before;
    struct statx more;
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0640));
    SHOW(symlink("a.tr", "soft.tr"));
    if (fstat(out, &before))
        return 2;
    for (int i = 0; i < 10; i++) {
        append(out, record(i));
        show_stat("fstat", fstat(out, &info), &info);
        times("fstat", &info, &before);
        append(out, "more\n");
        show_stat("stat", stat("a.tr", &info), &info);
        append(out, "more\n");
        show_stat("lstat", lstat("./a.tr", &info), &info);
        show_stat("lstat of the link", lstat("soft.tr", &info), &info);
        append(out, "more\n");
        show_stat("fstatat", fstatat(AT_FDCWD, "soft.tr", &info, 0), &info);
        append(out, "more\n");
        show_stat("fstatat empty", fstatat(out, "", &info, AT_EMPTY_PATH), &info);
        append(out, "more\n");
        SHOW(statx(AT_FDCWD, "a.tr", 0, STATX_BASIC_STATS, &more));
        say("statx: %llu %o %u", (unsigned long long)more.stx_size, more.stx_mode, more.stx_nlink);
        append(out, "more\n");
        SHOW(statx(out, "", AT_EMPTY_PATH, STATX_SIZE, &more));
        say("statx: %llu", (unsigned long long)more.stx_size);
        before = info;
    }
    SHOW(fchmod(out, 0604));
    show_fstat("fchmod", out);
    struct timespec old[2] = {{1000000000, 5}, {1000000000, 7}};
    append(out, "before futimens\n");
    SHOW(futimens(out, old));
    SHOW(fstat(out, &info));
    say("mtime %lld", (long long)info.st_mtime);
    SHOW(append(out, "after it\n"));
    SHOW(fstat(out, &info));
    say("mtime set by the write %d", info.st_mtime > 1000000000);
    append(out, "before utimensat\n");
    SHOW(utimensat(AT_FDCWD, "a.tr", old, 0));
    SHOW(close(out));
    SHOW(stat("a.tr", &info));
    say("mtime %lld", (long long)info.st_mtime);
    SHOW(access("a.tr", R_OK | W_OK) | faccessat(AT_FDCWD, "soft.tr", F_OK, 0));
}
