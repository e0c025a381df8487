/* Writing the report: see report.h. */
#include "report.h"

#include <limits.h>
#include <string.h>

#include "sys.h"
#include "text.h"

static const char *const reason_names[] = {
#define R(name, text) #name,
    REASONS(R)
#undef R
};
static const char *const reason_texts[] = {
#define R(name, text) text,
    REASONS(R)
#undef R
};
static const char *const cause_names[] = {
#define C(name) #name,
    CAUSES(C)
#undef C
};

/* ---- output, a page at a time ---- */

struct out {
    int fd;
    int error; /* -errno of a write, 0 for none */
    size_t n;
    char memory[4096];
};

static void flush(struct out *o)
{
    for (size_t at = 0; at < o->n;) {
        long done = sys_write(o->fd, o->memory + at, o->n - at);
        if (done == -EINTR)
            continue;
        if (done <= 0) {
            o->error = done < 0 ? (int)done : -EIO;
            break;
        }
        at += (size_t)done;
    }
    o->n = 0;
}

static void put_bytes(struct out *o, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (o->n == sizeof o->memory)
            flush(o);
        o->memory[o->n++] = p[i];
    }
}

static void put(struct out *o, const char *text)
{
    put_bytes(o, text, strlen(text));
}

static void put_number(struct out *o, uint64_t n)
{
    char digits[20];
    size_t i = sizeof digits;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    put_bytes(o, digits + i, sizeof digits - i);
}

static void put_two(struct out *o, uint64_t n)
{
    if (n < 10)
        put(o, "0");
    put_number(o, n);
}

/* A JSON string: bytes that are no UTF-8 become U+FFFD. */
static size_t utf8(const unsigned char *p, size_t left)
{
    size_t n = p[0] < 0x80                   ? 1
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
               : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

static void put_string(struct out *o, const char *text, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *p = (const unsigned char *)text;
    put(o, "\"");
    for (size_t i = 0; i < length;) {
        size_t n = utf8(p + i, length - i);
        if (n == 0) {
            put(o, "\\ufffd");
            n = 1;
        } else if (p[i] < 0x20) {
            char escape[] = "\\u00xx";
            escape[4] = hex[p[i] >> 4];
            escape[5] = hex[p[i] & 15];
            put(o, escape);
        } else {
            if (p[i] == '"' || p[i] == '\\')
                put(o, "\\");
            put_bytes(o, text + i, n);
        }
        i += n;
    }
    put(o, "\"");
}

/* ---- what is known ---- */

/* Calls that the program asked for and the kernel didn't see; the drains' own count against it. */
static uint64_t saved(const struct counters *n)
{
    uint64_t asked = n->opens + n->closes + n->writes + n->seeks;
    uint64_t real = n->real_opens + n->real_closes + n->drain_calls;
    return asked > real ? asked - real : 0;
}

static const char *state_of(const struct shown *r)
{
    return !r->managed ? "unmanaged" : r->through ? "write-through" : "managed";
}

/* The first reason, in the order of the enum. */
static unsigned reason_of(const struct shown *r)
{
    if (!r->managed)
        return r->unmanaged;
    return r->through ? (unsigned)__builtin_ctz(r->through) : REASON_NONE;
}

static void put_time(struct out *o, int64_t t)
{
    /* Civil date from days since 1970 (the proleptic Gregorian calendar, counted from March). */
    int64_t days = t / 86400, rest = t % 86400;
    int64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    int64_t day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
    put_number(o, (uint64_t)(yoe + era * 400 + (month <= 2)));
    put(o, "-");
    put_two(o, (uint64_t)month);
    put(o, "-");
    put_two(o, (uint64_t)day);
    put(o, "T");
    put_two(o, (uint64_t)(rest / 3600));
    put(o, ":");
    put_two(o, (uint64_t)(rest / 60 % 60));
    put(o, ":");
    put_two(o, (uint64_t)(rest % 60));
    put(o, "Z");
}

static void put_seconds(struct out *o, int64_t started_ms)
{
    uint64_t ms = (uint64_t)(sys_now_ms() - started_ms);
    put_number(o, ms / 1000);
    put(o, ".");
    put_number(o, ms / 100 % 10);
    put_two(o, ms % 100);
}

static uint64_t saved_in_all(const struct report_facts *f)
{
    uint64_t all = 0;
    for (const struct shown *r = NULL; (r = f->next(r, f->arg));)
        all += saved(&r->n);
    return all;
}

/* ---- JSON ---- */

static void json_number(struct out *o, const char *name, uint64_t n)
{
    put(o, ", \"");
    put(o, name);
    put(o, "\": ");
    put_number(o, n);
}

static void json_file(struct out *o, const struct shown *r)
{
    put(o, "{\"path\": ");
    put_string(o, r->path, r->length);
    put(o, ", \"managed\": \"");
    put(o, state_of(r));
    put(o, "\", \"reason\": \"");
    put(o, reason_names[reason_of(r)]);
    put(o, "\"");
    json_number(o, "opens", r->n.opens);
    json_number(o, "real_opens", r->n.real_opens);
    json_number(o, "closes", r->n.closes);
    json_number(o, "real_closes", r->n.real_closes);
    json_number(o, "writes", r->n.writes);
    json_number(o, "bytes", r->n.bytes);
    json_number(o, "written_through", r->n.through);
    json_number(o, "drains", r->n.drains);
    put(o, ", \"drain_causes\": {");
    const char *comma = "";
    for (int c = 0; c < CAUSE_COUNT; c++) {
        if (!r->n.causes[c])
            continue;
        put(o, comma);
        put(o, "\"");
        put(o, cause_names[c]);
        put(o, "\": ");
        put_number(o, r->n.causes[c]);
        comma = ", ";
    }
    put(o, "}");
    json_number(o, "drained_bytes", r->n.drained);
    json_number(o, "drain_calls", r->n.drain_calls);
    json_number(o, "waits", r->n.waits);
    json_number(o, "calls_saved", saved(&r->n));
    json_number(o, "error", (uint64_t)r->err);
    put(o, "}");
}

static void json(struct out *o, const struct report_facts *f)
{
    put(o, "{\"traceshim\": \"" TRACESHIM_VERSION "\"");
    json_number(o, "pid", f->pid);
    json_number(o, "start_ticks", f->start_ticks);
    put(o, ", \"program\": ");
    put_string(o, f->program, strlen(f->program));
    put(o, ", \"started\": \"");
    put_time(o, f->started);
    put(o, "\", \"seconds\": ");
    put_seconds(o, f->started_ms);
    put(o, ", \"state\": \"");
    put(o, f->state);
    put(o, "\", \"weaker\": [");
    for (int i = 0; f->weaker[i]; i++) {
        put(o, i ? ", " : "");
        put_string(o, f->weaker[i], strlen(f->weaker[i]));
    }
    put(o, "]");
    json_number(o, "calls_saved", saved_in_all(f));
    put(o, ", \"descriptors\": {\"cached\": ");
    put_number(o, f->cached);
    json_number(o, "evicted", f->evicted);
    json_number(o, "most", f->most);
    put(o, "}, \"files\": [");
    const char *comma = "";
    for (const struct shown *r = NULL; (r = f->next(r, f->arg));) {
        put(o, comma);
        put(o, "\n");
        json_file(o, r);
        comma = ",";
    }
    put(o, "]}\n");
}

/* ---- text ---- */

static void text_file(struct out *o, const struct shown *r)
{
    put(o, "  ");
    put_bytes(o, r->path, r->length);
    put(o, "\n    ");
    put(o, state_of(r));
    if (reason_of(r) != REASON_NONE) {
        put(o, " (");
        put(o, reason_names[reason_of(r)]);
        put(o, ": ");
        put(o, reason_texts[reason_of(r)]);
        put(o, ")");
    }
    put(o, "\n    opens ");
    put_number(o, r->n.opens);
    put(o, ", of them real ");
    put_number(o, r->n.real_opens);
    put(o, "; writes ");
    put_number(o, r->n.writes);
    put(o, ", bytes ");
    put_number(o, r->n.bytes);
    put(o, "; drains ");
    put_number(o, r->n.drains);
    const char *before = " (";
    for (int c = 0; c < CAUSE_COUNT; c++) {
        if (!r->n.causes[c])
            continue;
        put(o, before);
        put(o, cause_names[c]);
        put(o, " ");
        put_number(o, r->n.causes[c]);
        before = ", ";
    }
    if (before[0] == ',')
        put(o, ")");
    put(o, "; calls saved ");
    put_number(o, saved(&r->n));
    put(o, "\n");
    if (r->err) {
        put(o, "    last error ");
        put_number(o, (uint64_t)r->err);
        put(o, "\n");
    }
}

static void text(struct out *o, const struct report_facts *f)
{
    put(o, "traceshim " TRACESHIM_VERSION ": process ");
    put_number(o, f->pid);
    put(o, " (");
    put(o, f->program);
    put(o, "), started ");
    put_time(o, f->started);
    put(o, ", ran ");
    put_seconds(o, f->started_ms);
    put(o, " s, start_ticks ");
    put_number(o, f->start_ticks);
    put(o, "\n  ");
    put(o, f->state);
    put(o, "; calls saved ");
    put_number(o, saved_in_all(f));
    put(o, "; descriptors cached ");
    put_number(o, f->cached);
    put(o, ", at most ");
    put_number(o, f->most);
    put(o, ", evicted ");
    put_number(o, f->evicted);
    put(o, "\n");
    for (int i = 0; f->weaker[i]; i++) {
        put(o, "  weaker than promised: ");
        put(o, f->weaker[i]);
        put(o, "\n");
    }
    for (const struct shown *r = NULL; (r = f->next(r, f->arg));)
        text_file(o, r);
}

/* ---- where to ---- */

static bool ends_in_json(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && strcmp(path + n - 5, ".json") == 0;
}

bool report_is_of(const char *path, uint64_t start_ticks)
{
    char memory[512];
    long fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    long n = sys_read((int)fd, memory, sizeof memory - 1);
    sys_close((int)fd);
    if (n <= 0)
        return false;
    memory[n] = 0;
    const char *p = strstr(memory, "start_ticks");
    if (!p)
        return false;
    p += strcspn(p, "0123456789\n");
    uint64_t ticks = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        ticks = ticks * 10 + (uint64_t)(*p - '0');
    return ticks == start_ticks;
}

static int write_to(int fd, bool as_json, const struct report_facts *facts)
{
    struct out o = {.fd = fd};
    if (as_json)
        json(&o, facts);
    else
        text(&o, facts);
    flush(&o);
    return o.error;
}

int report_to(const char *path, const struct report_facts *facts)
{
    char fresh[5000];
    if (strcmp(path, "-") == 0)
        return write_to(2, false, facts);
    struct text t = text_in(fresh, sizeof fresh);
    text_add(&t, path);
    text_add(&t, ".new");
    if (text_cut(&t))
        return -ENAMETOOLONG;
    const int flags =
        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY; /* a file of our own, whoever put what there */
    long fd = sys_openat(AT_FDCWD, fresh, flags, 0666);
    if (fd == -EEXIST && sys_unlinkat(AT_FDCWD, fresh, 0) == 0)
        fd = sys_openat(AT_FDCWD, fresh, flags, 0666);
    if (fd < 0)
        return (int)fd;
    int done = write_to((int)fd, ends_in_json(path), facts);
    sys_close((int)fd);
    if (done == 0)
        done = (int)sys_renameat(AT_FDCWD, fresh, AT_FDCWD, path);
    if (done < 0)
        sys_unlinkat(AT_FDCWD, fresh, 0);
    return done;
}
