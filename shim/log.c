/* Lines to the log and to stderr: see log.h. */
#include "log.h"

#include <string.h>

#include "sys.h"
#include "text.h"

static char log_path[4096];

void log_open(const char *path)
{
    size_t n = strlen(path);
    if (n < sizeof log_path)
        memcpy(log_path, path, n + 1);
}

static void say(int fd, const char *text)
{
    struct iovec v[2] = {{(void *)text, strlen(text)}, {(void *)"\n", 1}};
    sys_writev(fd, v, 2);
}

void log_stderr(const char *text)
{
    say(2, text);
}

void log_line(const char *text)
{
    if (!log_path[0])
        return;
    if (strcmp(log_path, "-") == 0) {
        say(2, text);
        return;
    }
    long fd = sys_openat(AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return;
    say((int)fd, text);
    sys_close((int)fd);
}

/* strerror takes locks; these are the errors that a write to a file meets. */
static void text_errno(struct text *t, int err)
{
    switch (err) {
    case ENOSPC: text_add(t, "no space left on device"); return;
    case EDQUOT: text_add(t, "disk quota exceeded"); return;
    case EIO: text_add(t, "input/output error"); return;
    case EFBIG: text_add(t, "file too large"); return;
    case EROFS: text_add(t, "read-only file system"); return;
    case ENOTCONN: text_add(t, "transport endpoint is not connected"); return;
    case EBADF: text_add(t, "its descriptor was closed behind the library's back"); return;
    default: text_add(t, "error "); text_number(t, (unsigned long long)err);
    }
}

static struct text sentence(char *memory, size_t n, const char *path, uint64_t bytes, const char *what, int err)
{
    struct text t = text_in(memory, n);
    text_add(&t, "traceshim: ");
    text_quoted(&t, path, strlen(path));
    text_add(&t, ": ");
    text_number(&t, bytes);
    text_add(&t, what);
    text_errno(&t, err);
    return t;
}

void log_failure(const char *path, uint64_t bytes, int err)
{
    char memory[512];
    sentence(memory, sizeof memory, path, bytes, " bytes could not be written yet: ", err);
    log_line(memory);
}

void log_left(const char *path, uint64_t bytes, int err, const char *kept)
{
    char memory[1024];
    struct text t = sentence(memory, sizeof memory, path, bytes,
                             kept[0] ? " bytes not written: " : " bytes are lost, they could not be written: ", err);
    if (kept[0]) {
        text_add(&t, " (kept in ");
        text_add(&t, kept);
        text_add(&t, "; traceshim recover writes them)");
    }
    log_stderr(memory);
    if (strcmp(log_path, "-") != 0)
        log_line(memory);
}
