/* nftw and glob have the descriptors that they have natively; and when the shim has given up all of its own, a lock that was released
 * by the last close can be taken again. */
//: file a.tr
#include <ftw.h>
#include <glob.h>
#include <sys/resource.h>

#include "show.h"

static int seen;
static int on_walk(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)path, (void)info, (void)flag, (void)walk;
    seen++;
    return 0;
}

static int lock(int descriptor)
{
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &l);
}

int main(void)
{
    char name[] = "x.tr";
    mkdir("d", 0755);
    mkdir("d/e", 0755);
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(setrlimit(RLIMIT_NOFILE, &(struct rlimit){16, 16}));
    for (int i = 0; i < 8; i++) {
        name[0] = (char)('b' + i);
        int one = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(one, record(i));
        close(one);
    }
    int taken[16], count = 0;
    while (count < 9 && (taken[count] = dup(0)) >= 0)
        count++;
    SHOW(count);
    SHOW(nftw(".", on_walk, 3, FTW_PHYS));
    SHOW(seen);
    glob_t found = {0};
    SHOW(glob("*.tr", 0, NULL, &found));
    SHOW(found.gl_pathc);
    while (dup(0) >= 0)
        ;
    append(out, record(1));
    SHOW(lock(out));
    SHOW(close(out));
    out = OPENED(open("a.tr", O_RDWR | O_APPEND));
    SHOW(lock(out));
    append(out, record(2));
    SHOW(lseek(out, 0, SEEK_CUR));
    for (int i = 0; i < 4; i++)
        close(taken[i]); /* the report needs one */
}
