/*
 * Which files are trace files: the pattern list of TRACESHIM_PATTERNS, compiled.
 *
 * A list is `element:element:...`, an element one of
 *
 *   name*.txt     without a slash: against the last component of the path
 *   /dir/n*.txt   against the whole path, made absolute by its text alone
 *   out/n*.txt    against the end of the whole path, from any slash on
 *   !pattern      files to leave alone
 *   @name         a preset (presets.txt)
 *
 * `*` and `?` don't cross a slash, `**` does (`/ **` followed by a slash also
 * stands for no directory at all), `[...]` is a set of bytes, in which a colon is
 * a colon.  Nothing quotes: `[*]` is a star.  Bytes are compared, no locale is
 * asked, a leading dot is a byte like any other.
 *
 * The user's own patterns are tried in their order and the first match decides;
 * then @never; then the presets in their order; what none of them matches is
 * @auto's, where the list has it.
 *
 * Nothing here allocates, locks, or calls into libc beyond memcpy and strlen:
 * usable before the constructor, and patterns_judge() in a signal handler.
 */
#ifndef TRACESHIM_PATTERN_H
#define TRACESHIM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PATTERNS_MOST = 1024,      /* patterns, presets included */
    PATTERNS_CODE = 64 * 1024, /* bytes of compiled patterns */
    PATTERNS_ERROR = 512,      /* bytes that hold any message of patterns_compile */
};

/* What a path must have at least, to be worth a look.  pattern.c explains it. */
struct pattern_filter {
    uint64_t pairs;
    uint32_t tail;
    uint32_t tail_mask;
};

/* One compiled pattern.  Its code is at code[at], LEN bytes. */
struct pattern {
    uint32_t at;
    uint32_t len;
    bool whole; /* looks at more than the last component */
    bool leave; /* !pattern */
};

/* Compiled patterns, in the order in which they are tried.  Members are pattern.c's. */
struct patterns {
    uint32_t count;
    uint32_t free; /* code[free...] is taken: it fills from its end */
    bool automatic;
    uint64_t ending[PATTERNS_MOST / 64][256];
    struct pattern_filter filter[PATTERNS_MOST];
    struct pattern pattern[PATTERNS_MOST];
    unsigned char code[PATTERNS_CODE];
};

/*
 * Compiles LIST into P.  0, or -1 with one line in ERR (no newline, no prefix)
 * that names the element, and P then matches nothing.
 * Errors: an empty element, an unclosed [, an unknown preset or class, a pattern
 * that can't match any file ("..", a slash at the end), more than P holds.
 */
int patterns_compile(struct patterns *p, const char *list, char *err, size_t errlen);

enum pattern_verdict {
    PATTERN_NONE, /* no pattern matches: @auto's to decide */
    PATTERN_MANAGE,
    PATTERN_LEAVE, /* by !pattern or @never, or no file's name */
};

/*
 * Is PATH (LEN bytes, as the program gave it, relative or not) to be managed?
 * CWD is called with ARG when PATH is relative and a pattern that could still
 * match needs to know where it is, at most once; it returns the absolute path of
 * the directory, terminated and valid until this returns, or NULL when it has
 * none, and then only the patterns that don't need it can match.
 * PATH that ends in "." or ".." or is empty is no file's and never matches.
 */
enum pattern_verdict patterns_judge(const struct patterns *p, const char *path, size_t len, const char *(*cwd)(void *),
                                    void *arg);

/* Does the list name @auto, which goes by what is done to a file (tracefile/auto.c)? */
static inline bool patterns_uses_auto(const struct patterns *p)
{
    return p->automatic;
}

/*
 * The presets in the order of presets.txt: false when there is no I-th, else its
 * name without the @, a line on what it is for, and its patterns as a list.
 */
bool patterns_preset(size_t i, const char **name, const char **about, const char **list);

#endif
