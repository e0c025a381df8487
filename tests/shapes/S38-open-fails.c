/* S38: opens that fail, fail at the open and with the native errno; files that don't exist don't come into being. */
//: file a.tr managed
//: run as nobody
#include "show.h"

int main(void)
{
    char longest[300], deep[5000];
    int ok = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(ok, "one record\n");
    memset(longest, 'n', sizeof longest);
    strcpy(longest + 270, ".tr");
    memset(deep, '/', sizeof deep);
    strcpy(deep + 4990, "a.tr");

    SHOW(open("no/such/a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(open("none.tr", O_WRONLY | O_APPEND));
    SHOW(open("a.tr/b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(open("a.tr", O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644));
    SHOW(open("a.tr", O_RDONLY | O_DIRECTORY));
    SHOW(open("", O_WRONLY | O_CREAT, 0644));
    SHOW(open(longest, O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(open(deep, O_WRONLY | O_APPEND));
    SHOW(open("/proc/none.tr", O_WRONLY | O_CREAT, 0644));
    SHOW(openat(-1, "a.tr", O_WRONLY | O_APPEND));
    SHOW(openat(ok, "a.tr", O_WRONLY | O_APPEND));
    SHOW(mkdir("dir.tr", 0755));
    SHOW(open("dir.tr", O_WRONLY | O_APPEND));
    SHOW(open("dir.tr", O_WRONLY | O_CREAT, 0644));
    SHOW(symlink("loop.tr", "loop.tr"));
    SHOW(open("loop.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(symlink("no/where.tr", "dangling.tr"));
    SHOW(open("dangling.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(fopen("no/such/a.tr", "a") == NULL);
    SHOW(fopen("none.tr", "r") == NULL);
    SHOW(fopen("none.tr", "r+") == NULL);
    SHOW(fopen("a.tr", "q") == NULL);
    SHOW(fopen("a.tr", "") == NULL);
    SHOW(fopen("a.tr", "wx") == NULL);
    SHOW(fopen("dir.tr", "a") == NULL);
    SHOW(creat("no/such.tr", 0644));

    SHOW(mkdir("closed", 0555));
    SHOW(open("closed/a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(fopen("closed/a.tr", "a") == NULL);
    SHOW(access("none.tr", F_OK));
    show_file("a.tr");
}
