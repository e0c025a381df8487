/*
 * The shim's own memory: zeroed, aligned, apart from each other, used again.
 */
#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

static bool all_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

START_TEST(every_size_is_zeroed_and_aligned)
{
    static const size_t sizes[] = {0,    1,    15,   16,    31,    32,    33,    63,     64,     100,
                                   4095, 4096, 4097, 32768, 65535, 65536, 65537, 262144, 262145, 1 << 22};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int again = 0; again < 3; again++) { /* the later ones get what was given back */
            unsigned char *p = arena_alloc(sizes[i]);
            ck_assert_ptr_nonnull(p);
            ck_assert_uint_eq((uintptr_t)p % 16, 0);
            ck_assert(all_zero(p, sizes[i]));
            memset(p, 0xff, sizes[i]);
            arena_free(p, sizes[i]);
        }
}
END_TEST

START_TEST(what_is_given_back_is_used_again)
{
    void *p = arena_alloc(100), *q = arena_alloc(100);
    arena_free(p, 100);
    arena_free(q, 100);
    ck_assert_ptr_eq(arena_alloc(128), q); /* of the same size class */
    ck_assert_ptr_eq(arena_alloc(65), p);
    ck_assert_ptr_ne(arena_alloc(64), p);
    arena_free(NULL, 100);
}
END_TEST

/* Thousands at once, each filled with a byte of its own: none touches another. */
START_TEST(none_overlap)
{
    enum { MANY = 5000 };
    static unsigned char *p[MANY];
    static size_t size[MANY];
    unsigned random = 1;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < MANY; i++) {
            if (p[i] && rand_r(&random) % 2)
                continue;
            if (p[i])
                arena_free(p[i], size[i]);
            size[i] = (size_t)rand_r(&random) % (i % 100 ? 300 : 100000);
            p[i] = arena_alloc(size[i]);
            ck_assert_ptr_nonnull(p[i]);
            ck_assert(all_zero(p[i], size[i]));
            memset(p[i], i % 255 + 1, size[i]);
        }
        for (int i = 0; i < MANY; i++)
            for (size_t k = 0; k < size[i]; k++)
                if (p[i][k] != i % 255 + 1)
                    ck_abort_msg("block %d of %zu bytes was changed at %zu", i, size[i], k);
    }
}
END_TEST

START_TEST(too_much_is_refused)
{
    ck_assert_ptr_null(arena_alloc((size_t)1 << 60));
    ck_assert_ptr_nonnull(arena_alloc(1)); /* and the rest goes on */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arena");
    TCase *all = tcase_create("arena");
    tcase_add_test(all, every_size_is_zeroed_and_aligned);
    tcase_add_test(all, what_is_given_back_is_used_again);
    tcase_add_test(all, none_overlap);
    tcase_add_test(all, too_much_is_refused);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
