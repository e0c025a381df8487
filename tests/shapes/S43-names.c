/* S43: names without extension, with colons, spaces, newlines, bytes that are no UTF-8; the longest; paths near PATH_MAX. */
//: env TRACESHIM_PATTERNS=/**
//: file plain managed opens=4
//: calls a.tr plain <= 12
#include <limits.h>

#include "show.h"

static void three_times(const char *path)
{
    for (int i = 0; i < 3; i++) {
        int out = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (out < 0) {
            say("refused %s", strerror(errno));
            return;
        }
        append(out, record(i));
        close(out);
    }
    FILE *stream = OPENED(fopen(path, "a"));
    fputs("by a stream\n", stream);
    SHOW(fclose(stream));
    struct stat info;
    show_stat("it", stat(path, &info), &info);
}

int main(void)
{
    const char *names[] = {"plain",           "with space", "co:lon.tr", "new\nline", "tab\t.tr",
                           "\xff\xfe\x80.tr", "-dash",      ".hidden",   "*star?[x]", "quote\"'\\back",
                           "ünïcode",         "%p%s%n",     "trailing ", "a..b",      "~",
                           "$HOME",           "#",          "!x",        "@ns3"};
    char longest[NAME_MAX + 2], deep[PATH_MAX + 300];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        three_times(names[i]);
    memset(longest, 'l', NAME_MAX);
    longest[NAME_MAX] = '\0';
    three_times(longest);
    longest[NAME_MAX] = 'l';
    longest[NAME_MAX + 1] = '\0';
    three_times(longest);

    /* A relative path just below PATH_MAX, whose absolute form is above it. */
    deep[0] = '\0';
    while (strlen(deep) < PATH_MAX - 10)
        strcat(deep, "./");
    strcat(deep, "d.tr");
    three_times(deep);
    strcat(deep, "and too long now");
    three_times(deep);

    /* A working directory whose own path is longer than PATH_MAX. */
    longest[200] = '\0';
    for (int i = 0; i < 25; i++)
        if (mkdir(longest, 0755) || chdir(longest))
            return 2;
    three_times("far-down.tr");
    show_file("far-down.tr");
}
