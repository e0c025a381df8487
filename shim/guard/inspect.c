/*
 * Inspection: from a command's name to the executable that will run, and what kind it is.
 *
 * The same decisions as the kernel's and the loader's: execve(2) for `#!`, ld.so(8) for
 * what makes an execution secure (the loader then ignores a preloaded path), elf(5) for the rest.
 */
#include "inspect.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { INTERPRETERS_MOST = 5 }; /* as many as execve(2) follows */

#if defined __x86_64__
static const unsigned own_machine = EM_X86_64;
#elif defined __aarch64__
static const unsigned own_machine = EM_AARCH64;
#endif

/* ------------------------------------------------------------ which file */

static bool is_executable(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The file that execvp(3) runs for NAME into PATH; "" when there is none. */
static void find_command(const char *name, char path[PATH_MAX])
{
    path[0] = '\0';
    if (strchr(name, '/') != NULL) {
        if (strlen(name) < PATH_MAX && is_executable(name))
            strcpy(path, name);
        return;
    }
    const char *dirs = getenv("PATH");
    if (dirs == NULL)
        dirs = "/bin:/usr/bin";
    while (*name != '\0') {
        size_t len = strcspn(dirs, ":");
        int n = snprintf(path, PATH_MAX, "%.*s%s%s", (int)len, dirs, len == 0 ? "" : "/", name);
        if (n < PATH_MAX && is_executable(path))
            return;
        path[0] = '\0';
        if (dirs[len] == '\0')
            return;
        dirs += len + 1;
    }
}

/* The command that `env ARGUMENTS` starts, cut out of ARGUMENTS; NULL when there is none. */
static char *behind_env(char *arguments)
{
    char *rest = NULL;
    if (strncmp(arguments, "-S", 2) == 0)
        rest = arguments + 2;
    else if (strncmp(arguments, "-vS", 3) == 0)
        rest = arguments + 3;
    else if (strncmp(arguments, "--split-string=", 15) == 0)
        rest = arguments + 15;
    if (rest == NULL) /* the kernel hands over one argument: a name, whatever it looks like */
        return *arguments == '\0' ? NULL : arguments;
    char *state;
    for (char *word = strtok_r(rest, " \t", &state); word != NULL; word = strtok_r(NULL, " \t", &state))
        if (*word != '-' && strchr(word, '=') == NULL)
            return word;
    return NULL;
}

/* The interpreter that the first line of a script, in HEAD, names, into PATH; "" when none is found. */
static void find_interpreter(char *head, char path[PATH_MAX])
{
    head[strcspn(head, "\n")] = '\0';
    char *interpreter = head + 2 + strspn(head + 2, " \t");
    size_t len = strcspn(interpreter, " \t");
    char *arguments = interpreter + len;
    if (*arguments != '\0')
        *arguments++ = '\0';
    arguments += strspn(arguments, " \t");
    for (size_t n = strlen(arguments); n > 0 && strchr(" \t", arguments[n - 1]) != NULL; n--)
        arguments[n - 1] = '\0';

    const char *base = strrchr(interpreter, '/');
    const char *name = interpreter;
    if (strcmp(base == NULL ? interpreter : base + 1, "env") == 0) {
        name = behind_env(arguments);
        if (name == NULL)
            name = interpreter;
    }
    find_command(name, path);
}

/* Up to SIZE bytes of the file FD from OFFSET on; how many, 0 also for an error. */
static size_t read_at(int fd, void *to, size_t size, uint64_t offset)
{
    ssize_t n = pread(fd, to, size, (off_t)offset);
    return n < 0 ? 0 : (size_t)n;
}

/* Opens what runs in the end for result->command, its path in result->file.  -1 when that can't be read. */
static int open_executable(struct inspection *result)
{
    strcpy(result->file, result->command);
    for (int depth = 0; depth <= INTERPRETERS_MOST && result->file[0] != '\0'; depth++) {
        char head[256] = "";
        int fd = open(result->file, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return -1;
        size_t n = read_at(fd, head, sizeof head - 1, 0);
        if (n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
            return fd;
        close(fd);
        if (n >= 2 && head[0] == '#' && head[1] == '!')
            find_interpreter(head, result->file);
        else
            find_command("/bin/sh", result->file); /* as execvp(3) does after ENOEXEC */
    }
    return -1;
}

/* ------------------------------------------------------------ what kind */

/* Does executing the file make the loader run in secure mode? */
static const char *secure_reason(int fd)
{
    struct stat st;
    struct statvfs fs;
    char capability[64];
    if (fstat(fd, &st) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
        (fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_NOSUID) != 0))
        return NULL;
    if ((st.st_mode & S_ISUID) != 0 && st.st_uid != getuid())
        return "is set-user-ID";
    if ((st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st.st_gid != getgid())
        return "is set-group-ID";
    if (getuid() != 0 && fgetxattr(fd, "security.capability", capability, sizeof capability) > 0)
        return "has file capabilities";
    return NULL;
}

/* The I-th program header of FD.  False when there is none. */
static bool read_segment(int fd, const ElfW(Ehdr) * header, unsigned i, ElfW(Phdr) * segment)
{
    return i < header->e_phnum && header->e_phentsize == sizeof *segment &&
           read_at(fd, segment, sizeof *segment, header->e_phoff + i * sizeof *segment) == sizeof *segment;
}

/* Does the note segment hold the note that Go's linker writes, named "Go", of type 4 (the build)? */
static bool has_go_note(int fd, const ElfW(Phdr) * segment)
{
    static const char name[4] = "Go";
    unsigned char notes[4096];
    size_t size = segment->p_filesz < sizeof notes ? segment->p_filesz : sizeof notes;
    size_t n = read_at(fd, notes, size, segment->p_offset);
    ElfW(Nhdr) note;
    for (size_t at = 0; at + sizeof note + sizeof name <= n;) {
        memcpy(&note, notes + at, sizeof note);
        if (note.n_namesz == sizeof name && note.n_type == 4 &&
            memcmp(notes + at + sizeof note, name, sizeof name) == 0)
            return true;
        size_t step = sizeof note + ((size_t)note.n_namesz + 3) / 4 * 4 + ((size_t)note.n_descsz + 3) / 4 * 4;
        if (step > n - at)
            return false;
        at += step;
    }
    return false;
}

/* The path of the loader that this program was started by. */
static const char *own_loader(void)
{
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM);
    uintptr_t base = 0;
    for (size_t i = 0; i < count; i++)
        if (segments[i].p_type == PT_PHDR)
            base = (uintptr_t)segments - segments[i].p_vaddr;
    for (size_t i = 0; i < count; i++)
        if (segments[i].p_type == PT_INTERP)
            return (const char *)(base + segments[i].p_vaddr);
    return "";
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Is the file the loader itself, started as a command? */
static bool is_own_loader(int fd)
{
    struct stat st, own;
    return fstat(fd, &st) == 0 && stat(own_loader(), &own) == 0 && st.st_dev == own.st_dev && st.st_ino == own.st_ino;
}

static void inspect_segments(int fd, const ElfW(Ehdr) * header, struct inspection *result)
{
    ElfW(Phdr) segment;
    char loader[PATH_MAX] = "";
    bool go = false;
    for (unsigned i = 0; read_segment(fd, header, i, &segment); i++) {
        if (segment.p_type == PT_INTERP)
            loader[read_at(fd, loader, segment.p_filesz < sizeof loader ? segment.p_filesz : sizeof loader - 1,
                           segment.p_offset)] = '\0';
        else if (segment.p_type == PT_NOTE)
            go = go || has_go_note(fd, &segment);
    }
    if (go) {
        strcpy(result->why, "is a Go program");
    } else if (loader[0] == '\0') {
        if (!is_own_loader(fd))
            strcpy(result->why, "is statically linked");
    } else if (strcmp(base_name(loader), base_name(own_loader())) != 0) {
        result->foreign = true;
        snprintf(result->why, sizeof result->why, "is for another C library (%.200s)", loader);
    }
}

void inspect_command(const char *command, struct inspection *result)
{
    memset(result, 0, sizeof *result);
    find_command(command, result->command);
    int fd = open_executable(result);
    if (fd < 0)
        return;
    ElfW(Ehdr) header;
    const char *secure = secure_reason(fd);
    bool complete = read_at(fd, &header, sizeof header, 0) == sizeof header;
    if (complete && (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != own_machine)) {
        result->foreign = true;
        strcpy(result->why, header.e_ident[EI_CLASS] == ELFCLASS32 ? "is a 32-bit program" : "is for another machine");
    } else if (secure != NULL) {
        strcpy(result->why, secure);
    } else if (complete) {
        inspect_segments(fd, &header, result);
    }
    close(fd);
}
