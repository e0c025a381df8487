/* S25: a truncating reopen while bytes are pending: they are gone, and never written later. */
//: file a.tr managed
//: file b.tr managed
//: calls a.tr b.tr <= 240
#include "show.h"

int main(void)
{
    for (int i = 0; i < 40; i++) {
        FILE *out = fopen("a.tr", i % 10 == 0 ? "w" : "a");
        if (i % 10 == 0)
            show_fstat("after w", fileno(out));
        fputs(record(i), out);
        fclose(out);
        int kept = open("b.tr", O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(kept, record(i));
        if (i % 8 == 7) {
            int truncating = OPENED(open("b.tr", i % 16 == 7 ? O_WRONLY | O_TRUNC : O_RDWR | O_CREAT | O_TRUNC, 0600));
            show_fstat("kept", kept);
            append(kept, "by the kept one, after the truncation\n");
            show_fstat("truncating", truncating);
            append(truncating, "TRUNCATING");
            show_file("b.tr");
            SHOW(close(truncating));
        }
        if (i % 8 == 3) {
            append(kept, "pending at creat\n");
            SHOW(close(OPENED(creat("b.tr", 0644))));
            show_path("b.tr");
        }
        close(kept);
    }
    show_file("a.tr");
    show_file("b.tr");
}
