/* Reason STREAM_MODE: ",ccs=" is libc's own business. */
//: file a.tr unmanaged reason=STREAM_MODE
#include <locale.h>
#include <wchar.h>

#include "show.h"

int main(void)
{
    for (int i = 0; i < 5; i++) {
        FILE *out = OPENED(fopen("a.tr", "a,ccs=UTF-8"));
        if (!out)
            return 2;
        SHOW(fwprintf(out, L"Zeile %d äöü\n", i));
        SHOW(fclose(out));
    }
    show_file("a.tr");
}
