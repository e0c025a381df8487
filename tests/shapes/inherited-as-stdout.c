/* ./sim >> trace: descriptors of a trace that the program was started with, while it opens the same file by name. */
//: file a.tr
#include "show.h"

int main(int count, char **arguments)
{
    (void)arguments;
    if (count == 1) {
        int out = open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        dup2(out, 1);
        dup2(out, 7);
        close(out);
        execl("/proc/self/exe", "again", "1", (char *)NULL);
        return 9;
    }
    for (int i = 0; i < 20; i++) {
        say("through the inherited stdout %d", i);
        printf("by printf %d\n", i);
        if (i % 3 == 0)
            fflush(stdout);
        FILE *out = fopen("a.tr", "a");
        fprintf(out, "by name %d\n", i);
        fclose(out);
        append(7, "through the inherited 7\n");
        int kept = open("a.tr", O_WRONLY | O_APPEND);
        append(kept, record(i));
        say("between");
        append(kept, "by the kept one\n");
        close(kept);
    }
    return 0;
}
