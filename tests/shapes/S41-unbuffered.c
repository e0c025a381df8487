/* S41: setvbuf(_IONBF): one write for each fragment. */
//: file a.tr managed writes>=1500
//: calls a.tr <= 20
#include "show.h"

int main(void)
{
    FILE *out = OPENED(fopen("a.tr", "a"));
    SHOW(setvbuf(out, NULL, _IONBF, 0));
    for (int i = 0; i < 500; i++) {
        fprintf(out, "%d %s", i, "fragment ");
        fputs("and another", out);
        putc('\n', out);
        if (i % 250 == 0) {
            SHOW(ftell(out));
            show_path("a.tr");
        }
    }
    SHOW(fclose(out));
}
