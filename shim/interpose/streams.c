/* streams: wide characters, which glibc's cookie streams refuse.
 *
 * The idea: the text is converted by the locale's own conversion, as a stream of libc's would, and goes out as bytes. Streams that
 * aren't ours are left to libc.
 */
#define NAMES_streams
#include "export.h"

#include "cookie.h"
#include "fd.h"

#include <limits.h>
#include <string.h>

#define STREAM_ERROR 0x0020

/* A stream is wide or narrow from its first use on. */
static bool turns_wide(FILE *stream)
{
    if (!cookie_wide(stream) && !cookie_fresh(stream))
        return false;
    cookie_make_wide(stream);
    return true;
}

static wint_t put(wchar_t c, FILE *stream)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    if (!turns_wide(stream))
        return WEOF;
    size_t n = wcrtomb(bytes, c, &state);
    if (n == (size_t)-1)
        stream->_flags |= STREAM_ERROR;
    if (n == (size_t)-1 || fwrite(bytes, 1, n, stream) != n)
        return WEOF;
    return (wint_t)c;
}

static int put_text(const wchar_t *text, FILE *stream)
{
    if (!turns_wide(stream)) /* also by no text at all */
        return -1;
    for (; *text; text++)
        if (put(*text, stream) == WEOF)
            return -1;
    return 1;
}

wint_t fputwc(wchar_t c, FILE *stream)
{
    return cookie_ours(stream) ? put(c, stream) : real_fputwc(c, stream);
}

wint_t fputwc_unlocked(wchar_t c, FILE *stream)
{
    return cookie_ours(stream) ? put(c, stream) : real_fputwc_unlocked(c, stream);
}

wint_t putwc(wchar_t c, FILE *stream)
{
    return cookie_ours(stream) ? put(c, stream) : real_putwc(c, stream);
}

wint_t putwc_unlocked(wchar_t c, FILE *stream)
{
    return cookie_ours(stream) ? put(c, stream) : real_putwc_unlocked(c, stream);
}

wint_t putwchar(wchar_t c)
{
    return cookie_ours(stdout) ? put(c, stdout) : real_putwchar(c);
}

wint_t putwchar_unlocked(wchar_t c)
{
    return cookie_ours(stdout) ? put(c, stdout) : real_putwchar_unlocked(c);
}

int fputws(const wchar_t *text, FILE *stream)
{
    return cookie_ours(stream) ? put_text(text, stream) : real_fputws(text, stream);
}

int fputws_unlocked(const wchar_t *text, FILE *stream)
{
    return cookie_ours(stream) ? put_text(text, stream) : real_fputws_unlocked(text, stream);
}

/* vswprintf doesn't tell how much room it needs: twice as much until it fits. A text that can't be converted never fits. */
#define LONGEST ((size_t)1 << 28)

static int print(FILE *stream, const wchar_t *format, va_list list)
{
    wchar_t memory[1024];
    wchar_t *text = memory;
    size_t room = sizeof memory / sizeof *memory;
    int before = errno, n;
    for (;;) {
        va_list again;
        va_copy(again, list);
        n = vswprintf(text, room, format, again);
        va_end(again);
        if (n >= 0 || errno == EILSEQ || room >= LONGEST)
            break;
        if (text != memory)
            sys_munmap(text, room * sizeof *text);
        room *= 4;
        text = sys_mmap(NULL, room * sizeof *text, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (sys_bad(text)) {
            errno = ENOMEM;
            return -1;
        }
    }
    if (n >= 0) {
        errno = before;
        if (put_text(text, stream) < 0)
            n = -1;
    }
    if (text != memory)
        sys_munmap(text, room * sizeof *text);
    return n;
}

int vfwprintf(FILE *stream, const wchar_t *format, va_list list)
{
    return cookie_ours(stream) ? print(stream, format, list) : real_vfwprintf(stream, format, list);
}

int __vfwprintf_chk(FILE *stream, int flag, const wchar_t *format, va_list list)
{
    return cookie_ours(stream) ? print(stream, format, list) : real___vfwprintf_chk(stream, flag, format, list);
}

int vwprintf(const wchar_t *format, va_list list)
{
    return vfwprintf(stdout, format, list);
}

int __vwprintf_chk(int flag, const wchar_t *format, va_list list)
{
    return __vfwprintf_chk(stdout, flag, format, list);
}

#define LISTED(last, call)                                                                                             \
    do {                                                                                                               \
        va_list list;                                                                                                  \
        va_start(list, last);                                                                                          \
        int n = call;                                                                                                  \
        va_end(list);                                                                                                  \
        return n;                                                                                                      \
    } while (0)

int fwprintf(FILE *stream, const wchar_t *format, ...)
{
    LISTED(format, vfwprintf(stream, format, list));
}

int __fwprintf_chk(FILE *stream, int flag, const wchar_t *format, ...)
{
    LISTED(format, __vfwprintf_chk(stream, flag, format, list));
}

int wprintf(const wchar_t *format, ...)
{
    LISTED(format, vfwprintf(stdout, format, list));
}

int __wprintf_chk(int flag, const wchar_t *format, ...)
{
    LISTED(format, __vfwprintf_chk(stdout, flag, format, list));
}

/* ---- input ---- */

static wint_t get(FILE *stream)
{
    mbstate_t state = {0};
    wchar_t c;
    if (!turns_wide(stream))
        return WEOF;
    for (int byte; (byte = getc(stream)) != EOF;) {
        char b = (char)byte;
        size_t n = mbrtowc(&c, &b, 1, &state);
        if (n == (size_t)-1) {
            stream->_flags |= STREAM_ERROR;
            return WEOF;
        }
        if (n != (size_t)-2)
            return (wint_t)c;
    }
    return WEOF;
}

wint_t fgetwc(FILE *stream)
{
    return cookie_ours(stream) ? get(stream) : real_fgetwc(stream);
}

wint_t fgetwc_unlocked(FILE *stream)
{
    return cookie_ours(stream) ? get(stream) : real_fgetwc_unlocked(stream);
}

wint_t ungetwc(wint_t c, FILE *stream)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    if (!cookie_ours(stream))
        return real_ungetwc(c, stream);
    if (c == WEOF || !turns_wide(stream))
        return WEOF;
    size_t n = wcrtomb(bytes, (wchar_t)c, &state);
    if (n == (size_t)-1)
        return WEOF;
    while (n > 0)
        if (ungetc((unsigned char)bytes[--n], stream) == EOF)
            return WEOF;
    return c;
}

static wchar_t *get_line(wchar_t *to, int n, FILE *stream)
{
    int i = 0;
    if (n <= 0)
        return NULL;
    while (i < n - 1) {
        wint_t c = get(stream);
        if (c == WEOF) {
            if (i == 0 || ferror(stream))
                return NULL;
            break;
        }
        to[i++] = (wchar_t)c;
        if (c == L'\n')
            break;
    }
    to[i] = L'\0';
    return to;
}

wchar_t *fgetws(wchar_t *to, int n, FILE *stream)
{
    return cookie_ours(stream) ? get_line(to, n, stream) : real_fgetws(to, n, stream);
}

wchar_t *fgetws_unlocked(wchar_t *to, int n, FILE *stream)
{
    return cookie_ours(stream) ? get_line(to, n, stream) : real_fgetws_unlocked(to, n, stream);
}

/* What is larger than the buffer is libc's to abort on. */
wchar_t *__fgetws_chk(wchar_t *to, size_t size, int n, FILE *stream)
{
    bool ours = cookie_ours(stream) && n > 0 && (size_t)n <= size;
    return ours ? get_line(to, n, stream) : real___fgetws_chk(to, size, n, stream);
}

wchar_t *__fgetws_unlocked_chk(wchar_t *to, size_t size, int n, FILE *stream)
{
    bool ours = cookie_ours(stream) && n > 0 && (size_t)n <= size;
    return ours ? get_line(to, n, stream) : real___fgetws_unlocked_chk(to, size, n, stream);
}

/* ---- others ---- */

/* What a stream of libc's holds back goes down a pipe now. */
int fflush(FILE *stream)
{
    if (!stream)
        tf_tell();
    else if (!cookie_ours(stream))
        tf_tell_through(stream->_fileno);
    return real_fflush(stream);
}

int fflush_unlocked(FILE *stream)
{
    if (stream && !cookie_ours(stream))
        tf_tell_through(stream->_fileno);
    return real_fflush_unlocked(stream);
}

/* ---- orientation ---- */

int fwide(FILE *stream, int mode)
{
    if (!cookie_ours(stream))
        return real_fwide(stream, mode);
    if (mode > 0)
        turns_wide(stream);
    return cookie_wide(stream) ? 1 : mode == 0 && cookie_fresh(stream) ? 0 : -1;
}

/* libc's own stream has no buffer before its first use. */
size_t __fbufsize(FILE *stream)
{
    return cookie_ours(stream) && cookie_fresh(stream) ? 0 : real___fbufsize(stream);
}
