/* chdir, fchdir between opens of one relative name; openat by a dirfd whose number is reused; umask; a removed directory. */
//: file a.tr managed
#include "show.h"

static void one(int at, const char *path, const char *text)
{
    int out = openat(at, path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (out < 0)
        say("%s: %s", path, strerror(errno));
    append(out, text);
    close(out);
}

int main(void)
{
    SHOW(mkdir("x", 0755) | mkdir("y", 0755) | mkdir("x/z", 0755));
    one(AT_FDCWD, "a.tr", "at the top\n");
    SHOW(chdir("x"));
    one(AT_FDCWD, "a.tr", "in x\n");
    SHOW(chdir("z"));
    one(AT_FDCWD, "a.tr", "in x/z\n");
    one(AT_FDCWD, "../a.tr", "in x from x/z\n");
    int x = OPENED(open("..", O_RDONLY | O_DIRECTORY));
    SHOW(fchdir(x));
    one(AT_FDCWD, "a.tr", "in x again\n");
    one(x, "a.tr", "in x by dirfd\n");
    SHOW(chdir(".."));
    one(AT_FDCWD, "a.tr", "at the top again\n");
    SHOW(close(x));
    int y = open("y", O_RDONLY | O_DIRECTORY);
    SHOW(x == y);
    one(y, "a.tr", "in y by the dirfd that was x\n");
    one(y, "../a.tr", "at the top by a dirfd\n");
    SHOW(rename("x", "w"));
    SHOW(rename("y", "x"));
    one(AT_FDCWD, "x/a.tr", "in y, now x\n");
    one(y, "a.tr", "in y by its dirfd\n");
    show_file("x/a.tr");
    show_file("w/a.tr");
    show_file("w/z/a.tr");
    show_file("a.tr");
    for (mode_t mask = 0; mask <= 0777; mask += 077) {
        char name[32];
        umask(mask);
        snprintf(name, sizeof name, "mask%o.tr", mask);
        one(AT_FDCWD, name, "x\n");
        FILE *stream = fopen(name, "a");
        if (stream)
            fclose(stream);
        strcat(name, ".tr");
        stream = fopen(name, "w");
        show_path(name);
        if (stream)
            fclose(stream);
    }
    umask(022);
    SHOW(mkdir("gone", 0755) | chdir("gone"));
    SHOW(rmdir("../gone"));
    one(AT_FDCWD, "a.tr", "nowhere\n");
    one(AT_FDCWD, "../a.tr", "where .. leads\n");
}
