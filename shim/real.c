/* real.c - finds the next definition of a name, without dlsym.
 *
 * dlsym takes the loader's lock, allocates on some versions of glibc, and may not be
 * called from a signal handler or between fork and exec; a wrapper is called from all
 * of these, and from malloc.  So the objects are searched here, as the loader does it:
 * from the one behind our own in the loader's list, each by its hash table, and the
 * first that defines the name has it.
 *
 * Rules.  Nothing is locked, allocated or written except the slot of the name.  The
 * list is read while another thread may add to its end or unlink an object that
 * dlopen brought; what we look for is defined by libc or a library that was loaded
 * with it, which stand before those and are never unlinked, so the walk ends there.
 * Only for a name that nobody defines it runs to the end.
 *
 * Memory that is read here (dynamic section, hash table, symbols) is mapped and
 * relocated before any code of the process runs.
 */
#include "real.h"
#include "sys.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <sys/auxv.h>

real_function real_table[REAL_COUNT];

/* clang-format off */
static const char spelling[REAL_COUNT][24] = {
#define F(family, ret, name, params, args)        [REAL_##name] = #name,
#define V(family, ret, name, proto, params, args) [REAL_##name] = #name,
#define N(family, name, params, args)             [REAL_##name] = #name,
#define S(family, ret, name, params)              [REAL_##name] = #name,
#include "names.h"
};
/* clang-format on */

/* Weak, so that the loader isn't a library this one needs: it is there anyway. */
extern struct r_debug _r_debug __attribute__((weak));

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* The tables of one object.  hash and gnu_hash: NULL if it hasn't that kind. */
struct object {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Half) * versions; /* NULL: not versioned */
    const uint32_t *gnu_hash;
    const uint32_t *hash;
};

/* The loader relocates the pointers of a dynamic section in place, except where the
 * section is read-only (vdso). */
static const void *pointer_of(const struct link_map *map, ElfW(Addr) value)
{
    return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

static bool object_of(struct object *object, const struct link_map *map)
{
    *object = (struct object){.base = map->l_addr};
    if (map->l_ld == NULL)
        return false;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const void *pointer = pointer_of(map, entry->d_un.d_ptr);

        if (entry->d_tag == DT_SYMTAB)
            object->symbols = pointer;
        else if (entry->d_tag == DT_STRTAB)
            object->strings = pointer;
        else if (entry->d_tag == DT_VERSYM)
            object->versions = pointer;
        else if (entry->d_tag == DT_GNU_HASH)
            object->gnu_hash = pointer;
        else if (entry->d_tag == DT_HASH)
            object->hash = pointer;
    }
    return object->symbols != NULL && object->strings != NULL;
}

/* strcmp, which may itself be another library's. */
static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

/* How well symbol number i of the object fits: 2 is the definition that a program
 * linked today gets; 1 is an old version kept for old binaries (llseek), taken when
 * there is no other. */
static int fit(const struct object *object, uint32_t i, const char *name)
{
    const ElfW(Sym) *symbol = &object->symbols[i];
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    unsigned version = object->versions != NULL ? object->versions[i] : VER_NDX_GLOBAL;

    if (symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0 || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ||
        (type != STT_NOTYPE && type != STT_FUNC && type != STT_GNU_IFUNC))
        return 0;
    if ((version & 0x7fff) == VER_NDX_LOCAL || !same(object->strings + symbol->st_name, name))
        return 0;
    return (version & 0x8000) != 0 ? 1 : 2;
}

static const ElfW(Sym) * search_gnu(const struct object *object, const char *name)
{
    const uint32_t *table = object->gnu_hash;
    uint32_t buckets = table[0], first = table[1], words = table[2], shift = table[3];
    const ElfW(Addr) *bloom = (const ElfW(Addr) *)&table[4];
    const uint32_t *bucket = (const uint32_t *)&bloom[words], *chain = bucket + buckets;
    const ElfW(Sym) *found = NULL;
    uint32_t hash = 5381;

    for (const char *c = name; *c != '\0'; c++)
        hash = hash * 33 + (unsigned char)*c;
    if (buckets == 0 || words == 0)
        return NULL;

    ElfW(Addr) word = bloom[(hash / __ELF_NATIVE_CLASS) % words];

    if (((word >> (hash % __ELF_NATIVE_CLASS)) & (word >> ((hash >> shift) % __ELF_NATIVE_CLASS)) & 1) == 0)
        return NULL;

    uint32_t i = bucket[hash % buckets];

    if (i < first)
        return NULL;
    do {
        int fits = ((chain[i - first] ^ hash) >> 1) == 0 ? fit(object, i, name) : 0;

        if (fits == 2)
            return &object->symbols[i];
        if (fits == 1)
            found = &object->symbols[i];
    } while ((chain[i++ - first] & 1) == 0);
    return found;
}

static const ElfW(Sym) * search_sysv(const struct object *object, const char *name)
{
    const uint32_t *table = object->hash;
    uint32_t buckets = table[0];
    const uint32_t *bucket = &table[2], *chain = bucket + buckets;
    const ElfW(Sym) *found = NULL;
    uint32_t hash = 0;

    for (const char *c = name; *c != '\0'; c++) {
        hash = (hash << 4) + (unsigned char)*c;
        hash ^= (hash & 0xf0000000) >> 24;
        hash &= 0x0fffffff;
    }
    if (buckets == 0)
        return NULL;
    for (uint32_t i = bucket[hash % buckets]; i != STN_UNDEF; i = chain[i]) {
        int fits = fit(object, i, name);

        if (fits == 2)
            return &object->symbols[i];
        if (fits == 1)
            found = &object->symbols[i];
    }
    return found;
}

/* A function of several implementations: its symbol is the function that chooses. */
static ElfW(Addr) choose(ElfW(Addr) resolver)
{
#ifdef __aarch64__
    struct {
        unsigned long size, hwcap, hwcap2;
    } features = {sizeof features, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};

    return ((ElfW(Addr)(*)(uint64_t, const void *))resolver)(features.hwcap | (1ULL << 62), &features);
#else
    return ((ElfW(Addr)(*)(void))resolver)();
#endif
}

static real_function search(const struct link_map *map, const char *name)
{
    struct object object;
    const ElfW(Sym) *symbol = NULL;

    if (!object_of(&object, map))
        return NULL;
    if (object.gnu_hash != NULL)
        symbol = search_gnu(&object, name);
    else if (object.hash != NULL)
        symbol = search_sysv(&object, name);
    if (symbol == NULL)
        return NULL;

    ElfW(Addr) address = object.base + symbol->st_value;

    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        address = choose(address);
    return (real_function)address;
}

/* Behind us in the list; when we stand behind libc (brought by dlopen), from its
 * start, without the program itself, whose functions are not what it calls. */
static real_function search_next(const char *name)
{
    const struct link_map *program, *self, *map;
    real_function function = NULL;

    program = &_r_debug != NULL ? _r_debug.r_map : NULL;
    for (self = program; self != NULL && self->l_ld != _DYNAMIC; self = self->l_next)
        ;
    if (self != NULL)
        for (map = self->l_next; map != NULL && function == NULL; map = map->l_next)
            function = search(map, name);
    if (program != NULL)
        for (map = program->l_next; map != NULL && function == NULL; map = map->l_next)
            if (map != self)
                function = search(map, name);
    return function;
}

const char *real_own_file(void)
{
    const struct link_map *map = &_r_debug != NULL ? _r_debug.r_map : NULL;

    while (map != NULL && map->l_ld != _DYNAMIC)
        map = map->l_next;
    return map != NULL ? map->l_name : "";
}

#if !__GLIBC_PREREQ(2, 33)
/* stat, fstat, lstat and fstatat were no functions of libc before 2.33 (programs have
 * them inside and call __xstat), yet this library exports them, for the binaries of
 * later systems, and must not answer ENOSYS to who finds them. */
static int fallback_fstatat(int dir, const char *path, struct stat *st, int flags)
{
    return real___fxstatat(
#ifdef __x86_64__
        1,
#else
        0,
#endif
        dir, path, st, flags);
}

static int fallback_stat(const char *path, struct stat *st)
{
    return fallback_fstatat(AT_FDCWD, path, st, 0);
}

static int fallback_lstat(const char *path, struct stat *st)
{
    return fallback_fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

static int fallback_fstat(int fd, struct stat *st)
{
    return fallback_fstatat(fd, "", st, AT_EMPTY_PATH);
}

static real_function fallback(enum real_name name)
{
    return name == REAL_stat      ? (real_function)fallback_stat
           : name == REAL_lstat   ? (real_function)fallback_lstat
           : name == REAL_fstat   ? (real_function)fallback_fstat
           : name == REAL_fstatat ? (real_function)fallback_fstatat
                                  : NULL;
}
#else
static real_function fallback(enum real_name name)
{
    (void)name;
    return NULL;
}
#endif

real_function real_find(enum real_name name)
{
    real_function function = search_next(spelling[name]);

    if (function == NULL)
        function = fallback(name);
    if (function != NULL)
        __atomic_store_n(&real_table[name], function, __ATOMIC_RELAXED);
    return function;
}

/* No call, since no call of libc's is left to make. */
_Noreturn void real_die(void)
{
    for (;;)
        sys6(SYS_exit_group, 127, 0, 0, 0, 0, 0);
}
