/*
 * The library's place in LD_PRELOAD.
 */
#ifndef TRACESHIM_PRELOAD_H
#define TRACESHIM_PRELOAD_H

/*
 * Appends LIBRARY, an absolute path, to LD_PRELOAD in this process's environment, unless it
 * is there.  What others preload keeps its place before it (the ASan runtime must come first).
 *
 * A path that LD_PRELOAD can't hold (spaces and colons separate, a dollar expands) goes in through a
 * symbolic link in a directory of the user's own.  The link stays, since processes that outlive
 * the command may still start others; there is one for each such path.
 *
 * 0, or -1 after a line on stderr.
 */
int preload_append(const char *library);

#endif
