/* rename over an open trace, of an open trace, onto itself, of its directory; RENAME_EXCHANGE and RENAME_NOREPLACE; links. */
//: file a.tr managed
#include "show.h"

static void one(const char *path, const char *text)
{
    int out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    append(out, text);
    close(out);
}

int main(void)
{
    int a = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(a, "to a\n");
    one("b.tr", "to b\n");
    SHOW(rename("b.tr", "a.tr"));
    append(a, "to the replaced a\n");
    show_fstat("replaced", a);
    one("a.tr", "to b under a's name\n");
    show_file("a.tr");
    one("b.tr", "a new b\n");
    SHOW(renameat2(AT_FDCWD, "a.tr", AT_FDCWD, "b.tr", RENAME_NOREPLACE));
    int exchanged = SHOW(renameat2(AT_FDCWD, "a.tr", AT_FDCWD, "b.tr", RENAME_EXCHANGE));
    one("a.tr", "to a's name after the exchange\n");
    one("b.tr", "to b's name after the exchange\n");
    say("exchange %d", exchanged);
    show_file("a.tr");
    show_file("b.tr");
    SHOW(rename("a.tr", "a.tr"));
    one("a.tr", "after a rename onto itself\n");
    SHOW(mkdir("dir", 0755));
    one("dir/c.tr", "in dir\n");
    SHOW(rename("dir", "moved"));
    SHOW(mkdir("dir", 0755));
    one("dir/c.tr", "in the new dir\n");
    one("moved/c.tr", "in the moved dir\n");
    show_file("dir/c.tr");
    show_file("moved/c.tr");
    SHOW(rename("moved", "dir"));
    SHOW(rename("a.tr", "none/a.tr"));
    SHOW(rename("a.tr", "c.other"));
    one("a.tr", "a new a\n");
    one("c.other", "to the old one under a name that matches nothing\n");
    show_file("c.other");
    show_file("a.tr");
    SHOW(link("a.tr", "b.tr"));
    SHOW(link("a.tr", "d.tr"));
    SHOW(symlink("d.tr", "e.tr"));
    one("e.tr", "through the symlink\n");
    SHOW(unlink("e.tr"));
    SHOW(symlink("c.other", "e.tr"));
    one("e.tr", "through the symlink, which leads elsewhere\n");
    show_file("a.tr");
    show_file("c.other");
    SHOW(rename("c.other", "d.tr"));
    one("d.tr", "the last\n");
    show_file("d.tr");
}
