/* Streams on pipes and sockets are ours, so that what they send by themselves is seen as telling others: the program can't tell. */
//: file a.tr managed drains>=3
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <wchar.h>

#include "show.h"

/* What has arrived by now. */
static void arrived(int fd)
{
    static char bytes[100000];
    struct pollfd p = {fd, POLLIN, 0};
    ssize_t n = poll(&p, 1, 0) == 1 ? read(fd, bytes, sizeof bytes) : -2;
    say("arrived: %zd %.*s", n, n > 0 && n < 100 ? (int)n : 0, bytes);
}

static void put_record(int out, int i)
{
    append(out, record(i));
}

static FILE *on(int ends[2], const char *mode)
{
    FILE *out = OPENED(fdopen(ends[1], mode));
    say("it is its descriptor: %d", out && fileno(out) == ends[1]);
    return out;
}

static void buffering(int ends[2], int trace, FILE *out)
{
    SHOW(__fbufsize(out));
    SHOW(fputs("held back\n", out));
    SHOW(__fbufsize(out));
    SHOW(__flbf(out));
    SHOW(__fpending(out));
    arrived(ends[0]);
    put_record(trace, 1);
    SHOW(fflush(out));
    arrived(ends[0]);
    for (int i = 0; i < 1000; i++)
        fprintf(out, "record %d\n", i);
    SHOW(__fpending(out));
    arrived(ends[0]);
    SHOW(fflush(out));
    arrived(ends[0]);
}

static void positions(FILE *out)
{
    SHOW(ftell(out));
    SHOW(fseek(out, 0, SEEK_SET));
    SHOW(fseek(out, 0, SEEK_END));
    SHOW(ferror(out));
    SHOW(getc(out));
    SHOW(ferror(out));
    clearerr(out);
    SHOW(__freadable(out));
    SHOW(__fwritable(out));
}

static void a_pipe(int ends[2], int trace)
{
    char small[64];
    FILE *out = on(ends, "w");
    buffering(ends, trace, out);
    positions(out);
    SHOW(setvbuf(out, small, _IOFBF, sizeof small));
    SHOW(fwrite(record(3), 1, strlen(record(3)), out));
    arrived(ends[0]);
    SHOW(setvbuf(out, NULL, _IOLBF, 0));
    SHOW(fputs("a line\nand a half", out));
    arrived(ends[0]);
    SHOW(setvbuf(out, NULL, _IONBF, 0));
    put_record(trace, 2);
    SHOW(fprintf(out, "%d", 1234));
    arrived(ends[0]);
    SHOW(fclose(out));
    arrived(ends[0]);
    SHOW(close(ends[1]));
    SHOW(close(ends[0]));
}

static void nobody_reads(int ends[2])
{
    signal(SIGPIPE, SIG_IGN);
    FILE *out = on(ends, "w");
    SHOW(close(ends[0]));
    SHOW(fputs("lost", out));
    SHOW(fflush(out));
    SHOW(ferror(out));
    SHOW(fputs("lost, too", out));
    SHOW(fclose(out));
}

static void full(int ends[2])
{
    static char much[300000];
    memset(much, 'm', sizeof much);
    SHOW(fcntl(ends[1], F_SETFL, O_NONBLOCK));
    FILE *out = on(ends, "w");
    SHOW(fwrite(much, 1, sizeof much, out));
    SHOW(ferror(out));
    SHOW(__fpending(out));
    arrived(ends[0]);
    clearerr(out);
    SHOW(fputs("again\n", out));
    SHOW(fflush(out));
    arrived(ends[0]);
    SHOW(fclose(out));
    SHOW(close(ends[0]));
}

static void wide(int ends[2])
{
    FILE *out = on(ends, "w");
    SHOW(fwide(out, 0));
    SHOW(fputws(L"wide\n", out));
    SHOW(fwprintf(out, L"%d %ls\n", 17, L"wide"));
    SHOW(fwide(out, 0));
    SHOW(fflush(out));
    arrived(ends[0]);
    SHOW(fclose(out));
    SHOW(close(ends[0]));
}

static void elsewhere(int ends[2])
{
    FILE *out = on(ends, "w");
    SHOW(fputs("to the pipe\n", out));
    SHOW(freopen("plain", "w", out) == out);
    SHOW(fputs("to the file\n", out));
    SHOW(fclose(out));
    arrived(ends[0]);
    SHOW(close(ends[0]));
}

static void wrong_modes(int ends[2])
{
    OPENED(fdopen(ends[0], "w"));
    OPENED(fdopen(ends[0], "a"));
    OPENED(fdopen(ends[1], "r"));
    OPENED(fdopen(ends[1], "z"));
    OPENED(fdopen(999, "w"));
    FILE *out = on(ends, "a");
    SHOW(fputs("appended", out));
    SHOW(fclose(out));
    arrived(ends[0]);
    SHOW(close(ends[0]));
}

int main(void)
{
    int ends[2], trace = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    put_record(trace, 0);
    SHOW(pipe(ends));
    a_pipe(ends, trace);
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    a_pipe(ends, trace);
    SHOW(pipe(ends));
    nobody_reads(ends);
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    nobody_reads(ends);
    SHOW(pipe(ends));
    full(ends);
    SHOW(pipe(ends));
    wide(ends);
    SHOW(pipe(ends));
    elsewhere(ends);
    SHOW(pipe(ends));
    wrong_modes(ends);
    SHOW(pipe(ends));
    put_record(trace, 5);
    FILE *left = on(ends, "w"); /* flushed at exit */
    fputs("left", left);
    SHOW(dup2(ends[0], 200));
    return 0;
}
