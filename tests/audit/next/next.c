/* real.c against dlsym: for every name, what real_find finds must be what
 * dlsym(RTLD_NEXT) finds for this object (libc's, when it stands behind libc). It is
 * looked up in a constructor that runs before all others, by a second thread, so that
 * a look-up that takes the loader's lock hangs when dlopen runs the constructor. */
#include "../../../shim/real.c"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static real_function found[REAL_COUNT];

static void *find_all(void *unused)
{
    for (int i = 0; i < REAL_COUNT; i++)
        found[i] = real_find(i);
    return unused;
}

/* libc's own newest version is asked of libc itself: before glibc 2.36 RTLD_NEXT gave the oldest. */
static real_function expected(const char *name)
{
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), *function = dlsym(RTLD_NEXT, name);
    Dl_info info;

    if (function == NULL) /* kept for old binaries only */
        function = dlsym(RTLD_DEFAULT, name);
    if (function != NULL && dladdr(function, &info) != 0 && strstr(info.dli_fname, "libc") != NULL)
        function = dlsym(libc, name);
    return (real_function)function;
}

/* A name may be missing where it was in a library of its own (before glibc 2.34), and be
 * found all the same where real.c has its own. */
static bool agrees(enum real_name name)
{
    real_function theirs = expected(spelling[name]);

    if (theirs == NULL)
        return found[name] == fallback(name);
    return found[name] == theirs && found[name] == real_table[name];
}

static const char *object_name(void *function)
{
    Dl_info info;

    if (function == NULL || dladdr(function, &info) == 0)
        return "nowhere";
    return strstr(info.dli_fname, "between") ? "between"
           : strstr(info.dli_fname, "libc")  ? "libc"
                                             : info.dli_fname;
}

__attribute__((constructor(101))) static void check(void)
{
    int differ = 0;
    pthread_t thread;

    errno = EXDEV;
    find_all(NULL);
    if (errno != EXDEV)
        printf("next: errno became %d\n", errno), differ++;
    for (int i = 0; i < REAL_COUNT; i++)
        if (!agrees(i))
            printf("next: %s %p, dlsym %p\n", spelling[i], (void *)found[i],
                   (void *)expected(spelling[i])),
                differ++;
    if (search_next("no_function_of_this_name") != NULL)
        printf("next: found what isn't there\n"), differ++;
    if (REAL_FAILURE(FILE *) != NULL || REAL_FAILURE(void *) != MAP_FAILED ||
        REAL_FAILURE(sem_t *) != NULL || REAL_FAILURE(ssize_t) != -1)
        printf("next: a missing function returns the wrong thing\n"), differ++;

    memset(found, 0, sizeof found);
    if (getenv("NEXT_ONE_THREAD") == NULL &&
        (pthread_create(&thread, NULL, find_all, NULL) != 0 || pthread_join(thread, NULL) != 0 ||
         memcmp(found, real_table, sizeof found) != 0))
        printf("next: another thread finds something else\n"), differ++;
    printf("next: %d names, %d differ, mkfifo from %s\n", REAL_COUNT, differ,
           object_name((void *)real_table[REAL_mkfifo]));
    fflush(stdout);
}
