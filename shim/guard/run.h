/*
 * Runs a command under the shim and ends as it ends.
 */
#ifndef TRACESHIM_RUN_H
#define TRACESHIM_RUN_H

enum { RUN_FAILED = 125, RUN_NOT_EXECUTABLE = 126, RUN_NOT_FOUND = 127 }; /* as env(1) */

/*
 * Starts ARGV (ending in NULL, found as execvp(3) does) with LIBRARY, a path,
 * preloaded, and waits for it.  The command has this process's descriptors, process
 * group, terminal, signal mask and dispositions.  Signals that reach this process go
 * on to it (not those the terminal sends, which it gets itself); when it stops
 * after such a TSTP, so does this process.
 *
 * Returns the status to exit with, one of the above after a line on stderr; when the command
 * died by a signal, dies by the same.
 */
int run_command(const char *library, char *const argv[]);

#endif
