/*
 * Patterns: compile a list, match a path.
 *
 * The idea: paths differ at their end, so a pattern is compiled backwards and
 * the path is read backwards, normalised on the way ("//", ".", ".." and, for a
 * relative one, the working directory only when the reading gets that far).  So
 * no path is ever copied and none is too long, and most patterns fail at the
 * first byte.
 *
 * Most aren't even tried.  For each byte a bit set holds the patterns that can match a
 * path with that byte at its end.  Whatever matches one of them has the pattern's last
 * literal bytes at its end, up to four of them: one comparison.  And it has the pattern's
 * pairs of neighbouring bytes in its last component.  Each pair is hashed to one of 64
 * bits; the bits of the last component are computed once, and a pattern that needs
 * a bit they lack can't match.  The ends of the component count as slashes, so
 * that "begins with" is a pair as well.
 *
 * Code: a byte stands for itself, except OP, which begins an operation.  OP is
 * the one byte that no path contains.
 */
#include "pattern.h"

#include <string.h>

#include "text.h"

struct preset {
    const char *name;
    const char *about;
    const char *patterns;
};
#include "presets.h"

enum { PRESETS = sizeof presets / sizeof presets[0] };

enum {
    OP = 0,
    ONE = 1,  /* ?: one byte but a slash */
    SOME = 2, /* *: any bytes but a slash */
    ANY = 3,  /* **: any bytes */
    DIRS = 4, /* before a slash: nothing, or whole components with a slash before each */
    SET = 5,  /* one byte of the 256 bits that follow */
    SET_BYTES = 32,
    END = -1, /* in place of a byte: the path is used up */
};

static uint64_t pair(unsigned first, unsigned second)
{
    return UINT64_C(1) << ((first * 37 + second) & 63);
}

/* ------------------------------------------------------------------ compile */

/* The pattern that is being compiled, and how it goes. */
struct compiler {
    struct patterns *p;
    struct text err;
    const char *element;
    size_t element_len;
    unsigned element_number; /* from 1 */
    struct pattern_filter filter;
    int before; /* the literal byte before this place of the last component, or -1 */
    bool failed;
};

static void fail(struct compiler *c, const char *why)
{
    if (c->failed)
        return;
    c->failed = true;
    text_byte(&c->err, '\'');
    text_quoted(&c->err, c->element, c->element_len);
    text_add(&c->err, "': ");
    text_add(&c->err, why);
}

static void emit(struct compiler *c, const unsigned char *bytes, size_t n)
{
    if (c->p->free < n) {
        fail(c, "the patterns are too long (64 KiB compiled)");
        return;
    }
    c->p->free -= (uint32_t)n;
    memcpy(c->p->code + c->p->free, bytes, n);
}

static void emit_byte(struct compiler *c, unsigned char byte)
{
    emit(c, &byte, 1);
    if (byte == '/')
        c->filter.pairs = 0;
    else if (c->before >= 0)
        c->filter.pairs |= pair((unsigned)c->before, byte);
    c->before = byte;
}

static void emit_op(struct compiler *c, unsigned char op)
{
    emit(c, (const unsigned char[]){OP, op}, 2);
    if (op == ANY)
        c->filter.pairs = 0;
    c->before = -1;
}

/* Classes of the C locale, as pairs of a first and a last byte. */
static const struct {
    const char *name;
    const char *ranges;
} classes[] = {
    {"alnum", "09AZaz"},   {"alpha", "AZaz"},   {"blank", "\t\t  "}, {"cntrl", "\1\37\177\177"},
    {"digit", "09"},       {"graph", "!~"},     {"lower", "az"},     {"print", " ~"},
    {"punct", "!/:@[`{~"}, {"space", "\t\r  "}, {"upper", "AZ"},     {"xdigit", "09AFaf"},
};

/* The end of a class "[:name:]" that begins at P, past its last bracket; NULL when none does. */
static const char *class_end(const char *p, const char *end)
{
    if (end - p < 4 || p[0] != '[' || p[1] != ':')
        return NULL;
    for (p += 2; p < end && *p >= 'a' && *p <= 'z'; p++)
        ;
    return end - p >= 2 && p[0] == ':' && p[1] == ']' ? p + 2 : NULL;
}

/* The bracket that closes the set whose '[' is just before P, or NULL. */
static const char *set_end(const char *p, const char *end)
{
    if (p < end && (*p == '!' || *p == '^'))
        p++;
    if (p < end && *p == ']') /* the first one is a member */
        p++;
    while (p < end && *p != ']') {
        const char *past = class_end(p, end);
        p = past != NULL ? past : p + 1;
    }
    return p < end ? p : NULL;
}

static void set_add(unsigned char *set, unsigned first, unsigned last)
{
    for (unsigned b = first; b <= last; b++)
        set[b / 8] |= (unsigned char)(1u << b % 8);
}

static void set_add_class(struct compiler *c, unsigned char *set, const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strlen(classes[i].name) == len && memcmp(classes[i].name, name, len) == 0) {
            for (const char *r = classes[i].ranges; *r != '\0'; r += 2)
                set_add(set, (unsigned char)r[0], (unsigned char)r[1]);
            return;
        }
    fail(c, "no such class of characters");
}

/* Compiles the set between P and END, its closing bracket. */
static void emit_set(struct compiler *c, const char *p, const char *end)
{
    unsigned char code[2 + SET_BYTES] = {OP, SET};
    unsigned char *set = code + 2;
    bool inverted = *p == '!' || *p == '^';
    for (p += inverted; p < end;) {
        const char *past = class_end(p, end);
        if (past != NULL) {
            set_add_class(c, set, p + 2, (size_t)(past - p) - 4);
            p = past;
        } else if (end - p >= 3 && p[1] == '-') {
            set_add(set, (unsigned char)p[0], (unsigned char)p[2]);
            p += 3;
        } else {
            set_add(set, (unsigned char)*p, (unsigned char)*p);
            p++;
        }
    }
    for (size_t i = 0; inverted && i < SET_BYTES; i++)
        set[i] = (unsigned char)~set[i];
    set['/' / 8] &= (unsigned char)~(1u << '/' % 8); /* never a slash */
    emit(c, code, sizeof code);
    c->before = -1;
}

/* Where the text of a run of stars at P ends. */
static const char *stars_end(const char *p, const char *end)
{
    while (p < end && *p == '*')
        p++;
    return p;
}

/*
 * One slash, and what directly follows it and means directories too: more
 * slashes, ".", and "**" up to a slash.  Returns where the next component begins.
 */
static const char *emit_slash(struct compiler *c, const char *p, const char *end)
{
    bool dirs = false;
    for (;;) {
        const char *past = stars_end(p, end);
        if (p < end && *p == '/') {
            p++;
        } else if (end - p >= 2 && p[0] == '.' && p[1] == '/') {
            p += 2;
        } else if (past - p >= 2 && past < end && *past == '/') {
            dirs = true;
            p = past + 1;
        } else {
            break;
        }
    }
    if (p == end || (end - p == 1 && *p == '.'))
        fail(c, "ends in a directory, and names no file");
    else if (end - p >= 2 && p[0] == '.' && p[1] == '.' && (end - p == 2 || p[2] == '/'))
        fail(c, "never matches: paths are compared without \"..\"");
    if (dirs)
        emit_op(c, DIRS);
    emit_byte(c, '/');
    return p;
}

/* Does the glob from P to END hold a slash that isn't in a set? */
static bool has_slash(const char *p, const char *end)
{
    for (; p < end && *p != '/'; p++)
        if (*p == '[') {
            p = set_end(p + 1, end);
            if (p == NULL)
                return false;
        }
    return p < end;
}

/* Enters the next pattern under the bytes that it can end in. */
static void set_ending(struct patterns *p, struct pattern_filter filter)
{
    uint64_t *ending = p->ending[p->count / 64];
    uint64_t bit = UINT64_C(1) << p->count % 64;
    if (p->count % 64 == 0)
        memset(ending, 0, sizeof p->ending[0]);
    for (unsigned c = 0; c < 256; c++)
        if (filter.tail_mask == 0 || filter.tail >> 24 == c)
            ending[c] |= bit;
}

static void compile_glob(struct compiler *c, const char *p, const char *end, bool leave)
{
    struct patterns *all = c->p;
    uint32_t code_end = all->free;
    bool whole = has_slash(p, end);
    c->filter = (struct pattern_filter){0};
    c->before = '/';
    if (whole && *p != '/') {
        emit_op(c, DIRS);
        p = emit_slash(c, p, end);
    }
    while (p < end && !c->failed) {
        if (*p == '/') {
            p = emit_slash(c, p + 1, end);
        } else if (*p == '*') {
            const char *past = stars_end(p, end);
            emit_op(c, past - p >= 2 && whole ? ANY : SOME);
            p = past;
        } else if (*p == '?') {
            emit_op(c, ONE);
            p++;
        } else if (*p == '[') {
            const char *close = set_end(p + 1, end);
            if (close == NULL) {
                fail(c, "unclosed [");
                return;
            }
            emit_set(c, p + 1, close);
            p = close + 1;
        } else {
            emit_byte(c, (unsigned char)*p++);
        }
    }
    if (c->before >= 0)
        c->filter.pairs |= pair((unsigned)c->before, '/');
    for (uint32_t at = all->free, shift = 24; at < code_end && shift <= 24; at++, shift -= 8) {
        if (all->code[at] == OP || all->code[at] == '/')
            break;
        c->filter.tail |= (uint32_t)all->code[at] << shift;
        c->filter.tail_mask |= UINT32_C(0xff) << shift;
    }
    if (all->count == PATTERNS_MOST)
        fail(c, "too many patterns (at most 1024)");
    if (c->failed)
        return;
    set_ending(all, c->filter);
    all->filter[all->count] = c->filter;
    all->pattern[all->count++] =
        (struct pattern){.at = all->free, .len = code_end - all->free, .whole = whole, .leave = leave};
}

/* The end of the element at P: a colon that isn't in a set, or the end of the list. */
static const char *element_end(const char *p)
{
    const char *end = p + strlen(p);
    for (; p < end && *p != ':'; p++)
        if (*p == '[') {
            const char *close = set_end(p + 1, end);
            if (close != NULL)
                p = close;
        }
    return p;
}

/* Calls EACH for every element of LIST, until one fails. */
static void for_elements(struct compiler *c, const char *list,
                         void (*each)(struct compiler *, const char *, const char *))
{
    c->element_number = 0;
    for (const char *p = list; !c->failed;) {
        const char *end = element_end(p);
        c->element_number++;
        c->element = p;
        c->element_len = (size_t)(end - p);
        each(c, p, end);
        if (*end == '\0')
            return;
        p = end + 1;
    }
}

static void fail_empty(struct compiler *c)
{
    c->failed = true;
    text_add(&c->err, "element ");
    text_number(&c->err, c->element_number);
    text_add(&c->err, " of the list is empty");
}

static void compile_own(struct compiler *c, const char *p, const char *end)
{
    bool leave = p < end && *p == '!';
    p += leave;
    if (p == end)
        fail_empty(c);
    else if (*p == '@' && leave)
        fail(c, "a preset can't be exempted (a name that begins with @ is [@]name)");
    else if (*p != '@')
        compile_glob(c, p, end, leave);
}

static void compile_managed(struct compiler *c, const char *p, const char *end)
{
    compile_glob(c, p, end, false);
}

static void compile_left_alone(struct compiler *c, const char *p, const char *end)
{
    compile_glob(c, p, end, true);
}

static bool is_name(const char *name, const char *p, const char *end)
{
    return strlen(name) == (size_t)(end - p) && memcmp(name, p, (size_t)(end - p)) == 0;
}

static void compile_never(struct compiler *c)
{
    for (size_t i = 0; i < PRESETS; i++)
        if (strcmp(presets[i].name, "never") == 0)
            for_elements(c, presets[i].patterns, compile_left_alone);
}

static void unknown_preset(struct compiler *c)
{
    fail(c, "unknown preset (known:");
    for (size_t i = 0; i < PRESETS; i++) {
        text_add(&c->err, " @");
        text_add(&c->err, presets[i].name);
    }
    text_add(&c->err, ")");
}

static void compile_preset(struct compiler *c, const char *p, const char *end)
{
    if (*p != '@')
        return;
    p++;
    if (is_name("auto", p, end)) {
        c->p->automatic = true;
        return;
    }
    for (size_t i = 0; i < PRESETS; i++)
        if (is_name(presets[i].name, p, end)) {
            if (!is_name("never", p, end)) /* in force already */
                for_elements(c, presets[i].patterns, compile_managed);
            return;
        }
    unknown_preset(c);
}

int patterns_compile(struct patterns *p, const char *list, char *err, size_t errlen)
{
    struct compiler c = {.p = p, .err = text_in(err, errlen)};
    p->count = 0;
    p->free = PATTERNS_CODE;
    p->automatic = false;
    for_elements(&c, list, compile_own);
    if (!c.failed)
        compile_never(&c);
    if (!c.failed)
        for_elements(&c, list, compile_preset);
    if (c.failed) {
        p->count = 0;
        p->automatic = false;
    }
    return c.failed ? -1 : 0;
}

/* -------------------------------------------------------------------- match */

/* The path that is asked about. */
struct subject {
    const char *(*cwd)(void *);
    void *arg;
    const char *cwd_path; /* once asked; NULL when there is none */
    bool cwd_asked;
};

/*
 * Reads a path backwards: its last component, then for `whole` the components
 * before it that ".." leaves, each with the slash before it, and so on to the
 * first slash of the absolute path.
 */
struct reader {
    struct subject *subject;
    const char *begin; /* of the text that is being read: the path, or the directory */
    const char *name;  /* of the component that is being read */
    const char *at;    /* one past the byte that comes next */
    size_t up;         /* components that ".." took away */
    bool last;         /* nothing comes before this component */
};

static const char *subject_cwd(struct subject *s)
{
    if (!s->cwd_asked) {
        s->cwd_asked = true;
        s->cwd_path = s->cwd(s->arg);
        if (s->cwd_path != NULL && s->cwd_path[0] != '/')
            s->cwd_path = NULL;
    }
    return s->cwd_path;
}

/* Moves on to the component before.  False when that can't be known. */
static bool reader_up(struct reader *r)
{
    r->at = r->name;
    for (;;) {
        while (r->at > r->begin && r->at[-1] == '/')
            r->at--;
        if (r->at == r->begin) {
            const char *cwd;
            if (*r->begin == '/') {
                r->name = r->at;
                r->last = true;
                return true;
            }
            cwd = subject_cwd(r->subject);
            if (cwd == NULL)
                return false;
            r->begin = cwd;
            r->at = cwd + strlen(cwd);
            continue;
        }
        const char *end = r->at;
        const char *name = end - 1;
        while (name > r->begin && name[-1] != '/')
            name--;
        r->name = r->at = name;
        if (end - name == 1 && name[0] == '.')
            continue;
        if (end - name == 2 && name[0] == '.' && name[1] == '.') {
            r->up++;
        } else if (r->up > 0) {
            r->up--;
        } else {
            r->at = end;
            return true;
        }
    }
}

static int reader_next(struct reader *r)
{
    if (r->at != r->name)
        return (unsigned char)*--r->at;
    if (r->last || !reader_up(r))
        return END;
    return '/';
}

/*
 * Reads away one more byte for SOME, ANY or DIRS, and for SOME, within the component, also
 * those where the code that follows, NEXT, can't go on.  False when it may not.
 */
static bool reader_skip(struct reader *r, int op, const unsigned char *next, const unsigned char *end)
{
    int c = reader_next(r);
    if (op == SOME && (c == END || c == '/'))
        return false;
    if (op == SOME && next < end && *next != OP)
        while (r->at != r->name && (unsigned char)r->at[-1] != *next)
            r->at--;
    while (op == DIRS && c != END && c != '/')
        c = reader_next(r);
    return c != END;
}

/* Does the code at *CODE, which isn't SOME, ANY or DIRS, take the byte C?  Moves past it. */
static bool takes(const unsigned char **code, int c)
{
    const unsigned char *at = *code;
    if (*at != OP) {
        *code += 1;
        return *at == c;
    }
    if (at[1] == ONE) {
        *code += 2;
        return c != END && c != '/';
    }
    *code += 2 + SET_BYTES;
    return c != END && (at[2 + c / 8] >> c % 8 & 1) != 0;
}

/*
 * Each kind of star takes as little as it can and one byte more when the rest
 * fails.  Only the last SOME, and the last ANY or DIRS, need to be tried again: what
 * an earlier one could take more, they can take as well.
 */
static __attribute__((noinline)) bool matches(const struct patterns *p, const struct pattern *one, struct reader r)
{
    const unsigned char *code = p->code + one->at;
    const unsigned char *code_end = code + one->len;
    const unsigned char *some = NULL, *any = NULL; /* where to go on after more was taken */
    struct reader some_at, any_at;                 /* and what is left then */
    r.last = !one->whole;
    int any_op = ANY;
    for (;;) {
        if (code < code_end && code[0] == OP && code[1] == SOME) {
            some = code += 2;
            some_at = r;
            continue;
        }
        if (code < code_end && code[0] == OP && (code[1] == ANY || code[1] == DIRS)) {
            any_op = code[1];
            any = code += 2;
            any_at = r;
            some = NULL;
            continue;
        }
        int c = reader_next(&r);
        if (code == code_end) {
            if (c == END)
                return true;
        } else if (takes(&code, c)) {
            continue;
        }
        if (some != NULL && reader_skip(&some_at, SOME, some, code_end)) {
            code = some;
            r = some_at;
        } else if (any != NULL && reader_skip(&any_at, any_op, any, code_end)) {
            code = any;
            r = any_at;
            some = NULL;
        } else {
            return false;
        }
    }
}

/* The last four bytes of the path that ends at END, the last one on top; slashes for those it lacks. */
static uint32_t path_tail(const char *path, const char *end)
{
    uint32_t tail = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char c = end - path > i ? (unsigned char)end[-1 - i] : '/';
        tail |= (uint32_t)c << (24 - 8 * i);
    }
    return tail;
}

enum pattern_verdict patterns_judge(const struct patterns *p, const char *path, size_t len, const char *(*cwd)(void *),
                                    void *arg)
{
    while (len > 0 && path[len - 1] == '/')
        len--;
    const char *end = path + len;
    const char *name = end;
    uint64_t pairs = 0;
    unsigned after = '/';
    while (name > path && name[-1] != '/') {
        unsigned char c = (unsigned char)*--name;
        pairs |= pair(c, after);
        after = c;
    }
    pairs |= pair('/', after);
    if (name == end || (name[0] == '.' && (end - name == 1 || (end - name == 2 && name[1] == '.'))))
        return PATTERN_LEAVE;

    struct subject subject = {.cwd = cwd, .arg = arg};
    const struct reader last = {.subject = &subject, .begin = path, .name = name, .at = end, .last = true};
    uint32_t tail = path_tail(path, end);
    for (uint32_t word = 0; word * 64 < p->count; word++) {
        uint64_t left = p->ending[word][tail >> 24];
        for (; left != 0; left &= left - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
            const struct pattern_filter *f = &p->filter[i];
            if (((f->tail ^ tail) & f->tail_mask) == 0 && (f->pairs & ~pairs) == 0 && matches(p, &p->pattern[i], last))
                return p->pattern[i].leave ? PATTERN_LEAVE : PATTERN_MANAGE;
        }
    }
    return PATTERN_NONE;
}

bool patterns_preset(size_t i, const char **name, const char **about, const char **list)
{
    if (i >= PRESETS)
        return false;
    *name = presets[i].name;
    *about = presets[i].about;
    *list = presets[i].patterns;
    return true;
}
