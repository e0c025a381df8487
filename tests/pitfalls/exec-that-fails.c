/* An exec failed and the shim's state was gone already: the program goes on, with all descriptors, offsets, flags
 * and bytes; its traces are buffered again. */
//: file a.tr managed opens>=60 drains<=60
//: file b.tr managed
#include "show.h"

extern char **environ;

int main(void)
{
    char *none[] = {NULL};
    SHOW(mkdir("directory", 0755));
    int plain = OPENED(open("plain", O_WRONLY | O_CREAT, 0644)),
        b = OPENED(open("b.tr", O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    FILE *stream = OPENED(fopen("s.tr", "a"));
    for (int i = 0; i < 10; i++) {
        fputs("not flushed\n", stream);
        append(b, record(i));
        switch (i) {
        case 0: SHOW(execv("/no/such/file", none)); break;
        case 1: SHOW(execve("directory", none, environ)); break;
        case 2: SHOW(execvp("no-such-command", none)); break;
        case 3: SHOW(execl("plain", "plain", (char *)NULL)); break;
        case 4: SHOW(execlp("no-such-command", "x", (char *)NULL)); break;
        case 5: SHOW(execle("plain", "x", (char *)NULL, environ)); break;
        case 6: SHOW(fexecve(plain, none, environ)); break;
        case 7: SHOW(execvpe("no-such-command", none, environ)); break;
        case 8: SHOW(execve("", none, environ)); break;
        default: SHOW(execv("plain/x", none)); break;
        }
        SHOW(fcntl(b, F_GETFD));
        SHOW(lseek(b, 0, SEEK_CUR));
        SHOW(append(b, "after it\n"));
        for (int k = 0; k < 10; k++) {
            int a = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
            append(a, record(k));
            close(a);
        }
        show_path("a.tr");
        SHOW(ftell(stream));
    }
    SHOW(fclose(stream));
    show_file("a.tr");
    show_file("b.tr");
    show_file("s.tr");
}
