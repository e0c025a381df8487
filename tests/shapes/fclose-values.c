/* The values of fclose, fflush, fputs after errors: read-only streams, closed descriptors, a full device, fcloseall, fflush(NULL). */
//: file a.tr
#include "show.h"

int main(void)
{
    FILE *out = OPENED(fopen("a.tr", "w"));
    SHOW(fputs("one\n", out) >= 0);
    SHOW(close(fileno(out)));
    SHOW(fclose(out));
    show_file("a.tr");
    out = OPENED(fopen("a.tr", "a"));
    SHOW(close(fileno(out)));
    say("taken: %d", fputs("two\n", out) >= 0); /* libc may leave an errno behind */
    SHOW(fflush(out));
    SHOW(ferror(out) != 0);
    SHOW(fputs("three\n", out) >= 0);
    clearerr(out);
    SHOW(ferror(out) != 0);
    SHOW(fclose(out));
    out = OPENED(fopen("a.tr", "a"));
    SHOW(fgetc(out));
    SHOW(ferror(out) != 0);
    SHOW(fputs("four\n", out) >= 0);
    SHOW(fclose(out));
    FILE *in = OPENED(fopen("a.tr", "r"));
    SHOW(fputs("five\n", in));
    SHOW(fclose(in));
    out = OPENED(fopen("a.tr", "a"));
    FILE *second = OPENED(fopen("b.tr", "w"));
    fputs("six\n", out);
    fputs("seven\n", second);
    SHOW(fflush(NULL));
    show_file("a.tr");
    show_file("b.tr");
    fputs("eight\n", second);
    SHOW(fwrite("x", 0, 5, second));
    SHOW(fwrite("x", 5, 0, second));
    SHOW(putc_unlocked('9', second));
    SHOW(fputs_unlocked("\n", second) >= 0);
    flockfile(second);
    SHOW(fflush_unlocked(second));
    SHOW(ftrylockfile(second));
    funlockfile(second);
    funlockfile(second);
    int number = fileno(second);
    SHOW(fileno_unlocked(second) == number);
    SHOW(fcloseall());
    SHOW(append(number, "closed"));
    show_file("b.tr");
}
