/* A library's own descriptors were closed by daemons that close all numbers, and sat on low numbers that shells
 * choose: none below 256 that the program doesn't know, and what lies above is still there after close_range,
 * closefrom and a loop over all numbers. The kernel is asked directly. */
//: file a.tr managed drains>=1
#include <dirent.h>
#include <unistd.h>

#include "direct.h"
#include "show.h"

struct entry { /* linux_dirent64 */
    unsigned long long ino;
    long long offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/* How many descriptors the process has below 256, and the sum of the numbers of those above. */
static int open_numbers(long *above)
{
    char memory[8192];
    int below = 0;
    *above = 0;
    long dir = direct(SYS_openat, AT_FDCWD, (long)"/proc/self/fd", O_RDONLY | O_DIRECTORY, 0), n;
    while ((n = direct(SYS_getdents64, dir, (long)memory, sizeof memory, 0)) > 0)
        for (long at = 0; at < n;) {
            struct entry *entry = (struct entry *)(memory + at);
            int fd = atoi(entry->name);
            at += entry->length;
            if (entry->name[0] == '.' || fd == dir)
                continue;
            below += fd < 256;
            *above += fd < 256 ? 0 : fd;
        }
    direct(SYS_close, dir, 0, 0, 0);
    return below;
}

int main(void)
{
    long before, after;
    for (int how = 0; how < 4; how++) {
        int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
        for (int i = 0; i < 10; i++)
            append(out, record(i));
        SHOW(open_numbers(&before));
        switch (how) {
        case 0: SHOW(close_range(out + 1, ~0U, 0)); break;
        case 1: closefrom(out + 1); break;
        case 2:
            for (int fd = out + 1; fd < 30000; fd++)
                close(fd);
            break;
        default: SHOW(syscall(SYS_close_range, out + 1, ~0U, 0)); break;
        }
        SHOW(open_numbers(&after));
        SHOW(before == after);
        append(out, "still there\n");
        SHOW(fsync(out));
        SHOW(close(out));
    }
    show_file("a.tr");
}
