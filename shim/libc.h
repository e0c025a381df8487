/* libc.h - the headers that declare what names.h lists, in the one way this library can
 * be compiled. */
#ifndef TRACESHIM_LIBC_H
#define TRACESHIM_LIBC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <features.h>

/* With either, the headers rename what we define: open would be open64, or an inline
 * function around __open_2. */
#if defined _FILE_OFFSET_BITS && _FILE_OFFSET_BITS == 64
#error "compile with -U_FILE_OFFSET_BITS"
#endif
#if defined _FORTIFY_SOURCE && _FORTIFY_SOURCE > 0
#error "compile with -U_FORTIFY_SOURCE"
#endif

/* The same of the functions that scan: the headers would name them after a standard. */
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1

#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <mqueue.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>
#include <utmp.h>
#include <wchar.h>
#include <wordexp.h>
#if __GLIBC_PREREQ(2, 36)
#include <sys/pidfd.h>
#endif

struct mount_attr; /* of linux/mount.h, which sys/mount.h repeats since glibc 2.36 */

#endif
