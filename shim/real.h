/* real.h - libc's own functions, behind the ones this library exports.
 *
 * real_NAME(arguments) calls the next definition of NAME after this library, the one
 * that dlsym(RTLD_NEXT, NAME) gives: libc's, or another preloaded library's.  There is
 * one for every F, V and N of names.h; a variadic function's takes its arguments
 * spelled out, and an alias has none (call its target's).
 *
 * All may be called anywhere the function itself may be: before constructors, from
 * signal handlers, inside malloc, in a vfork child.  Nothing is allocated, locked or
 * printed; errno is untouched unless the real function sets it.  The first call of a
 * name looks it up (real.c, some hundred nanoseconds), later ones are a load, a test
 * and a jump.  A name that this process's libc hasn't gives -1 (NULL where the
 * function returns a pointer, save mmap), with errno ENOSYS.
 */
#ifndef TRACESHIM_REAL_H
#define TRACESHIM_REAL_H

#include "libc.h"

enum real_name {
#define F(family, ret, name, params, args)        REAL_##name,
#define V(family, ret, name, proto, params, args) REAL_##name,
#define N(family, name, params, args)             REAL_##name,
#define S(family, ret, name, params)              REAL_##name,
#include "names.h"
    REAL_COUNT
};

typedef void (*real_function)(void);

/* What has been found so far; NULL until then.  Read and written relaxed: whoever
 * loses a race to fill a slot stores the same value again. */
extern real_function real_table[REAL_COUNT];

/* Finds NAME, stores and returns it; NULL when no object after this one defines it.
 * Async-signal-safe, takes no lock, keeps errno. */
real_function real_find(enum real_name name);

/* This library's own file as the loader was given it, "" when that isn't known. Any context. */
const char *real_own_file(void);

/* The same as real_find, from the table when it is there already. */
static inline real_function real_get(enum real_name name)
{
    real_function function = __atomic_load_n(&real_table[name], __ATOMIC_RELAXED);

    return __builtin_expect(function != NULL, 1) ? function : real_find(name);
}

/* Ends the process by the system call: what is left when _exit itself is missing. */
_Noreturn void real_die(void);

/* clang-format off */
/* What a missing function of this type returns. */
#define REAL_FAILURE(ret)                                                                   \
    ((ret)_Generic((ret *)NULL, FILE **: 0, DIR **: 0, FTS **: 0, FTSENT **: 0,             \
                   sem_t **: 0, char **: 0, default: -1L))

#define REAL_CALLER(ret, name, proto, params, args)                                         \
    static inline ret real_##name params                                                    \
    {                                                                                       \
        ret(*next) proto = (ret(*) proto)real_get(REAL_##name);                             \
                                                                                            \
        if (__builtin_expect(next == NULL, 0)) {                                            \
            errno = ENOSYS;                                                                 \
            return REAL_FAILURE(ret);                                                       \
        }                                                                                   \
        return next args;                                                                   \
    }
#define F(family, ret, name, params, args)        REAL_CALLER(ret, name, params, params, args)
#define V(family, ret, name, proto, params, args) REAL_CALLER(ret, name, proto, params, args)
#define N(family, name, params, args)                                                       \
    _Noreturn static inline void real_##name params                                         \
    {                                                                                       \
        void(*next) params = (void(*) params)real_get(REAL_##name);                         \
                                                                                            \
        if (next != NULL)                                                                   \
            next args;                                                                      \
        real_die();                                                                         \
    }
#include "names.h"
/* clang-format on */

#endif
