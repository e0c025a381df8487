/* What a sequence left behind: names, kinds, modes, owners, links, targets, sizes and bytes, compared without times.
 *
 * The idea: a directory becomes a sorted list of lines; two lists are compared line by line.
 */
#ifndef TREE_H
#define TREE_H

#include "machine.h"

#include <err.h>

struct lines {
    char *text;
    size_t length, room;
    struct {
        ino_t ino;
        char name[PATH_MAX];
    } first[64]; /* of the files with several names */
    unsigned firsts;
};

static void add_line(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_line(struct lines *l, const char *format, ...)
{
    char line[3 * PATH_MAX];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (n < 0 || (size_t)n >= sizeof line)
        errx(1, "a line is too long");
    if (l->length + (size_t)n + 1 > l->room) {
        l->room = 2 * l->room + sizeof line;
        l->text = realloc(l->text, l->room);
        if (!l->text)
            err(1, "memory");
    }
    memcpy(l->text + l->length, line, (size_t)n + 1);
    l->length += (size_t)n;
}

/* The name under which an inode with several was met first. */
static const char *first_name(struct lines *l, const struct stat *s, const char *name)
{
    if (s->st_nlink < 2)
        return "";
    for (unsigned i = 0; i < l->firsts; i++)
        if (l->first[i].ino == s->st_ino)
            return l->first[i].name;
    if (l->firsts < 64) {
        l->first[l->firsts].ino = s->st_ino;
        snprintf(l->first[l->firsts++].name, sizeof l->first->name, "%s", name);
    }
    return "";
}

/* No sequence writes more than a few megabytes in earnest; a hole may be as large as a wrong offset makes it. */
static uint64_t hash_file(const char *path)
{
    enum { MOST = 1 << 24 };
    static char part[1 << 16];
    uint64_t h = 0;
    long done = 0;
    int from = open(path, O_RDONLY);
    if (from < 0)
        err(1, "%s", path);
    for (ssize_t n; done < MOST && (n = read(from, part, sizeof part)) > 0; done += n)
        h = h * 31 + hash(part, n);
    close(from);
    return h;
}

/* below: of it, as shown; root: whose path in the targets of links is the same for both. */
static void add_directory(struct lines *l, const char *path, const char *below, size_t root)
{
    struct dirent **list;
    int n = scandir(path, &list, NULL, alphasort);
    if (n < 0)
        err(1, "%s", path);
    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name;
        char whole[PATH_MAX], shown_as[PATH_MAX], target[PATH_MAX] = "";
        struct stat s;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        snprintf(whole, sizeof whole, "%.2000s/%s", path, name);
        snprintf(shown_as, sizeof shown_as, "%.2000s/%s", below, name);
        if (lstat(whole, &s) < 0)
            err(1, "%s", whole);
        add_line(l, "%s mode %o owner %u:%u ", shown_as, s.st_mode, s.st_uid, s.st_gid);
        if (S_ISREG(s.st_mode)) {
            add_line(l, "links %lu%s size %lld bytes %llx\n", (unsigned long)s.st_nlink, first_name(l, &s, shown_as),
                     (long long)s.st_size, (unsigned long long)hash_file(whole));
        } else if (S_ISLNK(s.st_mode)) {
            ssize_t length_of_it = readlink(whole, target, sizeof target - 1);
            bool absolute = length_of_it > (ssize_t)root && strncmp(target, path, root) == 0;
            add_line(l, "target %s\n", absolute ? target + root : target);
        } else {
            add_line(l, "\n");
        }
        if (S_ISDIR(s.st_mode))
            add_directory(l, whole, shown_as, root);
        free(list[i]);
    }
    free(list);
}

static struct lines tree_of(const char *directory, uint64_t number)
{
    struct lines l = {0};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.2000s/%llu", directory, (unsigned long long)number);
    add_line(&l, "files:\n");
    add_directory(&l, path, "", strlen(directory));
    return l;
}

static size_t line_length(const char *text)
{
    return strcspn(text, "\n");
}

/* Whether the sequence's files differ; say: where to show the lines that do, or NULL. */
static bool trees_differ(const char *one, const char *two, uint64_t number, FILE *say)
{
    struct lines a = tree_of(one, number), b = tree_of(two, number);
    bool differ = strcmp(a.text, b.text) != 0;
    const char *p = a.text, *q = b.text;
    while (say && differ && (*p || *q)) {
        size_t n = line_length(p), m = line_length(q);
        if (n != m || memcmp(p, q, n) != 0)
            fprintf(say, "native %.*s\nshim   %.*s\n", (int)n, p, (int)m, q);
        p += n + (p[n] == '\n');
        q += m + (q[m] == '\n');
    }
    free(a.text);
    free(b.text);
    return differ;
}

#endif
