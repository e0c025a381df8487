/* export.h - what a file of wrappers includes first.
 *
 *     #define NAMES_write
 *     #include "export.h"
 *
 * declares every function of the family as exported, so that a definition that
 * doesn't fit the table or the system's header stops the compiler, and makes the
 * family's aliases.  The file then has to define each of the family's functions.
 *
 * It comes before any other header because it takes the headers' "nonnull" away: a
 * compiler that believes it drops the wrapper's own tests for NULL, and a NULL that
 * the program passes must reach libc as it is.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#if defined _FCNTL_H || defined _UNISTD_H || defined _STDIO_H || defined _SYS_STAT_H
#error "include export.h before other headers"
#endif
#include <sys/cdefs.h>
#undef __nonnull
#define __nonnull(parameters)
#ifdef __attribute_nonnull__
#undef __attribute_nonnull__
#define __attribute_nonnull__(parameters)
#endif

#include "../libc.h"

#define EXPORTED __attribute__((visibility("default")))

/* clang-format off */
#define F(family, ret, name, params, args)        EXPORTED ret name params;
#define V(family, ret, name, proto, params, args) EXPORTED ret name proto;
#define P(family, ret, name, proto, target)       EXPORTED ret name proto;
#define N(family, name, params, args)             EXPORTED _Noreturn void name params;
#define S(family, ret, name, params)              EXPORTED ret name params;
/* By the assembler, since struct stat64 is not struct stat to the compiler. */
#define A(name, target)                                                                            \
	__asm__(".globl " #name "\n\t.type " #name ", %function\n\t.set " #name ", " #target);
#include "../names.h"
/* clang-format on */

#include "../real.h"
