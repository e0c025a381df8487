/* A child clears and sets O_APPEND on the description that it shares: its parent's next writes go where the kernel puts them. And the
 * buffer's owner gets the flag while another handle is open. */
//: file a.tr
//: file b.tr
#include <sys/wait.h>

#include "show.h"

static void set_in_child(int out, int flags)
{
    pid_t pid = fork();
    int status;
    if (pid == 0)
        _exit(fcntl(out, F_SETFL, flags) != 0);
    waitpid(pid, &status, 0);
    SHOW(status);
}

int main(void)
{
    int out = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    set_in_child(out, 0);
    append(out, "FOLLOWS");
    SHOW(lseek(out, 2, SEEK_SET));
    append(out, "AT TWO");
    SHOW(fcntl(out, F_GETFL));
    set_in_child(out, O_APPEND);
    append(out, "AT THE END");
    show_file("a.tr");

    int first = OPENED(open("b.tr", O_WRONLY | O_CREAT, 0644));
    append(first, record(1));
    SHOW(fcntl(first, F_SETFL, O_APPEND));
    int second = OPENED(open("b.tr", O_WRONLY));
    append(first, "appended");
    append(second, "a long text at the start, past what has been there before, past what was "
                   "appended as well");
    SHOW(lseek(first, 0, SEEK_CUR));
    append(first, "appended");
    SHOW(lseek(first, 0, SEEK_CUR));
    show_file("b.tr");
}
