/* Reason FLAGS: O_TMPFILE makes a file without a name, which may get one later; O_PATH opens no file at all. */
//: env TRACESHIM_PATTERNS=/**
//: on tmpfs
//: file directory unmanaged reason=FLAGS
//: file named unmanaged reason=FLAGS
#include "show.h"

int main(void)
{
    char name[64];
    SHOW(mkdir("directory", 0755));
    int out = OPENED(open("directory", O_TMPFILE | O_RDWR, 0644));
    for (int i = 0; i < 10; i++)
        append(out, record(i));
    snprintf(name, sizeof name, "/proc/self/fd/%d", out);
    SHOW(linkat(AT_FDCWD, name, AT_FDCWD, "named", AT_SYMLINK_FOLLOW));
    append(out, "with a name\n");
    int path = OPENED(open("named", O_PATH | O_WRONLY));
    SHOW(append(path, "nothing"));
    show_fstat("named", path);
    show_file("named");
}
