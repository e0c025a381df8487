/* From a seed to a sequence of operations.
 *
 * The idea: each seed likes some families of operations, some paths and some slots more than others, so that some
 * sequences go long without a barrier and others mix everything.
 */
#ifndef GENERATE_H
#define GENERATE_H

#include "contexts.h"

struct operation {
    uint16_t code;
    uint8_t d, e, s, a, p, q, t, w, x;
    uint32_t flags, mode, n;
    int32_t o;
    uint32_t end; /* of a block: the first operation behind it */
};

/* What else a seed decides. */
struct seed {
    uint64_t number;
    unsigned count; /* of operations */
    unsigned start; /* what is there at first */
    unsigned ending;
    bool nobody; /* without root's power */
    struct operation *operations;
};

enum family {
    FAMILY_open,
    FAMILY_append,
    FAMILY_close,
    FAMILY_write,
    FAMILY_position,
    FAMILY_read,
    FAMILY_data,
    FAMILY_map,
    FAMILY_sync,
    FAMILY_descriptor,
    FAMILY_lock,
    FAMILY_attributes,
    FAMILY_names,
    FAMILY_user,
    FAMILY_streams,
    FAMILY_output,
    FAMILY_input,
    FAMILY_place,
    FAMILY_state,
    FAMILY_mixed,
    FAMILY_wide,
    FAMILY_thread,
    FAMILY_handler,
    FAMILY_process,
    FAMILY_exec,
    FAMILY_vfork,
    FAMILY_other,
    FAMILY_message,
    FAMILY_raw,
    FAMILIES
};

enum kind { KIND_OP, KIND_ST, KIND_WI, KIND_CO, KIND_BL };

static const struct entry {
    enum kind kind;
    enum family family;
    unsigned weight, parts;
    const char *text;
} table[] = {
#define OP(family, weight, ...)        {KIND_OP, FAMILY_##family, weight, 0, #__VA_ARGS__},
#define ST(family, weight, ...)        {KIND_ST, FAMILY_##family, weight, 0, #__VA_ARGS__},
#define WI(family, weight, ...)        {KIND_WI, FAMILY_##family, weight, 0, #__VA_ARGS__},
#define CO(family, weight, ...)        {KIND_CO, FAMILY_##family, weight, 0, #__VA_ARGS__},
#define BL(family, weight, parts, ...) {KIND_BL, FAMILY_##family, weight, parts, #__VA_ARGS__},
#include "operations.h"
#undef OP
#undef ST
#undef WI
#undef CO
#undef BL
};
enum { CODES = sizeof table / sizeof *table };

/* '@': below the directory in which the seed began. */
static const char *const paths[] = {
    "a.tr",
    "b.tr",
    "l.tr",
    "d/a.tr",
    "sd/a.tr",
    "./a.tr",
    "d/../a.tr",
    "@/a.tr",
    "@/d/e.tr",
    "h.log",
    "c.log",
    "d/e.tr",
    "d/f.log",
    "../a.tr",
    "g/a.tr",
    "k.tr",
    "../d/e.tr",
    "d",
    "g",
    "sd",
    ".",
    "none/a.tr",
    "a.tr/x.tr",
    "",
    "a-name-that-is-longer-than-the-255-bytes-that-a-file-system-takes-in-one-part-of-a-path-"
    "so-that-the-kernel-says-so-and-nothing-is-opened-or-made-here-"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaa"
    "aaaaaaaaaaaaa.tr"};
enum { PATHS = sizeof paths / sizeof *paths, PATHS_OF_FILES = 17 };

static const char *const modes[] = {"a",  "a+", "w",   "w+", "r",   "r+", "ae", "w+e",
                                    "wx", "ab", "rb+", "wb", "r+m", "q",  "a+x"};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- chance ---- */

static uint64_t chance;

static uint32_t any(uint32_t below)
{
    chance += 0x9e3779b97f4a7c15ULL; /* splitmix64 */
    uint64_t z = chance;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return (uint32_t)(z >> 32) % below;
}

static bool percent(uint32_t n)
{
    return any(100) < n;
}

static unsigned length(void)
{
    unsigned r = any(100);
    return r < 3 ? 0 : r < 65 ? 1 + any(100) : r < 90 ? any(1000) : r < 98 ? any(10000) : any(LONGEST);
}

static int place(void)
{
    unsigned r = any(100);
    return r < 25   ? 0
           : r < 60 ? (int)any(300)
           : r < 80 ? (int)any(5000)
           : r < 90 ? (int)any(40000)
           : r < 95 ? (int)any(8) * 4096
                    : -(int)any(300);
}

static unsigned open_flags(void)
{
    unsigned r = any(200), flags = r < 90 ? O_WRONLY : r < 160 ? O_RDWR : r < 199 ? O_RDONLY : O_ACCMODE;
    flags |= percent(45) ? O_APPEND : 0;
    flags |= percent(70) ? O_CREAT : 0;
    flags |= percent(12) ? O_TRUNC : 0;
    flags |= percent(4) ? O_EXCL : 0;
    flags |= percent(15) ? O_CLOEXEC : 0;
    flags |= percent(5) ? O_NONBLOCK : 0;
    flags |= percent(4) ? O_NOFOLLOW : 0;
    flags |= percent(1) ? O_DIRECTORY : 0;
    flags |= percent(2) ? O_SYNC : percent(1) ? O_DSYNC : 0;
    flags |= percent(1) ? O_NOATIME : 0;
    return flags;
}

/* ---- sequences ---- */

static unsigned weights[CODES], all_weights;
static uint8_t liked_paths[6], liked_slots[DESCRIPTORS];
static unsigned liked_path_count, liked_slot_count;

static void likes(void)
{
    unsigned factors[FAMILIES];
    static const unsigned choices[] = {0, 0, 1, 1, 1, 2, 5};
    for (int f = 0; f < FAMILIES; f++)
        factors[f] = choices[any(7)];
    factors[FAMILY_open] = 1 + any(2);
    if (factors[FAMILY_exec] > 1) /* each costs as much as 1,000 others */
        factors[FAMILY_exec] = 1;
    if (!percent(15))
        factors[FAMILY_user] = 0;
    if (!percent(25))
        factors[FAMILY_lock] = 0; /* a lock makes a file's closes real for good */
    all_weights = 0;
    for (int c = 0; c < CODES; c++)
        all_weights += weights[c] = table[c].weight * factors[table[c].family];
    liked_path_count = 1 + any(6);
    for (unsigned i = 0; i < liked_path_count; i++)
        liked_paths[i] = (uint8_t)any(i < 3 ? PATHS_OF_FILES : PATHS);
    liked_slot_count = 1 + any(DESCRIPTORS);
    for (unsigned i = 0; i < DESCRIPTORS; i++)
        liked_slots[i] = (uint8_t)any(DESCRIPTORS);
}

static uint8_t some_path(void)
{
    if (percent(85))
        return liked_paths[any(liked_path_count)];
    return (uint8_t)any(percent(80) ? PATHS_OF_FILES : PATHS);
}

static uint8_t some_slot(void)
{
    return percent(90) ? liked_slots[any(liked_slot_count)] : (uint8_t)any(DESCRIPTORS);
}

static struct operation one(unsigned at, unsigned limit)
{
    struct operation o = {0};
    unsigned r = any(all_weights);
    while (r >= weights[o.code])
        r -= weights[o.code++];
    o.d = some_slot();
    o.e = some_slot();
    o.s = (uint8_t)(percent(6) ? STREAMS - 1 : any(STREAMS - 1));
    o.a = (uint8_t)any(MAPPINGS);
    o.p = some_path();
    o.q = some_path();
    o.t = (uint8_t)(percent(50) ? any(6) : any(MODES));
    r = any(100);
    o.w = (uint8_t)(r < 50 ? SEEK_SET : r < 74 ? SEEK_CUR : r < 99 ? SEEK_END : 99);
    o.x = (uint8_t)any(64);
    o.flags = open_flags();
    r = any(100);
    o.mode = r < 70 ? 0644 : r < 80 ? 0600 : r < 85 ? 0 : r < 90 ? 0444 : r < 95 ? 0755 : 0222;
    o.n = length();
    o.o = place();
    unsigned long_block = table[o.code].parts > 1 ? 24 : 10;
    o.end = at + 2 + any(long_block);
    if (o.end > limit)
        o.end = limit;
    return o;
}

static void sequence(struct seed *s, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        s->operations[i] = one(i, to);
        if (table[s->operations[i].code].kind == KIND_BL && s->operations[i].end > i + 1) {
            sequence(s, i + 1, s->operations[i].end);
            i = s->operations[i].end - 1;
        }
    }
}

/* most: operations of the longest sequences. */
static struct seed seed_make(uint64_t number, unsigned most)
{
    struct seed s = {.number = number};
    chance = number * 0xd1342543de82ef95ULL + 1;
    s.start = any(32);
    s.ending = any(ENDINGS);
    s.nobody = percent(15);
    s.count = percent(40) ? 20 + any(most / 4 + 1) : most / 2 + any(most / 2 + 1);
    s.operations = calloc(s.count, sizeof *s.operations);
    if (!s.operations)
        _exit(97);
    likes();
    sequence(&s, 0, s.count);
    return s;
}

#endif
