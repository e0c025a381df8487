/*
 * Will a command run under the shim?  Looked at before it starts, since the loader
 * ignores in silence what it can't or mustn't load.
 */
#ifndef TRACESHIM_INSPECT_H
#define TRACESHIM_INSPECT_H

#include <limits.h>
#include <stdbool.h>

struct inspection {
    char command[PATH_MAX]; /* the file that was found for the command, "" for none */
    char file[PATH_MAX];    /* what is run in the end: the same, or the interpreter of a script */
    char why[PATH_MAX];     /* what FILE is that keeps the shim out ("is ..."), "" for nothing */
    bool foreign;           /* FILE's loader would complain about the library */
};

/*
 * Looks at the file that execvp(3) would run for COMMAND, and for a script, at its
 * interpreter (also behind env), and so on.  What can't be found or read is left
 * undecided, with an empty WHY.
 */
void inspect_command(const char *command, struct inspection *result);

#endif
