/* Wide output: fwprintf, fputws, fputwc, fwide, wide reads back. */
//: file a.tr
#include <locale.h>
#include <wchar.h>

#include "show.h"

int main(void)
{
    wchar_t line[64];
    say("locale %s", setlocale(LC_ALL, "C.UTF-8") ? "set" : "missing");
    FILE *out = OPENED(fopen("a.tr", "w+"));
    SHOW(fwide(out, 0));
    SHOW(fwprintf(out, L"%d %ls\n", 7, L"zwölf"));
    SHOW(fwide(out, 0) > 0);
    SHOW(fputws(L"Ωμέγα\n", out) >= 0);
    SHOW(fputwc(L'€', out));
    SHOW(putwc(L'\n', out));
    SHOW(fflush(out));
    show_file("a.tr");
    SHOW(ftell(out));
    rewind(out);
    say("line of %zu", fgetws(line, 64, out) ? wcslen(line) : 0);
    SHOW(fgetwc(out));
    SHOW(ungetwc(L'ü', out));
    SHOW(fgetwc(out));
    SHOW(fseek(out, 0, SEEK_END));
    SHOW(fputwc(0x110000, out));
    SHOW(ferror(out) != 0);
    SHOW(fclose(out));
    out = OPENED(fopen("a.tr", "a"));
    SHOW(fputs("bytes first\n", out) >= 0);
    SHOW(fwide(out, 1));
    SHOW(fwprintf(out, L"wide on a byte stream\n"));
    SHOW(fputws(L"wide\n", out));
    SHOW(fclose(out));
    out = OPENED(fopen("b.tr", "a"));
    SHOW(fwide(out, 1));
    for (int i = 0; i < 100; i++)
        fwprintf(out, L"Zeile %d äöü\n", i);
    SHOW(fclose(out));
    out = OPENED(fopen("b.tr", "a"));
    SHOW(fputws(L"", out));
    SHOW(fwide(out, 0) > 0);
    SHOW(fclose(out));
    out = OPENED(fopen("c.tr", "a,ccs=UTF-8"));
    SHOW(fwprintf(out, L"%ls\n", L"größer"));
    SHOW(fclose(out));
    show_file("a.tr");
    show_file("b.tr");
    show_file("c.tr");
}
