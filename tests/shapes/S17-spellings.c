/* S17: one file under many spellings: relative, absolute, "./", "..", a symlink, a hard link, after chdir, by dirfd. */
//: file a.tr managed
//: calls a.tr <= 350
#include <limits.h>

#include "show.h"

static void one(const char *path, int i)
{
    int out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (out < 0)
        say("%d: can't open", i);
    dprintf(out, "%d ", i);
    append(out, record(i));
    close(out);
}

int main(void)
{
    char here[PATH_MAX], absolute[PATH_MAX + 10];
    struct stat info;
    if (!getcwd(here, sizeof here) || mkdir("dir", 0755))
        return 2;
    snprintf(absolute, sizeof absolute, "%s/a.tr", here);
    one("a.tr", 0);
    SHOW(symlink("a.tr", "soft.tr"));
    SHOW(symlink("../a.tr", "dir/soft.other"));
    SHOW(link("a.tr", "hard.tr"));
    SHOW(link("a.tr", "dir/hard.other"));
    int dir = OPENED(open("dir", O_RDONLY | O_DIRECTORY));
    for (int i = 1; i < 100; i += 10) {
        one("a.tr", i);
        one(absolute, i + 1);
        one("./a.tr", i + 2);
        one("dir/../a.tr", i + 3);
        one("soft.tr", i + 4);
        one("hard.tr", i + 5);
        one("dir/soft.other", i + 6);
        one("dir/hard.other", i + 7);
        if (chdir("dir"))
            return 2;
        one("../a.tr", i + 8);
        if (fchdir(dir) || chdir(".."))
            return 2;
        int out = openat(dir, "../a.tr", O_WRONLY | O_APPEND);
        dprintf(out, "by openat %d\n", i);
        close(out);
        if (fstatat(dir, "hard.other", &info, 0) == 0)
            say("hard.other has %lld bytes", (long long)info.st_size);
    }
    show_file("dir/hard.other");
    show_file("soft.tr");
    show_path(absolute);
    SHOW(unlink("a.tr"));
    one("hard.tr", 1000);
    one("a.tr", 2000);
    show_file("hard.tr");
    show_file("a.tr");
    SHOW(open("soft.tr", O_WRONLY | O_APPEND | O_NOFOLLOW));
    show_path("soft.tr");
}
