/* S23: rotation: close, rename, open the old name again; and a new name for every part. */
//: file a.tr managed
//: calls a.tr <= 210
#include "show.h"

int main(void)
{
    char name[64];
    for (int i = 0; i < 300; i++) {
        FILE *out = fopen("a.tr", "a");
        fputs(record(i), out);
        fclose(out);
        if (i % 50 == 49) {
            snprintf(name, sizeof name, "a.%d.tr", i / 50);
            SHOW(rename("a.tr", name));
            show_path(name);
            show_path("a.tr");
        }
        snprintf(name, sizeof name, "part%d.tr", i / 60);
        int part = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
        append(part, record(i));
        close(part);
        if (i % 100 == 99) {
            SHOW(rename("a.0.tr", "a.00.tr") + rename("a.00.tr", "a.0.tr"));
            part = open("a.0.tr", O_WRONLY | O_APPEND);
            append(part, "added to the rotated file\n");
            close(part);
        }
    }
    show_file("a.0.tr");
    show_file("a.5.tr");
    show_file("part0.tr");
    show_file("part4.tr");
}
