/* Reason WINDOW_0: every write is in the file when it returns, as another process sees; opens are still saved. */
//: env TRACESHIM_WINDOW_MS=0
//: file a.tr write-through reason=WINDOW_0 opens=100 real_opens<=2
#include <sys/wait.h>

#include "show.h"

int main(void)
{
    for (int i = 0; i < 100; i++) {
        FILE *out = fopen("a.tr", "a");
        fputs(record(i), out);
        fclose(out);
    }
    SHOW(system("wc -c < a.tr"));
    show_file("a.tr");
}
