/* S31: several ranks truncate the same file: what is left is what natively is left. Every rank writes the same lines, after all have
 * truncated; then one truncates what another is in the middle of, which goes on at its offset, or at the end. */
//: file a.tr managed|write-through
//: child same.tr managed
//: child hole.tr managed
//: child end.tr managed
#include <sys/wait.h>

#include "show.h"

enum { RANKS = 4, RECORDS = 200 };

static int to[RANKS][2], back[2];

static void await(int end[2])
{
    char byte;
    if (read(end[0], &byte, 1) != 1)
        _exit(3);
}

static void tell(int end[2])
{
    if (write(end[1], "x", 1) != 1)
        _exit(4);
}

static int same_lines(int rank)
{
    FILE *out = fopen("same.tr", "w");
    tell(back);
    await(to[rank]);
    for (int i = 0; i < RECORDS; i++) {
        fputs(record(i), out);
        fflush(out);
    }
    return fclose(out);
}

/* Rank 0 writes ten records, rank 1 truncates, rank 0 writes on. */
static int in_the_middle(int rank, const char *name, int append_)
{
    int out;
    if (rank == 1)
        await(to[1]);
    if (rank == 1 || !append_)
        out = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    else
        out = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
    for (int i = 0; rank == 0 && i < 10; i++)
        append(out, record(i));
    tell(back);
    if (rank == 1)
        return close(out);
    await(to[0]);
    for (int i = 10; i < 12; i++)
        append(out, record(i));
    return close(out);
}

static void ended(int ranks)
{
    for (int i = 0, status; i < ranks; i++)
        if (wait(&status) < 0 || status != 0)
            say("a rank ended with %x", status);
}

static void middle(const char *name, int append_)
{
    for (int rank = 0; rank < 2; rank++)
        if (fork() == 0)
            _exit(in_the_middle(rank, name, append_));
    await(back);
    show_path(name);
    tell(to[1]);
    await(back);
    show_path(name);
    tell(to[0]);
    ended(2);
    show_file(name);
}

int main(void)
{
    FILE *own = OPENED(fopen("a.tr", "w"));
    SHOW(fputs(record(0), own));
    SHOW(pipe(back));
    for (int rank = 0; rank < RANKS; rank++)
        SHOW(pipe(to[rank]));
    SHOW(fflush(own));
    for (int rank = 0; rank < RANKS; rank++)
        if (fork() == 0)
            _exit(same_lines(rank));
    for (int rank = 0; rank < RANKS; rank++)
        await(back);
    show_path("same.tr");
    for (int rank = 0; rank < RANKS; rank++)
        tell(to[rank]);
    ended(RANKS);
    show_file("same.tr");
    middle("hole.tr", 0);
    middle("end.tr", 1);
    SHOW(fclose(own));
    return 0;
}
