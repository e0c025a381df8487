/* @auto: which files become trace files by what is done to them. Only asked when the patterns name @auto. See auto.c for the idea. */
#ifndef TRACESHIM_TRACEFILE_AUTO_H
#define TRACESHIM_TRACEFILE_AUTO_H

#include "tables.h"

/* A file that no pattern matches is about to be opened for writing: counts that, and says whether it is to be managed. No lock held. */
bool auto_wants(const char *path, int flags);

/* It was opened, and is not managed: its writes are counted. No lock held. */
void auto_watch(int fd, const char *path);

/* open.c: the open descriptor behind h (KIND_OTHER) becomes managed, if it can be. Tables' lock held, signals blocked. */
void open_adopt(int fd, struct handle *h);

#endif
