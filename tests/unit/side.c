/*
 * Side buffers: claimed by one thread each, entries in order, full when full.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ring/side.h"

static struct side *sides;

static void fresh(void)
{
    sides = aligned_alloc(64, SIDES * sizeof *sides);
    ck_assert_ptr_nonnull(sides);
    memset(sides, 0, SIDES * sizeof *sides);
}

static void cleanup(void)
{
    free(sides);
}

static bool put(struct side *side, uint64_t handle, const char *text)
{
    struct iovec v[] = {{(void *)text, strlen(text) / 2},
                        {(void *)(text + strlen(text) / 2), strlen(text) - strlen(text) / 2}};
    return side_put(side, handle, (uint32_t)handle + 100, v, 2, strlen(text));
}

/* The oldest entry is this one; it is dropped. */
static void comes(struct side *side, uint64_t handle, const char *text)
{
    struct side_entry *entry = side_first(side);
    ck_assert_ptr_nonnull(entry);
    ck_assert_uint_eq(entry->handle, handle);
    ck_assert_uint_eq(entry->slot, handle + 100);
    ck_assert_uint_eq(entry->length, strlen(text));
    ck_assert_mem_eq(entry + 1, text, strlen(text));
    side_next(side);
}

START_TEST(entries_come_in_order)
{
    struct side *side = side_claim(sides, SIDES, 5);
    ck_assert_ptr_nonnull(side);
    ck_assert_uint_eq(side->owner, 5);
    ck_assert_ptr_null(side_first(side));
    ck_assert(put(side, 1, "one"));
    ck_assert(put(side, 2, ""));
    ck_assert(put(side, 3, "exactly8"));
    comes(side, 1, "one");
    ck_assert(put(side, 4, "and one more, of an odd length."));
    comes(side, 2, "");
    comes(side, 3, "exactly8");
    comes(side, 4, "and one more, of an odd length.");
    ck_assert_ptr_null(side_first(side));
    side_release(side);
    ck_assert_uint_eq(side->owner, 0);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    static char large[SIDE_BYTES + 2];
    struct side *side = side_claim(sides, SIDES, 5);
    memset(large, 'x', sizeof large - 1);
    ck_assert(!put(side, 1, large));
    large[SIDE_BYTES] = '\0';
    ck_assert(!put(side, 1, large));
    ck_assert_ptr_null(side_first(side));
    large[SIDE_BYTES - sizeof(struct side_entry)] = '\0';
    ck_assert(put(side, 1, large));
    ck_assert(!put(side, 2, ""));
    comes(side, 1, large);
    ck_assert_ptr_null(side_first(side));
}
END_TEST

START_TEST(many_small_entries)
{
    struct side *side = side_claim(sides, SIDES, 5);
    int n = 0;
    while (put(side, (uint64_t)n, "ten bytes."))
        n++;
    ck_assert_int_eq(n, SIDE_BYTES / (sizeof(struct side_entry) + 16));
    for (int i = 0; i < n; i++)
        comes(side, (uint64_t)i, "ten bytes.");
    ck_assert_ptr_null(side_first(side));
}
END_TEST

START_TEST(all_taken)
{
    struct side *claimed[SIDES];
    for (uint32_t i = 0; i < SIDES; i++) {
        claimed[i] = side_claim(sides, SIDES, i + 1);
        ck_assert_ptr_nonnull(claimed[i]);
        for (uint32_t k = 0; k < i; k++)
            ck_assert_ptr_ne(claimed[i], claimed[k]);
    }
    ck_assert_ptr_null(side_claim(sides, SIDES, 1000));
    ck_assert(put(claimed[9], 1, "left behind"));
    comes(claimed[9], 1, "left behind");
    side_release(claimed[9]);
    struct side *again = side_claim(sides, SIDES, 1000);
    ck_assert_ptr_eq(again, claimed[9]);
    ck_assert_ptr_null(side_first(again)); /* and it begins empty, with all its room */
    ck_assert_uint_eq(again->head, 0);
    ck_assert_uint_eq(again->tail, 0);
}
END_TEST

static void *claiming_thread(void *wrong)
{
    uint32_t me = (uint32_t)sys_gettid();
    for (int i = 0; i < 5000; i++) {
        struct side *side = side_claim(sides, SIDES, me);
        if (!side || !put(side, me, "mine") || side_first(side)->handle != me)
            atomic_fetch_add((_Atomic int *)wrong, 1);
        if (!side)
            continue;
        side_next(side);
        if (side_first(side) || side->owner != me)
            atomic_fetch_add((_Atomic int *)wrong, 1);
        side_release(side);
    }
    return NULL;
}

START_TEST(each_thread_has_its_own)
{
    pthread_t threads[8];
    _Atomic int wrong = 0;
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, claiming_thread, (void *)&wrong), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("side");
    TCase *all = tcase_create("side");
    tcase_add_checked_fixture(all, fresh, cleanup);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, entries_come_in_order);
    tcase_add_test(all, what_does_not_fit_is_refused);
    tcase_add_test(all, many_small_entries);
    tcase_add_test(all, all_taken);
    tcase_add_test(all, each_thread_has_its_own);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
