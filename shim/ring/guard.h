/* How a process talks to its guard.
 *
 * The idea: what must reach the guard even if the process is dead a moment later goes as a message over a Unix socket of whole
 * messages: it stays in the queue when the sender is gone, descriptors included. Everything else is in the shared memory.
 *
 * Rules: messages are sent without waiting. Their order is the order of what happened.
 */
#ifndef TRACESHIM_RING_GUARD_H
#define TRACESHIM_RING_GUARD_H

#include <stdint.h>

#include "journal.h"

enum guard_kind {
    GUARD_HELLO =
        1, /* the first, a struct guard_hello from process `handle`, with the journal's descriptor, and a pidfd of the process if there is one */
    GUARD_ADD, /* with a descriptor of the handle `handle`, which is about to own a ring; value: twice its generation, and one
                      * more if its file system shows others what was written only when a descriptor is closed */
    GUARD_DROP,      /* close that descriptor; then header.acknowledged becomes `value` */
    GUARD_KICK,      /* bytes are pending, or a ring is half full */
    GUARD_DROP_OLDER /* the same for all descriptors of an earlier generation than `handle` */
};

struct guard_message {
    uint32_t kind;
    uint32_t handle;
    uint32_t value;
};

/* What the guard will do by name, it is told here: the memory may be somebody else's to write by the time it does. */
struct guard_hello {
    struct guard_message message;
    char path[sizeof((struct journal *)0)->path]; /* of the journal, "" for a memfd */
    char report[sizeof((struct journal_header *)0)->report];
};

#define GUARD_SOCKET 3 /* the guard's end */

#endif
