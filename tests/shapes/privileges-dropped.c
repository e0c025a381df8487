/* setuid from root, then a reopen of a trace that only root may write is refused, though a descriptor is cached. */
//: file a.tr managed
#include <sys/fsuid.h>

#include "show.h"

static void one(const char *path, const char *text)
{
    int out = OPENED(open(path, O_WRONLY | O_CREAT | O_APPEND, 0644));
    if (out >= 0) {
        append(out, text);
        close(out);
    }
    show_path(path);
}

int main(void)
{
    one("a.tr", "by root\n");
    one("a.tr", "by root again\n");
    int kept = open("a.tr", O_WRONLY | O_APPEND);
    if (chmod(".", 0777))
        return 2;
    SHOW(seteuid(65534));
    one("a.tr", "refused\n");
    one("b.tr", "created by nobody\n");
    SHOW(seteuid(0) | setegid(0));
    one("a.tr", "by root once more\n");
    setfsuid(65534);
    one("a.tr", "refused for the file system's uid\n");
    setfsuid(0);
    SHOW(setgid(65534) | setuid(65534));
    one("a.tr", "refused for good\n");
    one("b.tr", "allowed\n");
    SHOW(append(kept, "by a descriptor from better days\n"));
    SHOW(close(kept));
    SHOW(chmod("a.tr", 0666));
    show_file("a.tr");
}
