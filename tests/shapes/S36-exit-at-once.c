/* S36: _exit of the program itself, with bytes pending in two files and one stream unflushed. */
//: file a.tr managed drains>=1
//: file b.tr managed drains>=1
//: calls a.tr b.tr <= 22
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    FILE *flushed = OPENED(fopen("b.tr", "w")), *unflushed = OPENED(fopen("c.tr", "w"));
    for (int i = 0; i < 100; i++) {
        append(out, record(i));
        fputs(record(i), flushed);
        fflush(flushed);
        fputs(record(i), unflushed);
    }
    _exit(3);
}
