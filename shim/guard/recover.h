/*
 * What a dead process and a dead guard left: finished, listed or thrown away.
 */
#ifndef TRACESHIM_RECOVER_H
#define TRACESHIM_RECOVER_H

#include <stdbool.h>
#include <stdio.h>

enum recover_how {
    RECOVER_WRITE,   /* into the files, once and only once; what has no file any more is kept as *.lost */
    RECOVER_DRY_RUN, /* say what that would do */
    RECOVER_LIST,    /* say what is there, living processes' journals too */
    RECOVER_DISCARD  /* throw away what belongs to nobody alive, the *.lost files too */
};

/*
 * Goes through the user's journals under WHERE ("" for /dev/shm).  What was done is said on TELL (NULL: nothing);
 * what is lost or can't be written now, on stderr.  WAIT: a dead process's guard is waited for, however long its
 * file system takes.
 *
 * 0, or 1 when something could not be written or is lost.
 */
int recover(const char *where, enum recover_how how, bool wait, FILE *tell);

#endif
