/* A hard link or symlink whose name matches no pattern is read, written, truncated and removed in the same process. */
//: file a.tr managed|write-through reason=UNSEEN|NONE
#include "show.h"

int main(void)
{
    char buffer[100];
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    SHOW(link("a.tr", "hard"));
    SHOW(symlink("a.tr", "soft"));
    int early = OPENED(open("hard", O_RDONLY));
    FILE *stream = OPENED(fopen("soft", "r"));
    for (int i = 0; i < 5; i++) {
        append(out, record(i));
        long n = SHOW(read(early, buffer, sizeof buffer));
        show_bytes("through the link", buffer, n);
        clearerr(stream);
        say("%s", fgets(buffer, sizeof buffer, stream) ? buffer : "nothing");
        append(out, "more\n");
        show_file("hard");
        show_file("soft");
        show_path("hard");
        append(out, "and more\n");
        int alias = OPENED(open("hard", O_WRONLY | O_APPEND));
        append(alias, "through the alias\n");
        append(out, "through the trace\n");
        append(alias, "through the alias\n");
        SHOW(close(alias));
    }
    SHOW(truncate("hard", 50));
    append(out, "after the alias was cut\n");
    show_file("a.tr");
    FILE *truncating = OPENED(fopen("soft", "w"));
    append(out, "after the alias was emptied\n");
    SHOW(fclose(truncating));
    show_file("a.tr");
    SHOW(unlink("hard"));
    show_fstat("a.tr", out);
}
