/*
 * Short texts, built in memory that the caller gives: messages and paths where
 * neither stdio nor malloc may be called.
 *
 * A text is always terminated.  What doesn't fit is cut off, and text_cut()
 * says so.  No locale, no locks: safe anywhere, also in a signal handler.
 */
#ifndef TRACESHIM_TEXT_H
#define TRACESHIM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *begin;
    size_t used; /* bytes without the terminator */
    size_t size; /* bytes at begin, at least 1 */
    bool cut;
};

static inline struct text text_in(char *memory, size_t size)
{
    memory[0] = '\0';
    return (struct text){.begin = memory, .used = 0, .size = size, .cut = false};
}

static inline void text_byte(struct text *t, char c)
{
    if (t->used + 1 >= t->size) {
        t->cut = true;
        return;
    }
    t->begin[t->used++] = c;
    t->begin[t->used] = '\0';
}

static inline void text_bytes(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_byte(t, bytes[i]);
}

static inline void text_add(struct text *t, const char *s)
{
    while (*s != '\0')
        text_byte(t, *s++);
}

static inline void text_number(struct text *t, unsigned long long n)
{
    char digits[20];
    size_t i = sizeof digits;
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n != 0);
    text_bytes(t, digits + i, sizeof digits - i);
}

/* As much of BYTES as a message has room for, on one line whatever it holds. */
static inline void text_quoted(struct text *t, const char *bytes, size_t n)
{
    const size_t most = 200;
    for (size_t i = 0; i < n && i < most; i++) {
        unsigned char c = (unsigned char)bytes[i];
        text_byte(t, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
    if (n > most)
        text_add(t, "...");
}

static inline bool text_cut(const struct text *t)
{
    return t->cut;
}

#endif
