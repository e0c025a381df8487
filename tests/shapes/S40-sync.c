/* S40: fsync or fdatasync per record, O_SYNC, O_DSYNC, sync_file_range, syncfs: honoured, so each costs a real call. */
//: file a.tr managed drains>=20
//: file s.tr
//: file d.tr
//: calls a.tr d.tr s.tr <= 240, not fewer
#include "show.h"

int main(void)
{
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < 20; i++) {
        append(out, record(i));
        SHOW(i % 2 ? fsync(out) : fdatasync(out));
    }
    append(out, "before sync_file_range\n");
    SHOW(sync_file_range(out, 0, 100, SYNC_FILE_RANGE_WRITE));
    append(out, "before syncfs\n");
    SHOW(syncfs(out));
    int sync = OPENED(open("s.tr", O_WRONLY | O_CREAT | O_APPEND | O_SYNC, 0644));
    int dsync = OPENED(open("d.tr", O_WRONLY | O_CREAT | O_APPEND | O_DSYNC, 0644));
    for (int i = 0; i < 20; i++) {
        append(sync, record(i));
        append(dsync, record(i));
    }
    SHOW((fcntl(sync, F_GETFL) & O_SYNC) == O_SYNC);
    show_fstat("s.tr", sync);
    SHOW(close(sync));
    FILE *stream = OPENED(fopen("a.tr", "a"));
    fputs("flushed and synced\n", stream);
    SHOW(fflush(stream));
    SHOW(fsync(fileno(stream)));
    SHOW(fsync(-1));
    SHOW(close(out));
    SHOW(fsync(out));
    show_file("a.tr");
    show_file("s.tr");
}
