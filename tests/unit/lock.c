/*
 * The futex lock: it excludes, it wakes who waits, between threads and between processes.
 */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ring/lock.h"

enum { MANY = 8 };

/* What the lock guards, plainly: where it fails, increments are lost. In memory that children share. */
struct guarded {
    struct lock lock;
    long count;
    _Atomic int inside;
    _Atomic int most_inside;
};

static struct guarded *g;

static void fresh(void)
{
    g = mmap(NULL, sizeof *g, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(g, MAP_FAILED);
}

static void cleanup(void)
{
    munmap(g, sizeof *g);
}

static uint32_t tid(void)
{
    return (uint32_t)sys_gettid();
}

static void count_to(long times)
{
    uint32_t me = tid();
    for (long i = 0; i < times; i++) {
        lock_take(&g->lock, me);
        int inside = atomic_fetch_add(&g->inside, 1) + 1;
        if (inside > g->most_inside)
            g->most_inside = inside;
        g->count++;
        if (i % 64 == 0)
            sched_yield(); /* others meet a held lock, on one processor too */
        atomic_fetch_sub(&g->inside, 1);
        lock_drop(&g->lock);
    }
}

static void *counting_thread(void *times)
{
    count_to(*(long *)times);
    return NULL;
}

START_TEST(taken_tried_and_dropped)
{
    ck_assert_uint_eq(lock_owner(&g->lock), 0);
    lock_take(&g->lock, 7);
    ck_assert_uint_eq(lock_owner(&g->lock), 7);
    ck_assert(!lock_try(&g->lock, 8));
    ck_assert(!lock_try(&g->lock, 7)); /* not even by its owner */
    ck_assert_uint_eq(lock_owner(&g->lock), 7);
    lock_drop(&g->lock);
    ck_assert_uint_eq(g->lock.word, 0);
    ck_assert(lock_try(&g->lock, 8));
    ck_assert_uint_eq(lock_owner(&g->lock), 8);
    lock_drop(&g->lock);
}
END_TEST

START_TEST(threads_exclude_each_other)
{
    pthread_t threads[MANY];
    long times = 20000;
    for (int i = 0; i < MANY; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, counting_thread, &times), 0);
    for (int i = 0; i < MANY; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(g->count, MANY * times);
    ck_assert_int_eq(g->most_inside, 1);
    ck_assert_uint_eq(g->lock.word, 0);
}
END_TEST

START_TEST(processes_exclude_each_other)
{
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            count_to(20000);
            _exit(0);
        }
    }
    int status;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    ck_assert_int_eq(g->count, 4 * 20000);
    ck_assert_int_eq(g->most_inside, 1);
    ck_assert_uint_eq(g->lock.word, 0);
}
END_TEST

static void wait_for_a_waiter(void)
{
    while (!(atomic_load(&g->lock.word) & LOCK_WAITERS))
        sched_yield();
}

static void *waiting_thread(void *unused)
{
    (void)unused;
    lock_take(&g->lock, tid());
    g->count++;
    ck_assert_uint_eq(lock_owner(&g->lock), tid());
    lock_drop(&g->lock);
    return NULL;
}

START_TEST(a_waiting_thread_is_woken)
{
    for (int round = 0; round < 200; round++) {
        pthread_t thread;
        lock_take(&g->lock, tid());
        ck_assert_int_eq(pthread_create(&thread, NULL, waiting_thread, NULL), 0);
        wait_for_a_waiter();
        ck_assert_uint_eq(lock_owner(&g->lock), tid()); /* the bit doesn't hide the owner */
        ck_assert_int_eq(g->count, round);
        lock_drop(&g->lock);
        pthread_join(thread, NULL); /* a wake-up that is lost hangs here */
        ck_assert_int_eq(g->count, round + 1);
    }
}
END_TEST

/* One drop wakes one; each of them must wake the next, though only the first drop saw the waiters. */
START_TEST(all_who_wait_are_woken)
{
    for (int round = 0; round < 50; round++) {
        pthread_t threads[MANY];
        lock_take(&g->lock, tid());
        for (int i = 0; i < MANY; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, waiting_thread, NULL), 0);
        wait_for_a_waiter();
        lock_drop(&g->lock);
        for (int i = 0; i < MANY; i++)
            pthread_join(threads[i], NULL);
        ck_assert_int_eq(g->count, (round + 1) * MANY);
    }
}
END_TEST

START_TEST(a_waiting_process_is_woken)
{
    for (int round = 0; round < 50; round++) {
        lock_take(&g->lock, tid());
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            waiting_thread(NULL);
            _exit(0);
        }
        wait_for_a_waiter();
        ck_assert_int_eq(g->count, round);
        lock_drop(&g->lock);
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        ck_assert_int_eq(g->count, round + 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lock");
    TCase *all = tcase_create("lock");
    tcase_add_checked_fixture(all, fresh, cleanup);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, taken_tried_and_dropped);
    tcase_add_test(all, threads_exclude_each_other);
    tcase_add_test(all, processes_exclude_each_other);
    tcase_add_test(all, a_waiting_thread_is_woken);
    tcase_add_test(all, all_who_wait_are_woken);
    tcase_add_test(all, a_waiting_process_is_woken);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
