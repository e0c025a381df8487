/* "a+", "r+" and "w+": reads and writes on one stream in turn, positions, end of file, ungetc, each kind of buffer. */
//: file a.tr
#include "show.h"

static void mix(const char *mode, int buffering)
{
    char buffer[128];
    fpos_t position;
    say("mode %s, buffering %d", mode, buffering);
    FILE *file = OPENED(fopen("a.tr", mode));
    SHOW(setvbuf(file, NULL, buffering, 512));
    SHOW(ftell(file));
    SHOW(fgetc(file));
    SHOW(ftell(file));
    SHOW(fseek(file, 0, SEEK_END));
    SHOW(fputs("first line\nsecond line\n", file) >= 0);
    SHOW(ftell(file));
    show_path("a.tr");
    rewind(file);
    say("%s", fgets(buffer, sizeof buffer, file) ? buffer : "nothing");
    SHOW(fgetpos(file, &position));
    SHOW(fgetc(file));
    SHOW(ungetc('X', file));
    SHOW(ungetc('Y', file));
    SHOW(fgetc(file));
    SHOW(fgetc(file));
    SHOW(ftell(file));
    SHOW(fseek(file, 0, SEEK_CUR));
    SHOW(fputs("WRITTEN", file) >= 0);
    SHOW(fflush(file));
    show_file("a.tr");
    SHOW(ftell(file));
    SHOW(fsetpos(file, &position));
    SHOW(fread(buffer, 1, 12, file));
    show_bytes("from the saved position", buffer, 12);
    SHOW(fseek(file, 4, SEEK_SET));
    SHOW(fprintf(file, "%04d", 42));
    SHOW(fseek(file, -3, SEEK_CUR));
    SHOW(fgetc(file));
    SHOW(fseek(file, -1, SEEK_SET));
    SHOW(fseek(file, 5, 9));
    SHOW(fseek(file, 1000, SEEK_SET));
    SHOW(fgetc(file));
    SHOW(feof(file));
    SHOW(fputs("beyond", file) >= 0);
    SHOW(fseeko(file, -3, SEEK_END));
    SHOW(fread(buffer, 1, 3, file));
    show_bytes("last", buffer, 3);
    SHOW(ftello(file));
    SHOW(fclose(file));
    show_file("a.tr");
}

int main(void)
{
    const char *modes[] = {"w+", "a+", "r+", "w+b", "a+e", "rb+"};
    for (int i = 0; i < 6; i++)
        for (int buffering = 0; buffering < 3; buffering++)
            mix(modes[i], buffering);
}
