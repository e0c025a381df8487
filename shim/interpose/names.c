/* names: a path is made, renamed or removed, paths come to mean something else, or the process may no longer open them.
 *
 * Others act on names (the "done" file), so all bytes are in their files before one changes. A cached descriptor of what is about to
 * be removed is closed: file systems that keep busy files would keep it. Afterwards every path is looked at again at its next
 * open.
 */
#define NAMES_names
#include "export.h"

#include "../report.h"
#include "fd.h"

/* What changes after the call: all paths, or nothing when it failed (looking again does no harm). */
#define CHANGES(type, before, call) \
    do {                            \
        tf_tell();                  \
        before;                     \
        type done = call;           \
        tf_names_changed();         \
        return done;                \
    } while (0)

/* A name is made: nothing that is cached can be meant by it, but it may tell others something. */
#define MAKES(type, call) \
    do {                  \
        tf_tell();        \
        return call;      \
    } while (0)

/* Both ends of a rename: a directory takes what is below it along. */
static void moving(int from_dir, const char *from, int to_dir, const char *to)
{
    struct stat st;
    if (from && sys_fstatat(from_dir, from, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)) {
        tf_evict_all(CAUSE_names);
        return;
    }
    tf_evict_path(from_dir, from, CAUSE_names);
    tf_evict_path(to_dir, to, CAUSE_names);
}

int rename(const char *from, const char *to)
{
    CHANGES(int, moving(AT_FDCWD, from, AT_FDCWD, to), real_rename(from, to));
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    from_dir = open_number(from_dir);
    to_dir = open_number(to_dir);
    CHANGES(int, moving(from_dir, from, to_dir, to), real_renameat(from_dir, from, to_dir, to));
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags)
{
    from_dir = open_number(from_dir);
    to_dir = open_number(to_dir);
    CHANGES(int, moving(from_dir, from, to_dir, to), real_renameat2(from_dir, from, to_dir, to, flags));
}

int unlink(const char *path)
{
    CHANGES(int, tf_evict_path(AT_FDCWD, path, CAUSE_names), real_unlink(path));
}

int unlinkat(int dir, const char *path, int flags)
{
    dir = open_number(dir);
    CHANGES(int, (flags & AT_REMOVEDIR) ? tf_evict_all(CAUSE_names) : tf_evict_path(dir, path, CAUSE_names),
            real_unlinkat(dir, path, flags));
}

int remove(const char *path)
{
    CHANGES(int, moving(AT_FDCWD, path, AT_FDCWD, NULL), real_remove(path));
}

int rmdir(const char *path)
{
    CHANGES(int, tf_evict_all(CAUSE_names), real_rmdir(path));
}

int link(const char *from, const char *to)
{
    CHANGES(int, , real_link(from, to));
}

int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    from_dir = open_number(from_dir);
    to_dir = open_number(to_dir);
    CHANGES(int, , real_linkat(from_dir, from, to_dir, to, flags));
}

int symlink(const char *target, const char *path)
{
    CHANGES(int, , real_symlink(target, path));
}

int symlinkat(const char *target, int dir, const char *path)
{
    dir = open_number(dir);
    CHANGES(int, , real_symlinkat(target, dir, path));
}

int mkdir(const char *path, mode_t mode)
{
    CHANGES(int, , real_mkdir(path, mode));
}

int mkdirat(int dir, const char *path, mode_t mode)
{
    dir = open_number(dir);
    CHANGES(int, , real_mkdirat(dir, path, mode));
}

char *mkdtemp(char *template)
{
    MAKES(char *, real_mkdtemp(template));
}

int mkfifo(const char *path, mode_t mode)
{
    MAKES(int, real_mkfifo(path, mode));
}

int mkfifoat(int dir, const char *path, mode_t mode)
{
    dir = open_number(dir);
    MAKES(int, real_mkfifoat(dir, path, mode));
}

#if __GLIBC_PREREQ(2, 33)
int mknod(const char *path, mode_t mode, dev_t device)
{
    MAKES(int, real_mknod(path, mode, device));
}

int mknodat(int dir, const char *path, mode_t mode, dev_t device)
{
    dir = open_number(dir);
    MAKES(int, real_mknodat(dir, path, mode, device));
}
#endif

int __xmknod(int version, const char *path, mode_t mode, dev_t *device)
{
    MAKES(int, real___xmknod(version, path, mode, device));
}

int __xmknodat(int version, int dir, const char *path, mode_t mode, dev_t *device)
{
    dir = open_number(dir);
    MAKES(int, real___xmknodat(version, dir, path, mode, device));
}

int bind(int fd, const struct sockaddr *addr, socklen_t length)
{
    fd = open_number(fd);
    MAKES(int, real_bind(fd, addr, length));
}

int shm_unlink(const char *name)
{
    MAKES(int, real_shm_unlink(name));
}

int sem_unlink(const char *name)
{
    MAKES(int, real_sem_unlink(name));
}

int mq_unlink(const char *name)
{
    MAKES(int, real_mq_unlink(name));
}

/* Relative paths start elsewhere; no file has changed. */
int chdir(const char *path)
{
    int done = real_chdir(path);
    tf_directory_changed();
    return done;
}

int fchdir(int fd)
{
    if (!ready(fd, CAUSE_names))
        return -1;
    int done = real_fchdir(fd);
    tf_directory_changed();
    return done;
}

int chroot(const char *path)
{
    CHANGES(int, tf_evict_all(CAUSE_names), real_chroot(path));
}

int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data)
{
    CHANGES(int, tf_evict_all(CAUSE_names), real_mount(source, target, type, flags, data));
}

int umount(const char *path)
{
    CHANGES(int, tf_evict_all(CAUSE_names), real_umount(path));
}

int umount2(const char *path, int flags)
{
    CHANGES(int, tf_evict_all(CAUSE_names), real_umount2(path, flags));
}

int pivot_root(const char *root, const char *old)
{
    CHANGES(int, tf_evict_all(CAUSE_names), real_pivot_root(root, old));
}

#if __GLIBC_PREREQ(2, 36)
int move_mount(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags)
{
    from_dir = open_number(from_dir);
    to_dir = open_number(to_dir);
    CHANGES(int, tf_evict_all(CAUSE_names), real_move_mount(from_dir, from, to_dir, to, flags));
}

int mount_setattr(int dir, const char *path, unsigned int flags, struct mount_attr *attr, size_t size)
{
    dir = open_number(dir);
    CHANGES(int, tf_evict_all(CAUSE_names), real_mount_setattr(dir, path, flags, attr, size));
}
#endif

/* What follows is the calling thread's alone. */
static void divides(void)
{
    tf_becomes(true, false);
    tf_evict_all(CAUSE_names);
}

int setns(int fd, int type)
{
    fd = open_number(fd);
    CHANGES(int, divides(), real_setns(fd, type));
}

int unshare(int flags)
{
    CHANGES(int, divides(), real_unshare(flags));
}

/* Who the process is decides what it may open: no descriptor that it opened as somebody else is used again. uid: another user for good,
 * or -1 when it may come back. */
static void leaving(bool thread_only, uid_t uid)
{
    tf_evict_all(CAUSE_names);
    tf_becomes(thread_only, uid != (uid_t)-1 && uid != 0);
    report_write(); /* it may be the last time that we can */
}

void shim_leaving(uid_t uid)
{
    tf_tell();
    leaving(true, uid);
}

#define BECOMES(name, params, args, thread_only, uid)              \
    int name params                                                \
    {                                                              \
        CHANGES(int, leaving(thread_only, uid), real_##name args); \
    }
#define SAME ((uid_t)-1)
BECOMES(setuid, (uid_t uid), (uid), false, uid)
BECOMES(setgid, (gid_t gid), (gid), false, SAME)
BECOMES(seteuid, (uid_t uid), (uid), false, SAME)
BECOMES(setegid, (gid_t gid), (gid), false, SAME)
BECOMES(setreuid, (uid_t real, uid_t effective), (real, effective), false, effective)
BECOMES(setregid, (gid_t real, gid_t effective), (real, effective), false, SAME)
BECOMES(setresuid, (uid_t real, uid_t effective, uid_t saved), (real, effective, saved), false, saved)
BECOMES(setresgid, (gid_t real, gid_t effective, gid_t saved), (real, effective, saved), false, SAME)
BECOMES(setfsuid, (uid_t uid), (uid), true, SAME)
BECOMES(setfsgid, (gid_t gid), (gid), true, SAME)
BECOMES(setgroups, (size_t count, const gid_t *groups), (count, groups), false, SAME)
BECOMES(initgroups, (const char *user, gid_t group), (user, group), false, SAME)
BECOMES(capset, (void *header, const void *data), (header, data), true, SAME)
