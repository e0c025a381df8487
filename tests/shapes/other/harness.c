/* The harness's own test: differs in one way, named by HARNESS_DIFFERENCE, each time it runs in the directory "s". */
//: file a.tr managed
//: calls a.tr <= 3
//: once
#include <signal.h>

#include "show.h"

int main(void)
{
    char where[4096];
    const char *difference = getenv("HARNESS_DIFFERENCE");
    int differs = getcwd(where, sizeof where) && strcmp(where + strlen(where) - 2, "/s") == 0;
#define IS(what) (differs && difference && strcmp(difference, what) == 0)
    int descriptor =
        open(IS("name") ? "b.tr" : "a.tr", O_WRONLY | O_CREAT | O_APPEND, IS("mode") ? 0600 : 0644);
    append(descriptor, IS("byte") ? "once upen a time\n" : "once upon a time\n");
    if (IS("size"))
        append(descriptor, "more");
    close(descriptor);
    if (IS("link") && link("a.tr", "hard"))
        return 2;
    if (symlink(IS("symlink") ? "b.tr" : "a.tr", "soft"))
        return 2;
    say(IS("stdout") ? "other" : "same");
    fputs(IS("stderr") ? "other\n" : "same\n", stderr);
    if (IS("signal"))
        raise(SIGKILL);
    return IS("status") ? 3 : 0;
}
