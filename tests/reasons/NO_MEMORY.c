/* Reason NO_MEMORY: no memory can be had that others could see, so every write goes to its file; opens and closes
 * are still saved. */
//: env TRACESHIM_DIR=/proc
//: file a.tr write-through reason=NO_MEMORY opens=100 real_opens<=2
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "show.h"

/* From here on there is no memfd_create, as on old kernels; the program that comes next doesn't know that there is a filter. */
static void become(char **argv)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    SHOW(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
    SHOW(execv("/proc/self/exe", argv));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        become((char *[]){argv[0], "again", NULL});
    for (int i = 0; i < 100; i++) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(out, record(i));
        SHOW(close(out));
    }
    show_file("a.tr");
}
