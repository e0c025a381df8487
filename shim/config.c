/*
 * Configuration: one row per variable, and a reader for each kind of value.
 *
 * A reader gets the value, checks all of it and says in a few words what is
 * wrong.  A new variable is a new row, and a new member of struct config.
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys.h"
#include "text.h"

static const char prefix[] = "TRACESHIM_";
static const char default_patterns[] = "@ns3";

enum {
    WINDOW_DEFAULT = 1000,
    WINDOW_MOST = 3600 * 1000,
    BUFFER_LEAST = 4096,
    BUFFER_DEFAULT = 256 << 10,
    BUFFER_MOST = 1 << 30,
    MEMORY_DEFAULT = 64 << 20,
    PID_ROOM = 64, /* what a pid and an image's number may add to a path */
};

static bool may_write(const char *path, int also)
{
    return sys6(SYS_faccessat, AT_FDCWD, (long)path, W_OK | also, 0, 0, 0) == 0;
}

/* ------------------------------------------------------------------ numbers */

/* Decimal digits at *S to *N, at most MOST, moving *S past them. */
static bool read_number(const char **s, unsigned long long most, unsigned long long *n)
{
    const char *begin = *s;
    for (*n = 0; **s >= '0' && **s <= '9'; ++*s) {
        unsigned digit = (unsigned)(**s - '0');
        if (digit > most || *n > (most - digit) / 10)
            return false;
        *n = *n * 10 + digit;
    }
    return *s != begin;
}

static bool read_size(const char *s, unsigned long long least, unsigned long long most, size_t *size)
{
    static const char units[] = "KMG";
    unsigned long long n;
    if (!read_number(&s, most, &n))
        return false;
    const char *unit = *s == '\0' ? NULL : strchr(units, *s);
    if (unit != NULL) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);
        if (n > most >> shift)
            return false;
        n <<= shift;
        s++;
    }
    if (*s != '\0' || n < least || n > most)
        return false;
    *size = (size_t)n;
    return true;
}

/* -------------------------------------------------------------------- paths */

/* VALUE as an absolute path into TO. */
static bool make_absolute(char to[CONFIG_PATH], const char *value, struct text *why)
{
    struct text path = text_in(to, CONFIG_PATH - PID_ROOM);
    if (value[0] != '/') {
        char cwd[CONFIG_PATH];
        if (sys_getcwd(cwd, sizeof cwd) < 0 || cwd[0] != '/') {
            text_add(why, "the working directory that it is relative to has no path");
            return false;
        }
        text_add(&path, cwd);
        text_byte(&path, '/');
    }
    text_add(&path, value);
    if (text_cut(&path))
        text_add(why, "the path is too long");
    return !text_cut(&path);
}

/* Can a file be made, and replaced, in the directory of PATH? */
static bool directory_is_writable(const char *path, struct text *why)
{
    char directory[CONFIG_PATH];
    struct stat st;
    size_t len = (size_t)(strrchr(path, '/') - path);
    struct text t = text_in(directory, sizeof directory);
    text_bytes(&t, path, len == 0 ? 1 : len);
    if (strstr(directory, "%p") != NULL) {
        text_add(why, "%p may stand in the file's name only");
        return false;
    }
    if (sys_fstatat(AT_FDCWD, directory, &st, 0) != 0 || !S_ISDIR(st.st_mode))
        text_add(why, "no such directory: ");
    else if (!may_write(directory, X_OK))
        text_add(why, "no permission to write in ");
    else
        return true;
    text_quoted(why, directory, strlen(directory));
    return false;
}

/*
 * A path to write to into TO: absolute, the file a regular one if it exists.
 * REPLACED files are made anew each time, the others appended to.
 */
static bool read_path(char to[CONFIG_PATH], const char *value, bool replaced, struct text *why)
{
    struct stat st;
    if (strcmp(value, "-") == 0) {
        memcpy(to, value, 2);
        return true;
    }
    if (*value == '\0' || value[strlen(value) - 1] == '/') {
        text_add(why, "not the path of a file (- is the standard error)");
        return false;
    }
    if (!make_absolute(to, value, why))
        return false;
    bool exists = sys_fstatat(AT_FDCWD, to, &st, 0) == 0;
    if (exists && !S_ISREG(st.st_mode)) {
        text_add(why, "not a regular file (- is the standard error)");
        return false;
    }
    if (!exists || replaced)
        return directory_is_writable(to, why);
    if (!may_write(to, 0))
        text_add(why, "no permission to write to it");
    return may_write(to, 0);
}

/* ---------------------------------------------------------------- variables */

static bool read_disable(struct config *c, const char *value, struct text *why)
{
    c->disabled = strcmp(value, "1") == 0;
    if (!c->disabled && strcmp(value, "0") != 0)
        text_add(why, "neither 1 nor 0");
    return why->used == 0;
}

static bool read_patterns(struct config *c, const char *value, struct text *why)
{
    char err[PATTERNS_ERROR];
    if (patterns_compile(&c->patterns, value, err, sizeof err) != 0) {
        text_add(why, err);
        return false;
    }
    return true;
}

static bool read_window(struct config *c, const char *value, struct text *why)
{
    unsigned long long n;
    if (!read_number(&value, WINDOW_MOST, &n) || *value != '\0') {
        text_add(why, "not a number of milliseconds (0 to 3600000)");
        return false;
    }
    c->window_ms = (unsigned)n;
    return true;
}

static bool read_buffer(struct config *c, const char *value, struct text *why)
{
    if (read_size(value, BUFFER_LEAST, BUFFER_MOST, &c->buffer))
        return true;
    text_add(why, "not a size (4096 to 1G: bytes, or with K, M or G)");
    return false;
}

static bool read_memory(struct config *c, const char *value, struct text *why)
{
    if (read_size(value, BUFFER_LEAST, 1ull << 40, &c->memory))
        return true;
    text_add(why, "not a size (4096 to 1024G: bytes, or with K, M or G)");
    return false;
}

static bool read_report(struct config *c, const char *value, struct text *why)
{
    return read_path(c->report, value, true, why);
}

static bool read_log(struct config *c, const char *value, struct text *why)
{
    return read_path(c->log, value, false, why);
}

static bool read_switch(bool *on, const char *value, struct text *why)
{
    *on = strcmp(value, "on") == 0;
    if (!*on && strcmp(value, "off") != 0)
        text_add(why, "neither on nor off");
    return why->used == 0;
}

static bool read_guard(struct config *c, const char *value, struct text *why)
{
    return read_switch(&c->guard, value, why);
}

static bool read_cause(struct config *c, const char *value, struct text *why)
{
    return read_switch(&c->cause, value, why);
}

static bool read_dir(struct config *c, const char *value, struct text *why)
{
    struct stat st;
    if (!make_absolute(c->dir, value, why))
        return false;
    if (strlen(c->dir) >= CONFIG_DIR)
        text_add(why, "the path is too long");
    else if (sys_fstatat(AT_FDCWD, c->dir, &st, 0) != 0 || !S_ISDIR(st.st_mode))
        text_add(why, "no such directory");
    else if (!may_write(c->dir, X_OK))
        text_add(why, "no permission to write in it");
    return why->used == 0;
}

static const struct variable {
    const char *name; /* after the prefix */
    bool (*read)(struct config *c, const char *value, struct text *why);
    const char *what;
} variables[] = {
    {"PATTERNS", read_patterns, "which files, separated by colons (default @ns3)"},
    {"WINDOW_MS", read_window, "bytes reach the file within so many milliseconds (default 1000)"},
    {"BUFFER", read_buffer, "bytes of the buffer of one file (default 256K)"},
    {"MEMORY", read_memory, "bytes of all buffers (default 64M)"},
    {"REPORT", read_report, "where the report goes, %p is the pid, - is the standard error"},
    {"LOG", read_log, "where the log goes, - is the standard error"},
    {"GUARD", read_guard, "off: buffer without the guard process (default on)"},
    {"CAUSE", read_cause, "off: others may be told of records before they are in the file (default on)"},
    {"DIR", read_dir, "where journals are kept (default /dev/shm)"},
    {"DISABLE", read_disable, "1: do nothing"},
};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

bool config_variable(size_t i, const char **name, const char **what)
{
    if (i >= VARIABLES)
        return false;
    *name = variables[i].name;
    *what = variables[i].what;
    return true;
}

/* The row of the variable in ENTRY ("NAME=VALUE"), or NULL. */
static const struct variable *find_variable(const char *entry)
{
    const char *name = entry + sizeof prefix - 1;
    size_t len = (size_t)(strchr(entry, '=') - name);
    for (size_t i = 0; i < VARIABLES; i++)
        if (strlen(variables[i].name) == len && memcmp(variables[i].name, name, len) == 0)
            return &variables[i];
    return NULL;
}

static bool is_ours(const char *entry)
{
    return strncmp(entry, prefix, sizeof prefix - 1) == 0 && strchr(entry, '=') != NULL;
}

/* The entry of the variable NAME, without the prefix, in ENVP, or NULL. */
static const char *find_entry(char *const envp[], const char *name)
{
    size_t len = strlen(name);
    for (; *envp != NULL; envp++) {
        const char *rest = *envp + sizeof prefix - 1;
        if (is_ours(*envp) && strncmp(rest, name, len) == 0 && rest[len] == '=')
            return *envp;
    }
    return NULL;
}

static int complain(char *err, size_t errlen, const char *entry, const char *why)
{
    struct text t = text_in(err, errlen);
    text_add(&t, "traceshim: ");
    text_quoted(&t, entry, strlen(entry));
    text_add(&t, ": ");
    text_add(&t, why);
    return -1;
}

/* Reads ENTRY ("NAME=VALUE") by ROW.  0 or -1. */
static int read_entry(struct config *c, const struct variable *row, const char *entry, char *err, size_t errlen)
{
    char memory[CONFIG_ERROR];
    struct text why = text_in(memory, sizeof memory);
    if (row->read(c, strchr(entry, '=') + 1, &why))
        return 0;
    return complain(err, errlen, entry, memory);
}

static int check_memory(const struct config *c, char *const envp[], char *err, size_t errlen)
{
    char memory[128];
    struct text why = text_in(memory, sizeof memory);
    const char *entry = find_entry(envp, "MEMORY");
    if (c->memory >= c->buffer)
        return 0;
    if (entry != NULL) {
        text_add(&why, "less than one buffer, which is ");
        text_number(&why, c->buffer);
    } else {
        entry = find_entry(envp, "BUFFER");
        text_add(&why, "more than the memory of all buffers, which is ");
        text_number(&why, c->memory);
    }
    return complain(err, errlen, entry, memory);
}

int config_read(struct config *c, char *const envp[], char *err, size_t errlen)
{
    c->disabled = false;
    c->window_ms = WINDOW_DEFAULT;
    c->buffer = BUFFER_DEFAULT;
    c->memory = MEMORY_DEFAULT;
    c->report[0] = c->log[0] = c->dir[0] = '\0';
    c->guard = c->cause = true;

    const char *disable = find_entry(envp, "DISABLE");
    if (disable != NULL && read_entry(c, find_variable(disable), disable, err, errlen) != 0)
        return -1;
    if (c->disabled)
        return 0;
    for (char *const *entry = envp; *entry != NULL; entry++) {
        if (!is_ours(*entry))
            continue;
        const struct variable *row = find_variable(*entry);
        if (row == NULL)
            return complain(err, errlen, *entry, "this version has no such variable");
        if (find_entry(envp, row->name) == *entry && read_entry(c, row, *entry, err, errlen) != 0)
            return -1;
    }
    if (find_entry(envp, "PATTERNS") == NULL && patterns_compile(&c->patterns, default_patterns, err, errlen) != 0)
        return -1;
    return check_memory(c, envp, err, errlen);
}

/* ------------------------------------------------------- names of the output */

/* Where the extension of PATH begins: its last dot, or its end.  A leading dot is part of the name. */
static const char *extension(const char *path)
{
    const char *name = strrchr(path, '/');
    name = name == NULL ? path : name + 1;
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? path + strlen(path) : dot;
}

static void add_process(struct text *t, pid_t pid, unsigned execs)
{
    text_number(t, (unsigned long long)pid);
    if (execs > 0) {
        text_byte(t, '-');
        text_number(t, (unsigned long long)execs + 1);
    }
}

/* PATH with PID for every %p into T; true when there was one. */
static bool add_expanded(struct text *t, const char *path, pid_t pid, unsigned execs)
{
    bool found = false;
    while (*path != '\0') {
        if (path[0] == '%' && path[1] == 'p') {
            add_process(t, pid, execs);
            found = true;
            path += 2;
        } else {
            text_byte(t, *path++);
        }
    }
    return found;
}

static int finish_path(const char *path, const struct text *t)
{
    return *path == '\0' || text_cut(t) ? -1 : 0;
}

int config_report_path(const struct config *c, pid_t pid, unsigned execs, char *out, size_t size)
{
    struct text t = text_in(out, size);
    if (!add_expanded(&t, c->report, pid, execs) && strcmp(c->report, "-") != 0) {
        const char *dot = extension(c->report);
        t = text_in(out, size);
        text_bytes(&t, c->report, (size_t)(dot - c->report));
        text_byte(&t, '-');
        add_process(&t, pid, execs);
        text_add(&t, dot);
    }
    return finish_path(c->report, &t);
}
