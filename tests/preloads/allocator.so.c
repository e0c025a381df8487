/* A malloc like jemalloc's, at its worst: it opens files when it is first needed, and now and then later, and holds a lock that isn't recursive
 * meanwhile. Whoever calls malloc from within such an open has a deadlock; here it is said and the program ends. One of the files is a trace. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void __libc_free(void *p);

static _Atomic int owner;
static _Atomic long calls, large;

static void use(const char *path, int flags)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0644);
    if (fd >= 0 && (write(fd, "from malloc\n", 12) != 12 || lseek(fd, 0, SEEK_END) < 0 || close(fd) < 0))
        _exit(96);
}

static void look(void)
{
    struct stat st;
    char text[64];
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && (read(fd, text, sizeof text) < 0 || fstat(fd, &st) < 0 || close(fd) < 0))
        _exit(95);
}

static void enter(void)
{
    int me = (int)syscall(SYS_gettid), nobody = 0;
    if (atomic_load(&owner) == me) {
        static const char text[] = "not ok: malloc called within malloc\n";
        if (write(1, text, sizeof text - 1) > 0)
            _exit(97);
    }
    while (!atomic_compare_exchange_weak(&owner, &nobody, me))
        nobody = 0;
    if (calls++ % 2000 ==
        0) { /* a stream's memory too, of which there is less under the shim: the file is the same however often */
        look();
        use("allocator.tr", O_TRUNC);
    }
}

static void leave(void)
{
    atomic_store(&owner, 0);
}

void *malloc(size_t n)
{
    enter();
    if (n >= 1000 && n != 4096 && large++ % 50 == 0) /* the program's own, not a stream's buffer */
        use("large.tr", O_APPEND);
    void *p = __libc_malloc(n);
    leave();
    return p;
}

void *calloc(size_t count, size_t n)
{
    enter();
    void *p = __libc_calloc(count, n);
    leave();
    return p;
}

void *realloc(void *old, size_t n)
{
    enter();
    void *p = __libc_realloc(old, n);
    leave();
    return p;
}

void free(void *p)
{
    enter();
    __libc_free(p);
    leave();
}
