/*
 * LD_PRELOAD: append, and get round what it can't hold.
 */
#include "preload.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ld.so(8): spaces and colons separate, $ORIGIN and the like are expanded. */
static bool fits(const char *path)
{
    return strpbrk(path, " :$") == NULL;
}

/* Makes DIRECTORY, or finds that it is the user's own and nobody else can write there. */
static bool own_directory(const char *directory)
{
    struct stat st;
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(directory, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 022) == 0;
}

/* The directory for links into DIRECTORY.  False when none can be had. */
static bool find_directory(char directory[PATH_MAX])
{
    const char *candidates[] = {getenv("TMPDIR"), "/tmp", "/var/tmp", "/dev/shm"};
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        const char *base = candidates[i];
        if (base == NULL || base[0] != '/' || !fits(base))
            continue;
        int n = snprintf(directory, PATH_MAX, "%s/traceshim-%lu", base, (unsigned long)geteuid());
        if (n < PATH_MAX && own_directory(directory))
            return true;
    }
    return false;
}

/* FNV-1a, so that each installation has its own link. */
static uint64_t hash(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *s != '\0'; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return h;
}

static bool leads_to(const char *link, const char *target)
{
    char now[PATH_MAX];
    ssize_t n = readlink(link, now, sizeof now);
    return n == (ssize_t)strlen(target) && memcmp(now, target, (size_t)n) == 0;
}

/* Makes LINK lead to TARGET, whatever it was before; at no time does it not exist or lead elsewhere. */
static bool make_link(const char *link, const char *target)
{
    char fresh[PATH_MAX];
    if (leads_to(link, target))
        return true;
    if (snprintf(fresh, sizeof fresh, "%s.%ld", link, (long)getpid()) >= (int)sizeof fresh ||
        symlink(target, fresh) != 0)
        return false;
    if (rename(fresh, link) == 0)
        return true;
    unlink(fresh);
    return false;
}

/* A path for LIBRARY that LD_PRELOAD can hold into PATH.  0, or -1 after a line on stderr. */
static int make_fit(const char *library, char path[PATH_MAX])
{
    char directory[PATH_MAX];
    if (find_directory(directory)) {
        int n = snprintf(path, PATH_MAX, "%s/libtraceshim-%016llx.so", directory, (unsigned long long)hash(library));
        if (n < PATH_MAX && make_link(path, library))
            return 0;
    }
    fprintf(stderr,
            "traceshim: %s: LD_PRELOAD can't hold this path, and there is no directory for a link "
            "to it\n",
            library);
    return -1;
}

static bool is_listed(const char *list, const char *path)
{
    size_t len = strlen(path);
    while (*list != '\0') {
        size_t n = strcspn(list, " :");
        if (n == len && memcmp(list, path, n) == 0)
            return true;
        list += n + (list[n] != '\0');
    }
    return false;
}

int preload_append(const char *library)
{
    char path[PATH_MAX];
    if (fits(library)) {
        snprintf(path, sizeof path, "%s", library);
    } else if (make_fit(library, path) != 0) {
        return -1;
    }
    const char *before = getenv("LD_PRELOAD");
    if (before == NULL || *before == '\0')
        return setenv("LD_PRELOAD", path, 1);
    if (is_listed(before, path))
        return 0;
    size_t size = strlen(before) + 1 + strlen(path) + 1;
    char *list = malloc(size);
    if (list == NULL) {
        perror("traceshim: LD_PRELOAD");
        return -1;
    }
    snprintf(list, size, "%s:%s", before, path);
    int status = setenv("LD_PRELOAD", list, 1);
    free(list);
    return status;
}
