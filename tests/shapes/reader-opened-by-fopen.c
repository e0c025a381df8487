/* A stream opened for reading while a writer is open: libc reads inside itself, what is pending must be there. */
//: file a.tr managed|write-through reason=UNSEEN|NONE
#include <wchar.h>

#include "show.h"

int main(void)
{
    char line[256], *long_line = NULL;
    size_t room = 0;
    FILE *out = OPENED(fopen("a.tr", "w")), *in = OPENED(fopen("a.tr", "r"));
    for (int i = 0; i < 30; i++) {
        int number, c;
        fprintf(out, "%d %s", i, record(i));
        fflush(out);
        clearerr(in);
        switch (i % 6) {
        case 0: say("fgets %s", fgets(line, sizeof line, in) ? line : "nothing"); break;
        case 1: say("getline %ld %s", (long)getline(&long_line, &room, in), long_line ? long_line : ""); break;
        case 2:
            SHOW(fscanf(in, "%d", &number));
            say("number %d", number);
            while ((c = getc(in)) != '\n' && c != EOF)
                continue;
            break;
        case 3:
            SHOW(fread(line, 1, 10, in));
            SHOW(ungetc('U', in));
            SHOW(getc(in));
            say("rest %s", fgets(line, sizeof line, in) ? line : "nothing");
            break;
        case 4:
            while ((c = getc(in)) != EOF)
                continue;
            SHOW(ftell(in));
            SHOW(feof(in));
            break;
        default: SHOW(fseek(in, -20, SEEK_END)); say("tail %s", fgets(line, sizeof line, in) ? line : "nothing");
        }
    }
    free(long_line);
    SHOW(fputs("by a reader", in));
    SHOW(ferror(in) != 0);
    SHOW(fclose(in));
    SHOW(fclose(out));
}
