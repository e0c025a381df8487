/*
 * The append buffer: what it accepts, how it wraps, and that whatever a drain meets (short writes, errors, other
 * appenders, death), every byte is in the file once.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ring/ring.h"

enum { SIZE = 64 };

static char path[64];
static int fd;
static struct slot s;
static unsigned char bytes[SIZE];
static uint64_t calls, written;
#define RING(bytes) ((struct ring){bytes, s.size})

/* An empty file, opened for appending, and an empty ring for it. */
static void fresh(void)
{
    strcpy(path, "/tmp/traceshim-ring.XXXXXX");
    int made = mkstemp(path);
    ck_assert_int_ge(made, 0);
    close(made);
    fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    memset(&s, 0, sizeof s);
    s.mode = RING_APPEND;
    s.size = SIZE;
    s.commit[0].end = s.commit[1].end = -1;
    memset(bytes, '#', sizeof bytes);
    calls = written = 0;
}

static void cleanup(void)
{
    close(fd);
    unlink(path);
}

/* The same file through a description without O_APPEND, bytes going to `base` first. */
static void make_positioned(int64_t base)
{
    close(fd);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    s.mode = RING_AT;
    s.base = base;
}

static void put(const char *text)
{
    struct iovec v = {(void *)text, strlen(text)};
    ck_assert_uint_le(v.iov_len, ring_room(&s));
    ring_put(&s, RING(bytes), &v, 1, v.iov_len);
}

static int drain(void)
{
    return ring_drain(&s, RING(bytes), fd, &calls, &written);
}

static void append_by_another(const char *text)
{
    int other = open(path, O_WRONLY | O_APPEND);
    ck_assert_int_eq(write(other, text, strlen(text)), (ssize_t)strlen(text));
    close(other);
}

/* The file has exactly these bytes. */
static void holds(const char *expected, size_t n)
{
    static char got[1 << 20];
    int in = open(path, O_RDONLY);
    ssize_t length = read(in, got, sizeof got);
    close(in);
    ck_assert_int_eq(length, (ssize_t)n);
    ck_assert_mem_eq(got, expected, n);
}

static void holds_text(const char *expected)
{
    holds(expected, strlen(expected));
}

START_TEST(an_empty_ring_makes_no_call)
{
    ck_assert_uint_eq(ring_pending(&s), 0);
    ck_assert_uint_eq(ring_room(&s), SIZE);
    ck_assert_int_eq(ring_end(&s), -1);
    ck_assert_int_eq(ring_drain(&s, RING(bytes), -1, &calls, &written), 0);
    ck_assert_uint_eq(calls, 0);
}
END_TEST

START_TEST(put_counts_and_drain_appends)
{
    append_by_another("before ");
    put("one ");
    put("two ");
    ck_assert_uint_eq(ring_pending(&s), 8);
    ck_assert_uint_eq(ring_room(&s), SIZE - 8);
    holds_text("before ");
    ck_assert_int_eq(drain(), 0);
    holds_text("before one two ");
    ck_assert_uint_eq(ring_pending(&s), 0);
    ck_assert_uint_eq(written, 8);
    ck_assert_uint_eq(calls, 4); /* the end of the file, once; the sentinel, the write, the look at the offset */
    ck_assert_int_eq(s.intent_from, 7);
    ck_assert_int_eq(ring_end(&s), 15);
    ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 15);
    put("three ");
    calls = 0;
    ck_assert_int_eq(drain(), 0);
    ck_assert_uint_eq(calls, 3);
    ck_assert_int_eq(s.intent_from, 15);
}
END_TEST

START_TEST(put_gathers_pieces)
{
    struct iovec v[] = {{"a", 1}, {NULL, 0}, {"bc", 2}, {"", 0}, {"def", 3}};
    ring_put(&s, RING(bytes), v, 5, 6);
    ring_put(&s, RING(bytes), NULL, 0, 0);
    ck_assert_uint_eq(ring_pending(&s), 6);
    ck_assert_int_eq(drain(), 0);
    holds_text("abcdef");
}
END_TEST

START_TEST(every_byte_of_the_ring_is_used)
{
    char full[SIZE + 1];
    memset(full, 'x', SIZE);
    full[0] = '<';
    full[SIZE - 1] = '>';
    full[SIZE] = '\0';
    for (int begin = 0; begin < 3; begin++) {
        put(full);
        ck_assert_uint_eq(ring_room(&s), 0);
        ck_assert_int_eq(drain(), 0);
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        put(&"abc"[begin]); /* the next one begins elsewhere */
        ck_assert_int_eq(drain(), 0);
        holds_text(&"abc"[begin]);
        ck_assert_int_eq(ftruncate(fd, 0), 0);
    }
    put(full);
    ck_assert_int_eq(drain(), 0);
    holds_text(full);
}
END_TEST

/* From every place in the ring, one piece or two across its end; always one write. */
START_TEST(wraps_anywhere)
{
    for (int at = 0; at < SIZE; at++) {
        atomic_store(&s.head, (uint64_t)at + 10 * SIZE);
        atomic_store(&s.tail, (uint64_t)at + 10 * SIZE);
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        struct iovec v[] = {{"0123456789abcdefghij", 20}, {"ABCDEFGHIJKLMNOPQRSTUVWXYZ+-*/", 30}};
        ring_put(&s, RING(bytes), v, 2, 50);
        calls = written = 0;
        ck_assert_int_eq(drain(), 0);
        ck_assert_uint_eq(calls, at == 0 ? 4 : 3);
        ck_assert_uint_eq(written, 50);
        holds_text("0123456789abcdefghijABCDEFGHIJKLMNOPQRSTUVWXYZ+-*/");
    }
}
END_TEST

START_TEST(commits_take_turns)
{
    put("one");
    ck_assert_int_eq(drain(), 0);
    ck_assert_uint_eq(s.seq, 1);
    ck_assert_uint_eq(s.commit[1].head, 3);
    ck_assert_int_eq(s.commit[1].end, 3);
    put("four");
    ck_assert_int_eq(drain(), 0);
    ck_assert_uint_eq(s.seq, 2);
    ck_assert_uint_eq(s.commit[0].head, 7);
    ck_assert_int_eq(s.commit[0].end, 7);
    ck_assert_uint_eq(s.commit[1].head, 3); /* what counted until this commit */
    ck_assert_uint_eq(s.intent_length, 0);
}
END_TEST

START_TEST(others_may_append_between_drains)
{
    put("a1 ");
    ck_assert_int_eq(drain(), 0);
    append_by_another("other ");
    put("a2 ");
    ck_assert_int_eq(drain(), 0);
    holds_text("a1 other a2 ");
    ck_assert_int_eq(ring_end(&s), 12);
}
END_TEST

START_TEST(positioned_bytes_go_to_their_offset)
{
    append_by_another("..........");
    make_positioned(2);
    ck_assert_int_eq(ring_next_offset(&s), 2);
    put("abc");
    ck_assert_int_eq(ring_next_offset(&s), 5);
    ck_assert_int_eq(drain(), 0);
    holds_text("..abc.....");
    ck_assert_uint_eq(calls, 1);
    ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), 0); /* the description's own offset is left alone */
    put("de");
    ck_assert_int_eq(drain(), 0);
    holds_text("..abcde...");
    ck_assert_int_eq(ring_end(&s), 7);
}
END_TEST

/* The counters go on when the program seeks: the base may then be negative, or leave a hole. */
START_TEST(the_base_may_be_anywhere)
{
    make_positioned(0);
    put("0123456789");
    ck_assert_int_eq(drain(), 0);
    s.base = -8;
    ck_assert_int_eq(ring_next_offset(&s), 2);
    put("ab");
    ck_assert_int_eq(drain(), 0);
    s.base = 2;
    ck_assert_int_eq(ring_next_offset(&s), 14);
    put("xy");
    ck_assert_int_eq(drain(), 0);
    holds("01ab456789\0\0\0\0xy", 16);
}
END_TEST

/* A limit on file sizes makes the kernel take a part, and then nothing. */
static void short_write(void)
{
    struct rlimit limit, old;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    put("0123456789");
    ck_assert_int_eq(drain(), 0);
    limit = (struct rlimit){25, old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    put("abcdefghijklmnopqrstuvwxyz");
    ck_assert_int_eq(drain(), -EFBIG);
    ck_assert_uint_eq(ring_pending(&s), 11);
    ck_assert_uint_eq(written, 25);
    ck_assert_uint_eq(s.intent_length, 0);
    ck_assert_int_eq(ring_end(&s), 25);
    ck_assert_int_eq(drain(), -EFBIG);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    holds_text("0123456789abcdefghijklmno");
    put("!");
    ck_assert_int_eq(drain(), 0);
    holds_text("0123456789abcdefghijklmnopqrstuvwxyz!");
    ck_assert_uint_eq(written, 37);
}

START_TEST(short_writes_go_on_where_they_ended)
{
    short_write();
}
END_TEST

START_TEST(short_writes_at_an_offset)
{
    make_positioned(0);
    short_write();
}
END_TEST

START_TEST(a_short_write_across_the_end_of_the_ring)
{
    char text[SIZE];
    struct rlimit limit, old;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    memset(text, 'a', SIZE - 4);
    text[SIZE - 4] = '\0';
    put(text);
    ck_assert_int_eq(drain(), 0);
    limit = (struct rlimit){SIZE + 2, old.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    put("0123456789"); /* four bytes at the end of the ring, two at its beginning go out */
    ck_assert_int_eq(drain(), -EFBIG);
    ck_assert_uint_eq(ring_pending(&s), 4);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_int_eq(drain(), 0);
    strcpy(text + SIZE - 4, "012");
    char whole[SIZE + 7];
    memcpy(whole, text, SIZE - 4);
    memcpy(whole + SIZE - 4, "0123456789", 11);
    holds_text(whole);
}
END_TEST

/* Nothing is lost, and the next drain has it all. */
static void kept_when(int bad, int error)
{
    put("kept");
    ck_assert_int_eq(ring_drain(&s, RING(bytes), bad, &calls, &written), error);
    ck_assert_uint_eq(ring_pending(&s), 4);
    ck_assert_uint_eq(written, 0);
    ck_assert_uint_eq(s.intent_length, 0);
    ck_assert_int_eq(drain(), 0);
    holds_text("kept");
}

START_TEST(kept_when_the_disk_is_full)
{
    int full = open("/dev/full", O_WRONLY | O_APPEND);
    ck_assert_int_ge(full, 0);
    kept_when(full, -ENOSPC);
    close(full);
}
END_TEST

START_TEST(kept_when_the_disk_is_full_at_an_offset)
{
    int full = open("/dev/full", O_WRONLY);
    make_positioned(0);
    kept_when(full, -ENOSPC);
    close(full);
}
END_TEST

START_TEST(kept_when_the_descriptor_is_gone)
{
    kept_when(-1, -EBADF);
}
END_TEST

START_TEST(kept_when_it_may_only_be_read)
{
    int in = open(path, O_RDONLY);
    kept_when(in, -EBADF);
    close(in);
}
END_TEST

START_TEST(kept_when_there_is_no_offset)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    kept_when(ends[1], -ESPIPE);
    char byte;
    ck_assert_int_eq(close(ends[1]), 0);
    ck_assert_int_eq(read(ends[0], &byte, 1), 0); /* nothing went down the pipe */
    close(ends[0]);
}
END_TEST

START_TEST(discarded_bytes_never_come_back)
{
    put("gone");
    ring_discard(&s);
    ck_assert_uint_eq(ring_pending(&s), 0);
    ck_assert_uint_eq(ring_room(&s), SIZE);
    ck_assert_int_eq(ring_end(&s), -1);
    ck_assert_int_eq(drain(), 0);
    put("here");
    ck_assert_int_eq(drain(), 0);
    holds_text("here");
    ck_assert_int_eq(ring_end(&s), 4);
}
END_TEST

START_TEST(errno_is_left_alone)
{
    errno = EBADMSG;
    put("x");
    ck_assert_int_eq(ring_drain(&s, RING(bytes), -1, &calls, &written), -EBADF);
    ck_assert_int_eq(drain(), 0);
    ck_assert_int_eq(errno, EBADMSG);
}
END_TEST

/* A long random mix of everything, against an array that says what must be in the file. */
START_TEST(against_a_model)
{
    static char model[1 << 20];
    static unsigned char ring[3 * 4096];
    unsigned char *into = ring;
    size_t in_file = 0, pending = 0; /* of the model: bytes in the file, then those in the ring */
    unsigned random = (unsigned)_i * 7919 + 1;
    s.size = sizeof ring;
    if (_i % 2)
        make_positioned(0);
    for (int step = 0; in_file + pending < sizeof model - sizeof ring; step++) {
        unsigned what = (unsigned)rand_r(&random) % 16;
        if (what == 0 && s.mode == RING_APPEND) {
            append_by_another("other\n");
            memmove(model + in_file + 6, model + in_file, pending);
            memcpy(model + in_file, "other\n", 6);
            in_file += 6;
        } else if (what == 1 && step % 64 == 1) {
            ring_discard(&s);
            if (s.mode == RING_AT) /* the next byte goes where the first one discarded would have gone */
                s.base -= (int64_t)pending;
            pending = 0;
        } else if (what <= 3) {
            ck_assert_int_eq(ring_drain(&s, RING(ring), fd, &calls, &written), 0);
            in_file += pending;
            pending = 0;
            ck_assert_int_eq(ring_end(&s) < 0 || ring_end(&s) <= (int64_t)in_file, 1);
        } else {
            size_t n = (size_t)rand_r(&random) % (what == 4 ? sizeof ring : 200);
            if (n > ring_room(&s))
                continue;
            for (size_t i = 0; i < n; i++)
                model[in_file + pending + i] = (char)rand_r(&random);
            size_t cut = n ? (size_t)rand_r(&random) % n : 0;
            struct iovec v[] = {{model + in_file + pending, cut}, {model + in_file + pending + cut, n - cut}};
            ring_put(&s, RING(into), v, 2, n);
            pending += n;
        }
        ck_assert_uint_eq(ring_pending(&s), pending);
    }
    ck_assert_int_eq(ring_drain(&s, RING(ring), fd, &calls, &written), 0);
    holds(model, in_file + pending);
}
END_TEST

/* ---- death in the middle of anything: the slot and the surviving descriptor tell how much is in the file ---- */

struct shared {
    struct slot slot;
    unsigned char bytes[4096];
};

static void write_until_killed(struct shared *shared)
{
    unsigned char record[100];
    uint64_t n = 0;
    for (;;) {
        size_t length = 1 + n % sizeof record;
        for (size_t i = 0; i < length; i++)
            record[i] = (unsigned char)((n + i) % 251);
        if (ring_room(&shared->slot) < length)
            ring_drain(&shared->slot, (struct ring){shared->bytes, shared->slot.size}, fd, &calls, &written);
        struct iovec v = {record, length};
        ring_put(&shared->slot, (struct ring){shared->bytes, shared->slot.size}, &v, 1, length);
        n += length;
    }
}

/* How many bytes are in the file, from what the dead process left, as exactly-once recovery reads it. */
static uint64_t bytes_known_by(struct slot *dead)
{
    const struct ring_commit *last = &dead->commit[dead->seq & 1];
    uint64_t head = last->head > dead->head ? last->head : dead->head;
    if (dead->intent_length == 0 || dead->intent_head < head)
        return head;
    off_t witness = lseek(fd, 0, SEEK_CUR);
    return witness == 0 ? head : head + (uint64_t)(witness - (last->end < 0 ? 0 : last->end));
}

START_TEST(whoever_dies_leaves_the_truth)
{
    struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(shared, MAP_FAILED);
    int in = open(path, O_RDONLY), drained = 0;
    for (int round = 0; round < 100; round++) {
        memset(&shared->slot, 0, sizeof shared->slot);
        shared->slot.mode = RING_APPEND;
        shared->slot.size = sizeof shared->bytes;
        shared->slot.commit[0].end = shared->slot.commit[1].end = -1;
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
            write_until_killed(shared);
        while (atomic_load(&shared->slot.tail) < (uint64_t)round * 300 + 1)
            sched_yield();
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        struct slot *dead = &shared->slot;
        uint64_t head = bytes_known_by(dead);
        off_t size = lseek(in, 0, SEEK_END);
        ck_assert_int_eq(size, (off_t)head);
        ck_assert_uint_le(head, dead->tail);
        ck_assert_uint_le(dead->tail - head, dead->size);
        drained += head > 0;
    }
    ck_assert_int_gt(drained, 50);
    close(in);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ring");
    TCase *all = tcase_create("ring");
    tcase_add_checked_fixture(all, fresh, cleanup);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, an_empty_ring_makes_no_call);
    tcase_add_test(all, put_counts_and_drain_appends);
    tcase_add_test(all, put_gathers_pieces);
    tcase_add_test(all, every_byte_of_the_ring_is_used);
    tcase_add_test(all, wraps_anywhere);
    tcase_add_test(all, commits_take_turns);
    tcase_add_test(all, others_may_append_between_drains);
    tcase_add_test(all, positioned_bytes_go_to_their_offset);
    tcase_add_test(all, the_base_may_be_anywhere);
    tcase_add_test(all, short_writes_go_on_where_they_ended);
    tcase_add_test(all, short_writes_at_an_offset);
    tcase_add_test(all, a_short_write_across_the_end_of_the_ring);
    tcase_add_test(all, kept_when_the_disk_is_full);
    tcase_add_test(all, kept_when_the_disk_is_full_at_an_offset);
    tcase_add_test(all, kept_when_the_descriptor_is_gone);
    tcase_add_test(all, kept_when_it_may_only_be_read);
    tcase_add_test(all, kept_when_there_is_no_offset);
    tcase_add_test(all, discarded_bytes_never_come_back);
    tcase_add_test(all, errno_is_left_alone);
    tcase_add_loop_test(all, against_a_model, 0, 6);
    tcase_add_test(all, whoever_dies_leaves_the_truth);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
