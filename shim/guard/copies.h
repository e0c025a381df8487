/* The descriptions of its process that a guard holds, by the handles' numbers. */
#ifndef TRACESHIM_COPIES_H
#define TRACESHIM_COPIES_H

#include <stdbool.h>
#include <stdint.h>

/* Holds fd for the handle, instead of what it had for it. publishes: its file system shows bytes to others at close. */
void copies_keep(uint32_t handle, int fd, uint32_t generation, bool publishes);

/* Closes the handle's. */
void copies_drop(uint32_t handle);

/* Closes those of an earlier generation (31 bits of it are known). own: the highest other descriptor that the guard has opened for good. */
void copies_drop_older(uint32_t generation, int own);

/* The handle's descriptor, -1 when there is none. */
int copies_descriptor(uint32_t handle);

/* Others see what was written through it, if they do at a close only. */
void copies_publish(uint32_t handle);

#endif
