/* After close, every call on the number gives EBADF, though the shim keeps the descriptor; and a second close too. */
//: file a.tr managed
#include <sys/file.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "show.h"

static void as_directory(int fd)
{
    struct stat info;
    SHOW(fstatat(fd, "a.tr", &info, 0));
    SHOW(faccessat(fd, "a.tr", R_OK, 0));
    SHOW(unlinkat(fd, "a.tr", 0));
    SHOW(renameat(fd, "a.tr", AT_FDCWD, "b.tr"));
    SHOW(renameat(AT_FDCWD, "a.tr", fd, "b.tr"));
    SHOW(linkat(AT_FDCWD, "a.tr", fd, "b.tr", 0));
    SHOW(symlinkat("a.tr", fd, "b.tr"));
    SHOW(mkdirat(fd, "d", 0755));
    SHOW(mkfifoat(fd, "p", 0644));
    SHOW(fchmodat(fd, "a.tr", 0600, 0));
    SHOW(fchownat(fd, "a.tr", 0, 0, 0));
    SHOW(utimensat(fd, "a.tr", NULL, 0));
}

static void as_socket(int fd)
{
    char byte = 'x';
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    SHOW(send(fd, &byte, 1, 0));
    SHOW(sendto(fd, &byte, 1, 0, NULL, 0));
    SHOW(sendmsg(fd, &message, 0));
    SHOW(recv(fd, &byte, 1, 0));
    SHOW(recvmsg(fd, &message, 0));
    SHOW(shutdown(fd, SHUT_WR));
    SHOW(accept(fd, NULL, NULL));
    SHOW(bind(fd, &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(sa_family_t)));
    SHOW(tee(fd, fd, 1, 0));
    SHOW(vmsplice(fd, &part, 1, 0));
    SHOW(eventfd_write(fd, 1));
}

int main(void)
{
    char buffer[16] = "bytes";
    struct iovec part = {buffer, 5};
    struct stat info;
    off_t at = 0;
    for (int i = 0; i < 3; i++) {
        int fd = OPENED(open("a.tr", O_RDWR | O_CREAT | O_APPEND, 0644));
        append(fd, record(i));
        SHOW(close(fd));
        SHOW(close(fd));
        SHOW(write(fd, buffer, 5));
        SHOW(write(fd, buffer, 0));
        SHOW(writev(fd, &part, 1));
        SHOW(pwrite(fd, buffer, 5, 0));
        SHOW(pwritev(fd, &part, 1, 0));
        SHOW(read(fd, buffer, 5));
        SHOW(readv(fd, &part, 1));
        SHOW(pread(fd, buffer, 5, 0));
        SHOW(lseek(fd, 0, SEEK_END));
        SHOW(fstat(fd, &info));
        SHOW(fsync(fd));
        SHOW(fdatasync(fd));
        SHOW(ftruncate(fd, 0));
        SHOW(posix_fallocate(fd, 0, 10));
        SHOW(fallocate(fd, 0, 0, 10));
        SHOW(dup(fd));
        SHOW(dup2(fd, 50));
        SHOW(dup3(fd, 51, 0));
        SHOW(fcntl(fd, F_GETFL));
        SHOW(fcntl(fd, F_GETFD));
        SHOW(fcntl(fd, F_SETFD, 0));
        SHOW(fcntl(fd, F_DUPFD, 0));
        SHOW(flock(fd, LOCK_SH));
        SHOW(lockf(fd, F_TEST, 0));
        SHOW(fchmod(fd, 0600));
        SHOW(fchown(fd, (uid_t)-1, (gid_t)-1));
        SHOW(futimens(fd, NULL));
        SHOW(syncfs(fd));
        SHOW(dprintf(fd, "text"));
        SHOW(fdopen(fd, "a") == NULL);
        SHOW(isatty(fd));
        SHOW(mmap(NULL, 10, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
        SHOW(sendfile(1, fd, &at, 5));
        SHOW(sendfile(fd, 0, &at, 5));
        SHOW(copy_file_range(fd, NULL, fd, NULL, 5, 0));
        SHOW(fchdir(fd));
        SHOW(posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL));
        SHOW(sync_file_range(fd, 0, 5, SYNC_FILE_RANGE_WRITE));
        SHOW(openat(fd, "none", O_RDONLY));
        SHOW(fstatat(fd, "", &info, AT_EMPTY_PATH));
        as_directory(fd);
        as_socket(fd);
    }
    show_file("a.tr");
}
