/* slowfs DIRECTORY MOUNTPOINT [FUSE OPTION]...: a file system that shows DIRECTORY and is as slow and as broken as one likes.
 *
 * What it does is read from a page that the test maps: the file DIRECTORY.control, numbers of 64 bits: microseconds that each call
 * takes, the errno of each write (0: none), bytes that may still be written before ENOSPC (-1: no end); it counts there all calls and
 * the writes.
 */
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct control {
    _Atomic int64_t delay_us, error, room, calls, writes;
};

static struct control *control;
static char root[PATH_MAX - 256];

static void slowly(void)
{
    atomic_fetch_add(&control->calls, 1);
    if (control->delay_us)
        usleep((useconds_t)control->delay_us);
}

static const char *real(const char *path, char *memory)
{
    snprintf(memory, PATH_MAX, "%s%s", root, path);
    return memory;
}

static int result(int done)
{
    return done < 0 ? -errno : 0;
}

static int slow_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
    char memory[PATH_MAX];
    slowly();
    return result(fi ? fstat((int)fi->fh, st) : lstat(real(path, memory), st));
}

static int slow_open(const char *path, struct fuse_file_info *fi)
{
    char memory[PATH_MAX];
    slowly();
    int fd = open(real(path, memory), fi->flags & ~O_APPEND); /* the kernel says where appended bytes go */
    fi->fh = (uint64_t)fd;
    return result(fd);
}

static int slow_create(const char *path, mode_t mode, struct fuse_file_info *fi)
{
    char memory[PATH_MAX];
    slowly();
    int fd = open(real(path, memory), fi->flags & ~O_APPEND, mode);
    fi->fh = (uint64_t)fd;
    return result(fd);
}

static int slow_read(const char *path, char *to, size_t n, off_t at, struct fuse_file_info *fi)
{
    (void)path;
    slowly();
    ssize_t done = pread((int)fi->fh, to, n, at);
    return done < 0 ? -errno : (int)done;
}

static int slow_write(const char *path, const char *from, size_t n, off_t at, struct fuse_file_info *fi)
{
    (void)path;
    slowly();
    atomic_fetch_add(&control->writes, 1);
    if (control->error)
        return -(int)control->error;
    if (control->room >= 0) {
        if (control->room == 0)
            return -ENOSPC;
        if ((int64_t)n > control->room)
            n = (size_t)control->room;
        control->room -= (int64_t)n;
    }
    ssize_t done = pwrite((int)fi->fh, from, n, at);
    return done < 0 ? -errno : (int)done;
}

static int slow_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
    char memory[PATH_MAX];
    slowly();
    return result(fi ? ftruncate((int)fi->fh, size) : truncate(real(path, memory), size));
}

static int slow_flush(const char *path, struct fuse_file_info *fi)
{
    (void)path;
    (void)fi;
    slowly();
    return 0;
}

static int slow_release(const char *path, struct fuse_file_info *fi)
{
    (void)path;
    return result(close((int)fi->fh));
}

static int slow_fsync(const char *path, int data, struct fuse_file_info *fi)
{
    (void)path;
    (void)data;
    slowly();
    return control->error ? -(int)control->error : result(fsync((int)fi->fh));
}

static int slow_unlink(const char *path)
{
    char memory[PATH_MAX];
    slowly();
    return result(unlink(real(path, memory)));
}

static int slow_rename(const char *from, const char *to, unsigned flags)
{
    char one[PATH_MAX], two[PATH_MAX];
    slowly();
    return flags ? -EINVAL : result(rename(real(from, one), real(to, two)));
}

static int slow_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at, struct fuse_file_info *fi,
                        enum fuse_readdir_flags flags)
{
    char memory[PATH_MAX];
    (void)at;
    (void)fi;
    (void)flags;
    slowly();
    DIR *dir = opendir(real(path, memory));
    if (!dir)
        return -errno;
    for (struct dirent *e; (e = readdir(dir));)
        fill(buffer, e->d_name, NULL, 0, 0);
    closedir(dir);
    return 0;
}

static const struct fuse_operations operations = {
    .getattr = slow_getattr,
    .open = slow_open,
    .create = slow_create,
    .read = slow_read,
    .write = slow_write,
    .truncate = slow_truncate,
    .flush = slow_flush,
    .release = slow_release,
    .fsync = slow_fsync,
    .unlink = slow_unlink,
    .rename = slow_rename,
    .readdir = slow_readdir,
};

int main(int argc, char **argv)
{
    char name[PATH_MAX];
    if (argc < 3)
        return 2;
    snprintf(root, sizeof root, "%s", argv[1]);
    snprintf(name, sizeof name, "%s.control", root);
    int fd = open(name, O_RDWR);
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || control == MAP_FAILED) {
        perror(name);
        return 2;
    }
    close(fd);
    argv[1] = argv[0];
    return fuse_main(argc - 1, argv + 1, &operations, NULL);
}
