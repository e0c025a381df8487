/*
 * Looking at the program's memory without dying of it.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tracefile/memory.h"

enum { PAGE = 4096 };

static char *two; /* two pages that can be read, with one on either side that can't */

static void fresh(void)
{
    char *four = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(four, MAP_FAILED);
    two = four + PAGE;
    ck_assert_int_eq(mprotect(two, 2 * PAGE, PROT_READ | PROT_WRITE), 0);
    memset(two, 'x', 2 * PAGE);
    errno = EBADMSG;
}

static void cleanup(void)
{
    ck_assert_int_eq(errno, EBADMSG);
    munmap(two - PAGE, 4 * PAGE);
}

START_TEST(what_can_be_read)
{
    for (int again = 0; again < 2; again++) { /* the second time by what is remembered */
        ck_assert(!memory_unreadable(two, 2 * PAGE));
        ck_assert(!memory_unreadable(two, 1));
        ck_assert(!memory_unreadable(two + PAGE - 1, 2));
        ck_assert(!memory_unreadable(two + 2 * PAGE - 1, 1));
        ck_assert(!memory_unreadable("text of the program", 5));
    }
    ck_assert_int_eq(mprotect(two, PAGE, PROT_READ), 0);
    ck_assert(!memory_unreadable(two, PAGE));
}
END_TEST

START_TEST(what_cannot)
{
    for (int again = 0; again < 2; again++) {
        ck_assert(memory_unreadable(NULL, 1));
        ck_assert(memory_unreadable((void *)8, 100));
        ck_assert(memory_unreadable(two - 1, 1));
        ck_assert(memory_unreadable(two - 1, 2));
        ck_assert(memory_unreadable(two, 2 * PAGE + 1));
        ck_assert(memory_unreadable(two + PAGE, PAGE + 1));
        ck_assert(memory_unreadable(two + 2 * PAGE, 1));
        ck_assert(memory_unreadable((void *)-PAGE, 1));
        ck_assert(memory_unreadable(two, SIZE_MAX));                   /* round the end of the address space */
        ck_assert(memory_unreadable((void *)((uintptr_t)1 << 62), 1)); /* no address at all */
    }
}
END_TEST

START_TEST(nothing_is_always_readable)
{
    ck_assert(!memory_unreadable(NULL, 0));
    ck_assert(!memory_unreadable(two - 1, 0));
}
END_TEST

/* A page that is met for the first time after it was refused, at an address where another was known. */
START_TEST(what_was_refused_may_become_readable)
{
    ck_assert(memory_unreadable(two - 1, 1));
    ck_assert_int_eq(mprotect(two - PAGE, PAGE, PROT_READ), 0);
    ck_assert(!memory_unreadable(two - 1, 1));
}
END_TEST

/* More pages than are remembered: those that fall out are tried again, and none is taken for another. */
START_TEST(many_pages)
{
    enum { MANY = 2 * MEMORY_KNOWN };
    char *p = mmap(NULL, (size_t)MANY * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(p, MAP_FAILED);
    for (int i = 0; i < MANY; i += 2)
        ck_assert_int_eq(mprotect(p + (size_t)i * PAGE, PAGE, PROT_NONE), 0);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++)
            ck_assert_int_eq(memory_unreadable(p + (size_t)i * PAGE, 1), i % 2 == 0);
    munmap(p, (size_t)MANY * PAGE);
}
END_TEST

START_TEST(text)
{
    ck_assert(memory_text("a path"));
    ck_assert(memory_text(""));
    ck_assert(!memory_text(NULL));
    ck_assert(!memory_text(two - 1));
    ck_assert(!memory_text(two + PAGE + 1)); /* goes on into the page that can't be read */
    two[2 * PAGE - 1] = '\0';
    ck_assert(memory_text(two + 2 * PAGE - 1));
    ck_assert(memory_text(two + 2 * PAGE - 10));
    ck_assert(memory_text(two + PAGE - 10));
    two[PAGE - 1] = '\0';
    ck_assert(memory_text(two));
}
END_TEST

/* The kernel looks no further than PATH_MAX either. */
START_TEST(text_longer_than_any_path)
{
    ck_assert_int_eq(mprotect(two - PAGE, PAGE, PROT_READ | PROT_WRITE), 0);
    memset(two - PAGE, 'x', PAGE);
    ck_assert(memory_text(two - PAGE));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *all = tcase_create("memory");
    tcase_add_checked_fixture(all, fresh, cleanup);
    tcase_add_test(all, what_can_be_read);
    tcase_add_test(all, what_cannot);
    tcase_add_test(all, nothing_is_always_readable);
    tcase_add_test(all, what_was_refused_may_become_readable);
    tcase_add_test(all, many_pages);
    tcase_add_test(all, text);
    tcase_add_test(all, text_longer_than_any_path);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
