/* unlink while open, then more writes, fstat's links, a new file of the name, the last close. */
//: file a.tr managed
#include "show.h"

int main(void)
{
    char buffer[64];
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(link("a.tr", "second"));
    append(out, record(1));
    show_fstat("two names", out);
    SHOW(unlink("a.tr"));
    show_fstat("one name", out);
    show_file("second");
    append(out, record(2));
    SHOW(unlink("second"));
    show_fstat("no name", out);
    append(out, "written without a name\n");
    show_fstat("no name", out);
    int fresh = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0600));
    append(fresh, "the new one\n");
    append(out, "the old one\n");
    show_fstat("new", fresh);
    show_fstat("old", out);
    SHOW(pread(out, buffer, 11, lseek(out, 0, SEEK_END) - 12));
    show_bytes("old", buffer, 11);
    SHOW(close(out));
    SHOW(close(fresh));
    fresh = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0600));
    append(fresh, "reopened\n");
    show_file("a.tr");
    SHOW(unlink("none.tr"));
    SHOW(rmdir("a.tr"));
    SHOW(remove("a.tr"));
    show_fstat("removed", fresh);
}
