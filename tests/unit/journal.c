/*
 * The shared memory: its layout, rings and slots handed out and back until there are none, pages that exist when handed out.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ring/journal.h"

enum { PAGE = 4096, RINGS = 5 };

static struct journal j;
static char where[] = "/dev/shm/traceshim-unit.XXXXXX";

static void fresh(void)
{
    ck_assert_ptr_nonnull(mkdtemp(where));
    ck_assert_int_eq(journal_open(&j, where, PAGE, RINGS * PAGE, 250), 0);
}

static void cleanup(void)
{
    char command[100];
    journal_unlink(&j);
    journal_leave(&j);
    snprintf(command, sizeof command, "rm -r %s", where);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(parts_follow_each_other)
{
    const struct journal_header *h = j.header;
    ck_assert_mem_eq(h->magic, JOURNAL_MAGIC, 8);
    ck_assert_uint_eq(h->pid, (uint32_t)getpid());
    ck_assert_uint_eq(h->buffer, PAGE);
    ck_assert_uint_eq(h->rings, RINGS);
    ck_assert_uint_eq(h->window_ms, 250);
    ck_assert_uint_ge(h->slots_at, sizeof *h);
    ck_assert_uint_ge(h->sides_at, h->slots_at + JOURNAL_SLOTS * sizeof(struct slot));
    ck_assert_uint_ge(h->records_at, h->sides_at + SIDES * sizeof(struct side));
    ck_assert_uint_eq(h->rings_at, h->records_at + JOURNAL_RECORDS);
    ck_assert_uint_eq(h->size, h->rings_at + RINGS * PAGE);
    ck_assert_uint_eq((uintptr_t)j.slots % 64, 0);
    ck_assert_uint_eq((uintptr_t)j.sides % 64, 0);
}
END_TEST

START_TEST(slots_until_there_are_none)
{
    for (uint32_t i = 0; i < JOURNAL_SLOTS; i++) {
        struct slot *s = journal_slot(&j);
        ck_assert_ptr_eq(s, &j.slots[i]);
        ck_assert_uint_eq(j.header->slots, i + 1);
        ck_assert_uint_eq(s->size, 0);
        ck_assert_int_eq(ring_end(s), -1);
    }
    ck_assert_ptr_null(journal_slot(&j));
    ck_assert_uint_eq(j.header->slots, JOURNAL_SLOTS);
}
END_TEST

START_TEST(rings_until_there_are_none)
{
    struct slot *s[RINGS + 1];
    for (int i = 0; i <= RINGS; i++)
        s[i] = journal_slot(&j);
    for (int i = 0; i < RINGS; i++) {
        ck_assert(journal_ring(&j, s[i]));
        ck_assert_uint_eq(s[i]->size, PAGE);
        memset(journal_at(&j, s[i]).at, i + 1, PAGE);
    }
    ck_assert(!journal_ring(&j, s[RINGS]));
    ck_assert_uint_eq(s[RINGS]->size, 0);
    for (int i = 0; i < RINGS; i++) /* none lies on another */
        for (int k = 0; k < PAGE; k++)
            ck_assert_int_eq(journal_at(&j, s[i]).at[k], i + 1);
    uint64_t freed = s[2]->ring;
    journal_ring_back(&j, s[2]);
    ck_assert_uint_eq(s[2]->size, 0);
    journal_ring_back(&j, s[2]); /* it has none: nothing */
    ck_assert(journal_ring(&j, s[RINGS]));
    ck_assert_uint_eq(s[RINGS]->ring, freed);
    ck_assert(!journal_ring(&j, s[2]));
}
END_TEST

START_TEST(all_rings_come_back)
{
    struct slot *s[RINGS];
    for (int i = 0; i < RINGS; i++)
        s[i] = journal_slot(&j);
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < RINGS; i++)
            ck_assert(journal_ring(&j, s[i]));
        for (int i = 0; i < RINGS; i++)
            journal_ring_back(&j, s[(i + round) % RINGS]);
    }
}
END_TEST

START_TEST(another_process_finds_it_whole)
{
    struct journal other;
    int fd = dup(j.fd);
    strcpy(j.header->program, "mine");
    ck_assert_int_eq(journal_map(&other, fd), 0);
    ck_assert_str_eq(other.header->program, "mine");
    ck_assert_uint_eq(other.size, j.size);
    journal_leave(&other);
    fd = dup(j.fd);
    j.header->rings++;
    ck_assert_int_eq(journal_map(&other, fd), -EINVAL);
    j.header->rings--;
    j.header->magic[0] = 'x';
    ck_assert_int_eq(journal_map(&other, fd), -EINVAL);
    close(fd);
}
END_TEST

/* Every record lies in pages that the file system has given, else a full one is a SIGBUS. _i: bytes of a record, times 8. */
START_TEST(records_lie_in_pages_that_exist)
{
    struct stat before, st;
    size_t n = (size_t)_i * 8;
    ck_assert_int_eq(fstat(j.fd, &before), 0);
    for (char *p, *end = NULL; (p = journal_record(&j, n)); end = p + n) {
        ck_assert(!end || p == end);
        ck_assert_int_eq(fstat(j.fd, &st), 0);
        ck_assert_int_ge((st.st_blocks - before.st_blocks) * 512, (j.header->records_used + 4095) / 4096 * 4096);
    }
    ck_assert_uint_gt(j.header->records_used + n, JOURNAL_RECORDS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("journal");
    TCase *all = tcase_create("journal");
    tcase_add_checked_fixture(all, fresh, cleanup);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, parts_follow_each_other);
    tcase_add_test(all, slots_until_there_are_none);
    tcase_add_test(all, rings_until_there_are_none);
    tcase_add_test(all, all_rings_come_back);
    tcase_add_test(all, another_process_finds_it_whole);
    tcase_add_loop_test(all, records_lie_in_pages_that_exist, 30, 80);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
