/* The guard: finishes a process's work whatever ends it, and keeps its window. */
#ifndef TRACESHIM_SERVE_H
#define TRACESHIM_SERVE_H

#include "../ring/journal.h"

/* Serves the process at the other end of descriptor 3 until it is dead and its bytes are in their files. The exit status. */
int serve(void);

/* Writes this journal's report for its process, which died and left none; nothing if none was asked for. */
void serve_report(const struct journal *j);

/* Appends what is left in the side buffers of a dead process to the slots' files. get: a descriptor for the slot's owner, or -1.
 * Says whether all went out. */
bool serve_sides(struct journal *j, int (*get)(struct slot *s, void *arg), void *arg);

#endif
