/* The differential fuzzer: sequences of operations, made from seeds, and how two runs of them compare.
 *
 *   fuzz work DIRECTORY FIRST COUNT MOST LOG [ONLY]   does the sequences of COUNT seeds, each in a directory of its own
 *                                                     below DIRECTORY and a process of its own; what they show goes to LOG
 *   fuzz compare DIRECTORY1 LOG1 DIRECTORY2 LOG2      says which seeds differ, and how many operations there were
 *   fuzz difference MOST LOG1 LOG2                    shows the first difference of the first seed that differs
 *   fuzz print SEED MOST [ONLY]                       the sequence as a C program
 *   fuzz count SEED MOST                              how many operations it has
 *
 * MOST is the length of the longest sequences. ONLY is a file with a byte for each operation, 0 where it is left out.
 * The suite runs `work` twice, natively and under the shim.
 *
 * The idea: what an operation shows is a record in shared memory, which costs no call that the shim could see; a whole
 * sequence costs a fork and a few calls each.
 */
#include "print.h"
#include "tree.h"

#include <dlfcn.h>
#include <err.h>

enum { RECORDS = 60000 };

struct record {
    int64_t value;
    uint64_t extra[2];
    uint32_t operation;
    uint16_t error;
    uint8_t depth, kind;
};

/* What one sequence has shown. Shared by its processes, only one of which runs at a time. */
static struct shown {
    uint32_t count, status;
    struct seen seen[SEEN];
    struct record records[RECORDS];
} * shown;

/* Before the records of each seed in a log. */
struct head {
    uint64_t seed;
    uint32_t count, status;
    uint32_t under_the_shim, reserved;
};

static struct seed now_seed;
static const unsigned char *now_only;
static unsigned now;

static void show(long value, int error)
{
    if (shown->count < RECORDS)
        shown->records[shown->count++] =
            (struct record){value, {extra[0], extra[1]}, now, (uint16_t)error, (uint8_t)depth, 0};
    extra[0] = extra[1] = 0;
}

/* ---- doing a sequence ---- */

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum code {
#define OP(...) JOIN(AT_, __LINE__),
#define ST(...) JOIN(AT_, __LINE__),
#define WI(...) JOIN(AT_, __LINE__),
#define CO(...) JOIN(AT_, __LINE__),
#define BL(...) JOIN(AT_, __LINE__),
#include "operations.h"
#undef OP
#undef ST
#undef WI
#undef CO
#undef BL
};

static const char *path_of(unsigned i)
{
    return paths[i][0] == '@' ? at_top(paths[i] + 1) : paths[i];
}

static void operate(const struct operation *o, unsigned block)
{
    long value;
    int error;
    switch ((enum code)o->code) {
#define D (o->d)
#define E (o->e)
#define S (o->s)
#define A (o->a)
#define P path_of(o->p)
#define Q path_of(o->q)
#define T modes[o->t]
#define W (o->w)
#define X ((int)o->x)
#define F ((int)o->flags)
#define M (o->mode)
#define N (o->n)
#define O (o->o)
#define B ((int)block)
/* clang-format off */
#define SHOWN(...)               \
    errno = EXDEV;               \
    value = (long)(__VA_ARGS__); \
    error = errno;               \
    show(value, error);          \
    break;
#define OP(family, weight, ...) \
    case JOIN(AT_, __LINE__):   \
        SHOWN(__VA_ARGS__)
#define ST(family, weight, ...)             \
    case JOIN(AT_, __LINE__):               \
        SHOW_STREAM(S, false, __VA_ARGS__); \
        break;
#define WI(family, weight, ...)            \
    case JOIN(AT_, __LINE__):              \
        SHOW_STREAM(S, true, __VA_ARGS__); \
        break;
#define CO(family, weight, ...) \
    case JOIN(AT_, __LINE__):   \
        __VA_ARGS__;            \
        break;
#define BL(family, weight, parts, ...) \
    case JOIN(AT_, __LINE__):          \
        __VA_ARGS__;                   \
        break;
#include "operations.h"
/* clang-format on */
#undef D
#undef E
#undef S
#undef A
#undef P
#undef Q
#undef T
#undef W
#undef X
#undef F
#undef M
#undef N
#undef O
#undef B
    }
}

static void operate_from(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to;) {
        const struct operation *o = &now_seed.operations[i];
        bool block = table[o->code].kind == KIND_BL, does = kept(now_only, i);
        now = i;
        if (does)
            operate(o, i);
        i = block && does ? o->end : i + 1;
    }
}

static void run_block(int block, int part)
{
    const struct operation *o = &now_seed.operations[block];
    operate_from(part_begins(o, (unsigned)block, (unsigned)part), part_begins(o, (unsigned)block, (unsigned)part + 1));
}

/* What is left at the end, as far as it can be asked without a change. */
static void last_look(void)
{
    for (int i = 0; i < DESCRIPTORS; i++) {
        now = now_seed.count + (unsigned)i;
        long at = lseek(fd[i], 0, SEEK_CUR);
        show(at, errno);
        int flags = fcntl(fd[i], F_GETFL);
        show(flags, 0);
    }
}

static void do_seed(void)
{
    standard();
    alarm(30);
    slots();
    operate_from(0, now_seed.count);
    last_look();
    end((int)now_seed.ending);
}

/* ---- many sequences ---- */

static const unsigned char *read_only(const char *path)
{
    static unsigned char bytes_of_it[1 << 20];
    int from = open(path, O_RDONLY);
    if (from < 0 || read(from, bytes_of_it, sizeof bytes_of_it) < 0)
        err(1, "%s", path);
    close(from);
    return bytes_of_it;
}

static bool shim_is_loaded(void)
{
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "write");
    return function && dladdr(function, &info) && strstr(info.dli_fname, "libtraceshim");
}

static struct shown *share(const char *path, bool fresh)
{
    int at = open(path, O_RDWR | (fresh ? O_CREAT | O_TRUNC : 0), 0666);
    if (at < 0 || (fresh && (ftruncate(at, sizeof *shown) < 0 || fchmod(at, 0666) < 0)))
        _exit(80);
    struct shown *new = mmap(NULL, sizeof *shown, PROT_READ | PROT_WRITE, MAP_SHARED, at, 0);
    if (new == MAP_FAILED)
        _exit(81);
    close(at);
    seen = new->seen;
    return new;
}

/* The process of one seed, in its own directory. */
static void in_directory(const char *directory)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%llu", directory, (unsigned long long)now_seed.number);
    if (mkdir(path, 0777) < 0 || chdir(path) < 0 || mkdir("w", 0777) < 0)
        _exit(82);
    if (now_seed.nobody && (chown(".", 65534, 65534) < 0 || chown("w", 65534, 65534) < 0))
        _exit(83);
    if (chdir("w") < 0 || (now_seed.nobody && setresuid(65534, 65534, 65534) < 0))
        _exit(84);
    prologue((int)now_seed.start);
}

static void set(const char *name, unsigned long long value)
{
    char number[32];
    snprintf(number, sizeof number, "%llu", value);
    setenv(name, number, 1);
}

static int work(char **arguments, const char *only)
{
    uint64_t first = strtoull(arguments[1], NULL, 10), count = strtoull(arguments[2], NULL, 10);
    unsigned most = (unsigned)atoi(arguments[3]);
    char shared[PATH_MAX];
    int log = open(arguments[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0)
        err(1, "%s", arguments[4]);
    snprintf(shared, sizeof shared, "%s.shared", arguments[4]);
    shown = share(shared, true);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setenv("FUZZ_SHARED", shared, 1);
    set("FUZZ_MOST", most);
    if (only) {
        now_only = read_only(only);
        setenv("FUZZ_ONLY", only, 1);
    }
    for (uint64_t number = first; number < first + count; number++) {
        now_seed = seed_make(number, most);
        now_seed.nobody = now_seed.nobody && geteuid() == 0;
        set("FUZZ_SEED", number);
        shown->count = 0;
        memset(shown->seen, 0, sizeof shown->seen);
        int status = -1;
        pid_t pid = fork();
        if (pid == 0) {
            close(log);
            in_directory(arguments[0]);
            do_seed();
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            err(1, "a child");
        struct head head = {number, shown->count, (uint32_t)status, shim_is_loaded(), 0};
        size_t size = shown->count * sizeof(struct record);
        if (write(log, &head, sizeof head) != sizeof head || write(log, shown->records, size) != (ssize_t)size)
            err(1, "%s", arguments[4]);
        free(now_seed.operations);
    }
    while (waitpid(-1, NULL, __WALL) > 0) /* guards, which write what is left of processes that were killed */
        ;
    return 0;
}

/* The program again, inside a sequence. */
static void work_again(int argc, char **argv)
{
    shown = share(getenv("FUZZ_SHARED"), false);
    now_seed = seed_make(strtoull(getenv("FUZZ_SEED"), NULL, 10), (unsigned)atoi(getenv("FUZZ_MOST")));
    if (getenv("FUZZ_ONLY"))
        now_only = read_only(getenv("FUZZ_ONLY"));
    now = (unsigned)atoi(argv[2]);
    slots();
    int block = go_on(argc, argv);
    run_block(block, 0);
    end(block);
}

/* ---- comparing ---- */

struct log {
    const char *at, *end;
};

static struct log log_of(const char *path)
{
    struct stat s;
    int from = open(path, O_RDONLY);
    if (from < 0 || fstat(from, &s) < 0)
        err(1, "%s", path);
    const char *at = s.st_size ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, from, 0) : NULL;
    if (at == MAP_FAILED)
        err(1, "%s", path);
    close(from);
    return (struct log){at, at + s.st_size};
}

static const struct head *next(struct log *l)
{
    if (l->at == l->end)
        return NULL;
    const struct head *h = (const void *)l->at;
    l->at += sizeof *h + h->count * sizeof(struct record);
    return h;
}

static bool same(const struct head *a, const struct head *b)
{
    return a->count == b->count && a->status == b->status &&
           memcmp(a + 1, b + 1, a->count * sizeof(struct record)) == 0;
}

static int compare(char **arguments)
{
    struct log one = log_of(arguments[1]), two = log_of(arguments[3]);
    const struct head *a, *b;
    uint64_t operations = 0, seeds = 0, loaded = 0;
    while ((a = next(&one)) && (b = next(&two))) {
        if (a->seed != b->seed || a->under_the_shim)
            errx(1, "the logs are not of the same seeds, or the first is not native");
        bool trees = trees_differ(arguments[0], arguments[2], a->seed, NULL);
        if (!same(a, b) || trees)
            printf("differs %llu %s\n", (unsigned long long)a->seed, trees ? "in the files" : "in a result");
        seeds++;
        operations += a->count;
        loaded += b->under_the_shim;
    }
    printf("seeds %llu operations %llu loaded %llu\n", (unsigned long long)seeds, (unsigned long long)operations,
           (unsigned long long)loaded);
    return 0;
}

static void print_record(const char *who, const struct seed *s, const struct record *r)
{
    printf("%s %*s%u: ", who, r->depth * 2, "", r->operation);
    if (r->operation < s->count)
        print_text(&s->operations[r->operation], r->operation);
    else
        printf("at the end, slot %u", r->operation - s->count);
    printf(" = %lld errno %u extra %llx %llx\n", (long long)r->value, r->error, (unsigned long long)r->extra[0],
           (unsigned long long)r->extra[1]);
}

/* The last records that are the same and the first that aren't. */
static void print_difference(const struct head *a, const struct head *b, unsigned most, unsigned before)
{
    const struct record *ra = (const void *)(a + 1), *rb = (const void *)(b + 1);
    struct seed s = seed_make(a->seed, most);
    uint32_t i = 0;
    while (i < a->count && i < b->count && memcmp(&ra[i], &rb[i], sizeof *ra) == 0)
        i++;
    printf("seed %llu%s, status %#x and %#x, %u and %u results\n", (unsigned long long)a->seed,
           s.nobody ? " as nobody" : "", a->status, b->status, a->count, b->count);
    for (uint32_t j = i > before ? i - before : 0; j < i; j++)
        print_record("  both", &s, &ra[j]);
    if (i < a->count)
        print_record("native", &s, &ra[i]);
    if (i < b->count)
        print_record("shim  ", &s, &rb[i]);
    free(s.operations);
}

static int difference(char **arguments)
{
    struct log one = log_of(arguments[3]), two = log_of(arguments[4]);
    const struct head *a, *b;
    uint64_t wanted = strtoull(arguments[0], NULL, 10);
    while ((a = next(&one)) && (b = next(&two)))
        if (a->seed == wanted && b->seed == wanted)
            print_difference(a, b, (unsigned)atoi(arguments[1]), (unsigned)atoi(arguments[2]));
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    started_again(argc, argv);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0)
        err(1, "/proc/self/exe");
    if (strcmp(what, "--block") == 0)
        work_again(argc, argv);
    if (strcmp(what, "work") == 0 && (argc == 7 || argc == 8))
        return work(argv + 2, argc == 8 ? argv[7] : NULL);
    if (strcmp(what, "compare") == 0 && argc == 6)
        return compare(argv + 2);
    if (strcmp(what, "files") == 0 && argc == 5)
        return trees_differ(argv[2], argv[3], strtoull(argv[4], NULL, 10), stdout);
    if (strcmp(what, "difference") == 0 && argc == 7)
        return difference(argv + 2);
    if ((strcmp(what, "print") == 0 || strcmp(what, "count") == 0) && argc >= 4) {
        struct seed s = seed_make(strtoull(argv[2], NULL, 10), (unsigned)atoi(argv[3]));
        if (what[0] == 'p')
            print_program(&s, argc > 4 ? read_only(argv[4]) : NULL);
        else
            printf("%u\n", s.count);
        return 0;
    }
    fprintf(stderr, "usage: see the top of fuzz.c\n");
    return 2;
}
