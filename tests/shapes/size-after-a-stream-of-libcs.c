/* What a stream of libc's has written at its fclose counts in the size at once, though the size was asked within the same tick. */
//: file a.tr
#include "show.h"

int main(void)
{
    FILE *first = OPENED(fopen("a.tr", "a"));
    for (int i = 0; i < 20; i++) {
        FILE *mapped = OPENED(fopen("a.tr", "r+m"));
        SHOW(fseek(mapped, 0, SEEK_END));
        SHOW(fputs("unseen\n", mapped) >= 0);
        FILE *between = OPENED(fopen("a.tr", "r+")); /* the size is looked at */
        SHOW(fclose(mapped));
        FILE *last = OPENED(fopen("a.tr", "a"));
        SHOW(ftell(last));
        SHOW(fclose(last));
        SHOW(fclose(between));
        fputs(record(i), first);
        fflush(first);
    }
    SHOW(fclose(first));
    show_file("a.tr");
}
