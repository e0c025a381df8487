/*
 * The guard's copies of its process's descriptions: see copies.h.
 *
 * A plain list: there are never more than descriptors, and they are looked for once a drain.
 */
#include "copies.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "../ring/guard.h"

struct copy {
    uint32_t handle;
    int fd;
    uint32_t generation;
    bool publishes;
};

static struct copy *copies;
static size_t count, room;

static struct copy *find(uint32_t handle)
{
    for (size_t i = count; i-- > 0;)
        if (copies[i].handle == handle)
            return &copies[i];
    return NULL;
}

void copies_keep(uint32_t handle, int fd, uint32_t generation, bool publishes)
{
    struct copy *c = find(handle);
    if (!c && count == room) {
        struct copy *more = realloc(copies, (room + 64) * sizeof *copies);
        if (!more) {
            close(fd);
            return;
        }
        copies = more;
        room += 64;
    }
    if (c)
        close(c->fd);
    else
        c = &copies[count++];
    *c = (struct copy){handle, fd, generation, publishes};
}

void copies_drop(uint32_t handle)
{
    struct copy *c = find(handle);
    if (!c)
        return;
    close(c->fd);
    *c = copies[--count];
}

static bool older(const struct copy *c, uint32_t generation)
{
    return (int32_t)((c->generation - generation) << 1) < 0;
}

/* All of them by one call, if that can be: they are all old, and nothing else has a number among theirs. */
static bool drop_together(uint32_t generation, int own)
{
    int first = INT_MAX, last = -1;
    for (size_t i = 0; i < count; i++) {
        if (!older(&copies[i], generation))
            return false;
        first = copies[i].fd < first ? copies[i].fd : first;
        last = copies[i].fd > last ? copies[i].fd : last;
    }
    if (last >= 0 && (first <= GUARD_SOCKET || first <= own || sys_close_range((unsigned)first, (unsigned)last, 0) < 0))
        return false;
    count = 0;
    return true;
}

void copies_drop_older(uint32_t generation, int own)
{
    if (drop_together(generation, own))
        return;
    for (size_t i = count; i-- > 0;)
        if (older(&copies[i], generation))
            copies_drop(copies[i].handle);
}

int copies_descriptor(uint32_t handle)
{
    struct copy *c = find(handle);
    return c ? c->fd : -1;
}

void copies_publish(uint32_t handle)
{
    struct copy *c = find(handle);
    if (c && c->publishes)
        close(dup(c->fd));
}
