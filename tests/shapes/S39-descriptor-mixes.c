/* S39: fdopen(open()), then fileno with write, fstat, fsync, flock, ftruncate, mmap, sendfile, copy_file_range, dup. */
//: file a.tr
//: calls a.tr <= 80, not fewer
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

#include "show.h"

int main(void)
{
    char buffer[256];
    int descriptor = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
    FILE *stream = OPENED(fdopen(descriptor, "a+"));
    SHOW(fileno(stream) == descriptor);
    SHOW(fputs("by the stream\n", stream) >= 0);
    SHOW(append(fileno(stream), "by the descriptor, before the stream is flushed\n"));
    SHOW(fflush(stream));
    show_fstat("flushed", descriptor);
    SHOW(ftell(stream));
    SHOW(fsync(descriptor));
    SHOW(fdatasync(descriptor));
    SHOW(flock(descriptor, LOCK_EX));
    SHOW(append(descriptor, "under a lock\n"));
    SHOW(flock(descriptor, LOCK_UN));
    SHOW(lockf(descriptor, F_LOCK, 0));
    SHOW(append(descriptor, "under a record lock\n"));
    SHOW(lockf(descriptor, F_ULOCK, 0));
    SHOW(ftruncate(descriptor, 40));
    show_fstat("cut", descriptor);
    SHOW(append(descriptor, "after the cut\n"));
    SHOW(ftruncate(descriptor, 100));
    SHOW(append(descriptor, "after a hole\n"));
    show_file("a.tr");
    char *map = mmap(NULL, 113, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    show_bytes("mapped", map, 113 > 100 ? 100 : 113);
    memcpy(map, "MAPPED", 6);
    SHOW(append(descriptor, "while mapped\n"));
    SHOW(msync(map, 113, MS_SYNC));
    SHOW(munmap(map, 113));
    show_file("a.tr");

    int from = OPENED(open("source", O_RDWR | O_CREAT, 0644));
    append(from, "bytes from another file\n");
    off_t at = 0;
    SHOW(append(descriptor, "before sendfile\n"));
    SHOW(sendfile(descriptor, from, &at, 24));
    int plain = OPENED(open("b.tr", O_RDWR | O_CREAT, 0644));
    SHOW(append(plain, "before sendfile\n"));
    at = 0;
    SHOW(sendfile(plain, from, &at, 24));
    loff_t begin = 0;
    SHOW(append(plain, "before copy_file_range\n"));
    SHOW(copy_file_range(from, &begin, plain, NULL, 24, 0));
    SHOW(lseek(plain, 0, SEEK_CUR));
    SHOW(append(plain, "after it\n"));
    show_file("b.tr");

    int second = OPENED(dup(descriptor));
    SHOW(append(second, "by the duplicate\n"));
    SHOW(lseek(descriptor, 0, SEEK_CUR));
    SHOW(lseek(second, 3, SEEK_SET));
    SHOW(read(descriptor, buffer, 10));
    show_bytes("from 3", buffer, 10);
    SHOW(fclose(stream));
    SHOW(append(second, "after fclose, by the duplicate\n"));
    SHOW(close(descriptor));
    SHOW(close(second));
    show_file("a.tr");
    show_path("a.tr");
}
