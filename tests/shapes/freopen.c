/* freopen of a managed stream to another trace, to an unmanaged file, to the same one in another mode; of stdout; failures. */
//: file a.tr
//: file b.tr
#include "show.h"

int main(void)
{
    FILE *out = OPENED(fopen("a.tr", "a"));
    fputs("to a\n", out);
    FILE *second = OPENED(freopen("b.tr", "w", out));
    SHOW(second == out);
    SHOW(fputs("to b\n", second) >= 0);
    SHOW(fflush(second));
    show_file("a.tr");
    show_file("b.tr");
    FILE *third = OPENED(freopen("plain", "a", second));
    SHOW(fputs("to a plain file\n", third) >= 0);
    FILE *fourth = OPENED(freopen("a.tr", "a+", third));
    SHOW(fputs("to a again\n", fourth) >= 0);
    rewind(fourth);
    SHOW(fgetc(fourth));
    show_file("plain");
    FILE *same = OPENED(freopen(NULL, "r", fourth));
    if (same) {
        SHOW(fgetc(same));
        SHOW(fputs("refused", same));
        SHOW(fclose(same));
    }
    out = OPENED(fopen("a.tr", "a"));
    fputs("flushed by a freopen that fails\n", out);
    SHOW(freopen("no/such/file.tr", "a", out) == NULL);
    show_file("a.tr");
    int saved = dup(1);
    SHOW(freopen("c.tr", "a", stdout) == stdout);
    printf("what stdout says goes into c.tr\n");
    say("and what write says on 1");
    SHOW(fileno(stdout));
    fflush(stdout);
    printf("never flushed by hand\n");
    dup2(saved, 2);
    dprintf(2, "on stderr\n");
    show_file("c.tr");
    return 0;
}
