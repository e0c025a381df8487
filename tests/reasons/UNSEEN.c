/* Reason UNSEEN: a C stream of libc's writes to the file through a descriptor that we did not open. */
//: file a.tr write-through reason=UNSEEN
#include "show.h"

int main(void)
{
    char line[256];
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    append(out, record(0));
    FILE *in = OPENED(fopen("a.tr", "r"));
    for (int i = 1; i < 20; i++) {
        append(out, record(i));
        say("%s", fgets(line, sizeof line, in) ? line : "nothing");
    }
    show_file("a.tr");
}
