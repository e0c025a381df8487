// C: fflush per record.
//: file a.tr managed opens=1 writes=1000
//: calls a.tr <= 20
#include <stdio.h>

int main(void)
{
    FILE *out = fopen("a.tr", "a");
    for (int i = 0; i < 1000; i++)
        if (!out || fprintf(out, "%d\t%g\trecord\n", i, i / 7.0) < 0 || fflush(out) != 0)
            return 1;
    return fclose(out) != 0;
}
