/* Why a file is not fully managed, and why a drain happened: the words that the report shows and tests assert.
 *
 * The idea: one list each, from which the enum and the names come. Rules: add at the end; names are part of the report's format.
 */
#ifndef TRACESHIM_REASON_H
#define TRACESHIM_REASON_H

#include <stdint.h>

/* clang-format off */
/* REASON(name, what it means to a reader of the report) */
#define REASONS(R)                                                                   \
    R(NONE, "managed")                                                               \
    R(WINDOW_0, "TRACESHIM_WINDOW_MS is 0")                                          \
    R(SYNCHRONOUS, "opened with O_SYNC, O_DSYNC or O_DIRECT")                        \
    R(UNSEEN, "also open where its reads and writes are not seen")                   \
    R(MAPPED, "mapped into memory")                                                  \
    R(SHARED, "its open file description is shared with a child process")            \
    R(NO_MEMORY, "no shared memory for a buffer")                                    \
    R(FILE_SIZE, "RLIMIT_FSIZE is finite")                                           \
    R(NOT_REGULAR, "not a regular file")                                             \
    R(NUMBER, "a descriptor's number is too high to be followed")                    \
    R(FLAGS, "opened with flags that are not managed")                               \
    R(STREAM_MODE, "a stream mode that is not managed")                              \
    R(BYPASSED, "used by system calls that pass around libc")                        \
    R(LOCKED, "a file lock was taken on it")                                         \
    R(SENT, "its descriptor was sent to another process")                            \
    R(INHERITED, "its open file description is the parent's, too")                   \
    R(ALIASED, "the file system keeps a size for each of its names")                 \
    R(LARGE, "writes larger than the buffer")                                         \
    R(NO_GUARD, "no guard process can be had")                                       \
    R(ENDED, "the program had ended: destructors were still writing")
/* clang-format on */

enum reason {
#define R(name, text) REASON_##name,
    REASONS(R)
#undef R
        REASON_COUNT
};

/* clang-format off */
/* CAUSE(name): what made a drain necessary */
#define CAUSES(C)                                                                                              \
    C(full) C(window) C(handle) C(offset) C(read) C(sync) C(attributes) C(truncate) C(names) C(child) C(exec)  \
    C(exit) C(evict) C(through) C(descriptor) C(data) C(lock) C(memory) C(told) C(ahead) C(death)
/* clang-format on */

enum cause {
#define C(name) CAUSE_##name,
    CAUSES(C)
#undef C
        CAUSE_COUNT
};

/* What is counted for each trace file. Calls asked are the program's; real ones reached the kernel. */
struct counters {
    uint64_t opens, real_opens, closes, real_closes;
    uint64_t writes, bytes, through;
    uint64_t drains, drained, drain_calls;
    uint64_t seeks, stats, waits;
    uint64_t causes[CAUSE_COUNT];
};

#endif
