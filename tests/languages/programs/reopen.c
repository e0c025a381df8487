// C: fopen, fprintf, fclose per record.
//: file a.tr managed opens=1000 real_opens=1
//: calls a.tr <= 20
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        FILE *out = fopen("a.tr", "a");
        if (!out || fprintf(out, "%d\t%g\trecord\n", i, i / 7.0) < 0 || fclose(out) != 0)
            return 1;
    }
    return 0;
}
