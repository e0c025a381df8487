/* Where cached descriptors fill all numbers, calls that take one for a moment inside libc find it, as they do natively. */
//: file b.tr
#include <sys/resource.h>

#include "show.h"

int main(void)
{
    char name[] = "x.tr";
    int taken = open("/dev/null", O_RDONLY);
    SHOW(setrlimit(RLIMIT_NOFILE, &(struct rlimit){16, 16}));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++) {
            name[0] = (char)('b' + i);
            int out = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
            append(out, record(i));
            close(out);
        }
        int all[9], count = 0; /* with 0 to 2 and taken: 13, and three or more that are cached */
        while (count < 9 && (all[count] = dup(taken)) >= 0)
            count++;
        for (int i = 0; i < 3; i++) {
            name[0] = (char)('b' + i);
            int out = open(name, O_WRONLY | O_APPEND);
            append(out, record(i));
            close(out);
        }
        SHOW(count);
        SHOW(round ? fchmodat(AT_FDCWD, "b.tr", 0600, AT_SYMLINK_NOFOLLOW) : lchmod("b.tr", 0640));
        while (count > 0)
            close(all[--count]);
    }
    show_file("b.tr");
}
