/* S38: chmod 0444 or a directory without search permission refuses the next open, though a descriptor is cached. */
//: file a.tr managed
//: run as nobody
#include "show.h"

static void one(const char *path, const char *text)
{
    int out = OPENED(open(path, O_WRONLY | O_CREAT | O_APPEND, 0644));
    if (out >= 0) {
        append(out, text);
        close(out);
    }
    FILE *stream = OPENED(fopen(path, "a"));
    if (stream) {
        fputs(text, stream);
        fclose(stream);
    }
}

int main(void)
{
    one("a.tr", "allowed\n");
    one("a.tr", "allowed again\n");
    int kept = open("a.tr", O_WRONLY | O_APPEND);
    SHOW(chmod("a.tr", 0444));
    one("a.tr", "refused\n");
    SHOW(append(kept, "by a descriptor opened when it was allowed\n"));
    show_fstat("a.tr", kept);
    SHOW(fchmod(kept, 0200));
    one("a.tr", "write only\n");
    SHOW(open("a.tr", O_RDONLY));
    SHOW(open("a.tr", O_RDWR));
    SHOW(fchmodat(AT_FDCWD, "a.tr", 0644, 0));
    SHOW(mkdir("dir", 0755));
    one("dir/b.tr", "allowed\n");
    SHOW(chmod("dir", 0600));
    one("dir/b.tr", "no search permission\n");
    SHOW(chmod("dir", 0755));
    one("dir/b.tr", "allowed again\n");
    show_file("a.tr");
    show_file("dir/b.tr");
}
