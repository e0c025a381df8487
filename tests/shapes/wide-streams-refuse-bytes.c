/* Bytes to a stream that is wide, and wide characters to one that is narrow, are refused as on any stream; wide
 * input, scanned and pushed back, in every mode; the same after freopen, with each kind of buffer, and from the
 * next stream in the same memory. */
//: file a.tr write-through reason=UNSEEN
//: file bytes.tr managed reason=NONE
#include <locale.h>
#include <stdio_ext.h>
#include <wchar.h>

#include "show.h"

static void bytes_on(FILE *stream)
{
    SHOW(fwide(stream, 0) > 0);
    SHOW(fwide(stream, -1) > 0);
    SHOW(fprintf(stream, "bytes %d\n", 1));
    SHOW(fputs("bytes\n", stream));
    SHOW(fwrite("bytes\n", 1, 6, stream));
    SHOW(ferror(stream));
    clearerr(stream);
}

static void wide_on(FILE *stream)
{
    int number;
    SHOW(fwide(stream, 0) < 0);
    SHOW(fwide(stream, 1) < 0);
    SHOW(fwprintf(stream, L"wide %d\n", 1));
    SHOW(fputws(L"wide\n", stream));
    SHOW(fputwc(L'w', stream) == WEOF);
    SHOW(fgetwc(stream) == WEOF);
    SHOW(fwscanf(stream, L"%d", &number));
    SHOW(ferror(stream));
    clearerr(stream);
}

static void scan(FILE *stream)
{
    wchar_t word[32] = L"";
    int number = -1;
    rewind(stream);
    SHOW(fwscanf(stream, L"%d %31ls", &number, word));
    say("scanned %d and %zu characters, the last %d", number, wcslen(word), word[0] ? (int)word[wcslen(word) - 1] : 0);
    SHOW(ungetwc(L'ß', stream) == L'ß');
    SHOW(fgetwc(stream));
    SHOW(getwc(stream));
    SHOW(fgetws(word, 32, stream) == word);
    SHOW(wcslen(word));
    SHOW(feof(stream) != 0);
}

int main(void)
{
    say("locale %s", setlocale(LC_ALL, "C.UTF-8") ? "set" : "missing");
    const char *modes[] = {"w", "w+", "a", "a+", "r+", "a"};
    for (int i = 0; i < 6; i++) {
        say("mode %s", modes[i]);
        FILE *stream = OPENED(fopen("b.tr", "w+"));
        SHOW(fputs("bytes\n", stream) >= 0);
        stream = OPENED(freopen("a.tr", modes[i], stream));
        if (i == 5)
            SHOW(setvbuf(stream, NULL, _IONBF, 0));
        if (i == 3)
            SHOW(setvbuf(stream, NULL, _IOLBF, 0));
        SHOW(fwide(stream, 0));
        SHOW(__fbufsize(stream));
        SHOW(fwprintf(stream, L"%d zwölf €\n", i));
        show_path("a.tr");
        bytes_on(stream);
        SHOW(ftell(stream));
        SHOW(write(fileno(stream), "by the number\n", 14));
        if (strchr(modes[i], '+'))
            scan(stream);
        SHOW(fseek(stream, 0, SEEK_END));
        SHOW(fputws(L"Ωμέγα\n", stream) >= 0);
        SHOW(fclose(stream)); /* glibc can't freopen a wide one */
        show_file("a.tr");
        show_file("b.tr");
        stream = OPENED(fopen("bytes.tr", "w+"));
        SHOW(fputs("bytes\n", stream) >= 0);
        wide_on(stream);
        SHOW(fclose(stream));
    }
    FILE *first = OPENED(fopen("c.tr", "w")), *narrow = OPENED(fopen("d.tr", "w"));
    SHOW(fwide(narrow, -1));
    wide_on(narrow);
    stdout = first;
    SHOW(wprintf(L"%ls\n", L"größer"));
    SHOW(putwchar(L'ö') == L'ö');
    SHOW(printf("bytes\n"));
    SHOW(fclose(first) | fclose(narrow));
    FILE *in = OPENED(fopen("c.tr", "r+"));
    stdin = in;
    SHOW(getwchar());
    wchar_t word[32];
    SHOW(wscanf(L"%31ls", word));
    SHOW(wcslen(word));
    SHOW(getchar());
    SHOW(fclose(in));
    show_file("c.tr");
    show_file("d.tr");
}
