/* Reason NO_GUARD: a filter of system calls may forbid what a guard needs: nothing is left in a buffer that nobody watches. */
//: file a.tr write-through reason=NO_GUARD
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "show.h"

int main(void)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {1, &allow};
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    SHOW(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    for (int i = 1; i < 100; i++)
        append(out, record(i));
    show_file("a.tr");
}
