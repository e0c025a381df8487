/* S33: thousands of files cycling through open, append, close with RLIMIT_NOFILE 1024; the program holds many others. */
//: file t0.tr managed opens=3
//: calls t0.tr t10.tr t500.tr t1000.tr t1500.tr t1999.tr <= 210, not fewer
#include <sys/resource.h>

#include "show.h"

int main(void)
{
    struct rlimit limit = {1024, 1024};
    char name[32];
    int held[900], refused = 0;
    SHOW(setrlimit(RLIMIT_NOFILE, &limit));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2000; i++) {
            snprintf(name, sizeof name, "t%d.tr", i);
            FILE *out = fopen(name, "a");
            if (!out) {
                refused++;
                continue;
            }
            fprintf(out, "%d %s", round, record(i));
            fclose(out);
        }
        if (round == 1)
            for (int i = 0; i < 900; i++)
                if ((held[i] = open("/dev/null", O_RDONLY)) < 0)
                    refused++;
    }
    say("%d refused", refused);
    for (int i = 0; i < 900; i++)
        close(held[i]);
    show_file("t0.tr");
    show_file("t1999.tr");
}
