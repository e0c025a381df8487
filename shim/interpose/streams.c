/* streams: what libc's own functions would do to a stream of ours that can't be told from outside.
 *
 * The idea: a stream that is used for wide characters becomes one of libc's own at that moment, with all its rules (what is refused on
 * it, how it converts, what it reads ahead). Its file then writes through, as wherever libc reads and writes by itself. All
 * calls are here that make a stream wide.
 */
#define NAMES_streams
#include "export.h"

#include "cookie.h"
#include "fd.h"

/* ---- wide characters ---- */

/* A call is about to be made that makes a stream wide unless it is narrow already; a stream without a buffer of ours needs nothing. */
static FILE *widens(FILE *stream)
{
    if (stream && cookie_ours(stream) && stream->_mode == 0)
        cookie_widens(stream);
    return stream;
}

wint_t fputwc(wchar_t c, FILE *stream)
{
    return real_fputwc(c, widens(stream));
}

wint_t fputwc_unlocked(wchar_t c, FILE *stream)
{
    return real_fputwc_unlocked(c, widens(stream));
}

wint_t putwc(wchar_t c, FILE *stream)
{
    return real_putwc(c, widens(stream));
}

wint_t putwc_unlocked(wchar_t c, FILE *stream)
{
    return real_putwc_unlocked(c, widens(stream));
}

wint_t putwchar(wchar_t c)
{
    widens(stdout);
    return real_putwchar(c);
}

wint_t putwchar_unlocked(wchar_t c)
{
    widens(stdout);
    return real_putwchar_unlocked(c);
}

int fputws(const wchar_t *text, FILE *stream)
{
    return real_fputws(text, widens(stream));
}

int fputws_unlocked(const wchar_t *text, FILE *stream)
{
    return real_fputws_unlocked(text, widens(stream));
}

int vfwprintf(FILE *stream, const wchar_t *format, va_list list)
{
    return real_vfwprintf(widens(stream), format, list);
}

int __vfwprintf_chk(FILE *stream, int flag, const wchar_t *format, va_list list)
{
    return real___vfwprintf_chk(widens(stream), flag, format, list);
}

int vwprintf(const wchar_t *format, va_list list)
{
    widens(stdout);
    return real_vwprintf(format, list);
}

int __vwprintf_chk(int flag, const wchar_t *format, va_list list)
{
    widens(stdout);
    return real___vwprintf_chk(flag, format, list);
}

wint_t fgetwc(FILE *stream)
{
    return real_fgetwc(widens(stream));
}

wint_t fgetwc_unlocked(FILE *stream)
{
    return real_fgetwc_unlocked(widens(stream));
}

wint_t getwchar(void)
{
    widens(stdin);
    return real_getwchar();
}

wint_t getwchar_unlocked(void)
{
    widens(stdin);
    return real_getwchar_unlocked();
}

wint_t ungetwc(wint_t c, FILE *stream)
{
    return real_ungetwc(c, widens(stream));
}

wchar_t *fgetws(wchar_t *to, int n, FILE *stream)
{
    return real_fgetws(to, n, widens(stream));
}

wchar_t *fgetws_unlocked(wchar_t *to, int n, FILE *stream)
{
    return real_fgetws_unlocked(to, n, widens(stream));
}

wchar_t *__fgetws_chk(wchar_t *to, size_t size, int n, FILE *stream)
{
    return real___fgetws_chk(to, size, n, widens(stream));
}

wchar_t *__fgetws_unlocked_chk(wchar_t *to, size_t size, int n, FILE *stream)
{
    return real___fgetws_unlocked_chk(to, size, n, widens(stream));
}

int fwide(FILE *stream, int mode)
{
    return real_fwide(mode > 0 ? widens(stream) : stream, mode);
}

#define LISTED(last, call)    \
    do {                      \
        va_list list;         \
        va_start(list, last); \
        int n = call;         \
        va_end(list);         \
        return n;             \
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
    LISTED(format, vwprintf(format, list));
}

int __wprintf_chk(int flag, const wchar_t *format, ...)
{
    LISTED(format, __vwprintf_chk(flag, format, list));
}

/* By which standard a format is read is in the name. */
#define SCANNERS(prefix)                                                    \
    int prefix##vfwscanf(FILE *stream, const wchar_t *format, va_list list) \
    {                                                                       \
        return real_##prefix##vfwscanf(widens(stream), format, list);       \
    }                                                                       \
    int prefix##vwscanf(const wchar_t *format, va_list list)                \
    {                                                                       \
        widens(stdin);                                                      \
        return real_##prefix##vwscanf(format, list);                        \
    }                                                                       \
    int prefix##fwscanf(FILE *stream, const wchar_t *format, ...)           \
    {                                                                       \
        LISTED(format, prefix##vfwscanf(stream, format, list));             \
    }                                                                       \
    int prefix##wscanf(const wchar_t *format, ...)                          \
    {                                                                       \
        LISTED(format, prefix##vwscanf(format, list));                      \
    }

SCANNERS()
SCANNERS(__isoc99_)
#if __GLIBC_PREREQ(2, 38)
SCANNERS(__isoc23_)
#endif

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

/* libc's own stream has no buffer before its first use. */
size_t __fbufsize(FILE *stream)
{
    return cookie_ours(stream) && cookie_fresh(stream) ? 0 : real___fbufsize(stream);
}
