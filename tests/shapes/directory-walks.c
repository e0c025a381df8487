/* nftw, ftw, fts, glob, scandir and readdir see each trace with its pending bytes. */
//: file a.tr managed
//: once
#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>

#include "show.h"

static int visit(const char *path, const struct stat *info, int kind)
{
    say("ftw %s %d %lld", path, kind, kind == FTW_F ? (long long)info->st_size : 0);
    return 0;
}

static int visit_more(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    say("nftw %s %d %lld level %d", path, kind, kind == FTW_F ? (long long)info->st_size : 0, where->level);
    return 0;
}

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 3; i++) {
        append(out, record(i));
        SHOW(ftw("a.tr", visit, 5));
        append(out, "more\n");
        SHOW(nftw("a.tr", visit_more, 5, FTW_PHYS));
        append(out, "more\n");
        char *paths[] = {(char *)".", NULL};
        FTS *walk = fts_open(paths, FTS_PHYSICAL, NULL);
        for (FTSENT *entry; (entry = fts_read(walk)) != NULL;)
            if (entry->fts_info == FTS_F)
                say("fts %s %lld", entry->fts_path, (long long)entry->fts_statp->st_size);
        fts_close(walk);
        glob_t found;
        SHOW(glob("*.tr", GLOB_MARK, NULL, &found));
        SHOW(found.gl_pathc);
        globfree(&found);
        struct dirent **names;
        SHOW(scandir(".", &names, NULL, alphasort));
    }
}
