/*
 * The tables of a process: files by inode, handles by descriptor, paths by spelling and directory, records by name.
 *
 * The descriptors here are numbers that nobody opened, and the inodes are made up: the tables don't ask the kernel.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracefile/tables.h"

static void fresh(void)
{
    static const unsigned char known = 1;
    process_known = &known; /* Check forks without us */
    tables.config.buffer = 4096;
    tables.config.memory = 4 * 4096;
    tables.config.window_ms = 1000;
    enter();
    take_tables();
}

static void cleanup(void)
{
    drop_tables();
    leave();
}

static struct file *file(uint64_t ino)
{
    struct stat st = {.st_dev = 1, .st_ino = ino, .st_mode = S_IFREG | 0644, .st_blksize = 4096};
    char name[32];
    snprintf(name, sizeof name, "/made/up/%lu", (unsigned long)ino);
    struct file *f = file_make(&st, name);
    ck_assert_ptr_nonnull(f);
    return f;
}

static struct file *found(uint64_t ino)
{
    struct inode id = {1, ino};
    return file_find(&id);
}

START_TEST(one_file_for_an_inode)
{
    struct inode other_device = {2, 7};
    struct file *f = file(7);
    ck_assert_ptr_eq(file(7), f);
    ck_assert_ptr_eq(found(7), f);
    ck_assert_ptr_null(found(8));
    ck_assert_ptr_null(file_find(&other_device));
    ck_assert_uint_eq(tf_known_files, 1);
    ck_assert_str_eq(f->record->shown->path, "/made/up/7");
    ck_assert_ptr_null(f->slot); /* not before a byte is to be kept */
    ck_assert(file_ring(f));
    ck_assert_uint_eq(f->slot->ino, 7);
    ck_assert_uint_eq(f->block, 4096);
    file_end(f);
    ck_assert_ptr_null(found(7));
    ck_assert_uint_eq(tf_known_files, 0);
    ck_assert_ptr_eq(record_get("/made/up/7"), file(7)->record); /* records stay */
}
END_TEST

/* Slots are used again; whoever comes when none is left gets along without. */
START_TEST(more_files_than_slots)
{
    enum { MORE = 10 };
    for (uint64_t i = 1; i <= JOURNAL_SLOTS + MORE; i++)
        ck_assert_int_eq(file_ring(file(i)), i <= JOURNAL_SLOTS);
    ck_assert_uint_eq(tf_known_files, JOURNAL_SLOTS + MORE);
    for (uint64_t i = 1; i <= JOURNAL_SLOTS; i++)
        ck_assert_ptr_nonnull(found(i)->slot);
    for (uint64_t i = JOURNAL_SLOTS + 1; i <= JOURNAL_SLOTS + MORE; i++) {
        ck_assert_ptr_null(found(i)->slot);
    }
    struct slot *freed = found(100)->slot;
    file_end(found(100));
    ck_assert(file_ring(file(1000000)));
    ck_assert_ptr_eq(found(1000000)->slot, freed);
    ck_assert_uint_eq(freed->ino, 1000000);
}
END_TEST

/* Memory is bounded: the ring of the file least recently written goes to who needs one. */
START_TEST(rings_go_round)
{
    struct file *f[6];
    for (uint64_t i = 0; i < 6; i++)
        f[i] = file(i + 1);
    for (int i = 0; i < 4; i++) {
        ck_assert(file_ring(f[i]));
        f[i]->slot->last_ms = 100 - i; /* the last one is the oldest */
    }
    ck_assert(file_ring(f[4]));
    ck_assert_uint_eq(f[3]->slot->size, 0);
    ck_assert_uint_ne(f[2]->slot->size, 0);
    f[4]->slot->last_ms = 200;
    f[1]->slot->last_ms = 50;
    ck_assert(file_ring(f[5]));
    ck_assert_uint_eq(f[1]->slot->size, 0);
    ck_assert(file_ring(f[5])); /* it has one */
    file_end(f[0]);
    f[3]->slot->last_ms = f[5]->slot->last_ms = 300;
    ck_assert(file_ring(f[3])); /* the one that the file gave back at its end */
    ck_assert_uint_ne(f[2]->slot->size, 0);
    ck_assert_uint_ne(f[4]->slot->size, 0);
    ck_assert_uint_ne(f[5]->slot->size, 0);
}
END_TEST

START_TEST(handles_by_descriptor)
{
    struct file *f = file(7);
    struct handle *a = handle_make(f, KIND_MANAGED, 100, O_WRONLY | O_APPEND);
    struct handle *b = handle_make(f, KIND_WATCHED, 101, O_RDONLY);
    ck_assert_ptr_eq(tf_get(100), a);
    ck_assert_ptr_eq(tf_get(101), b);
    ck_assert_ptr_null(tf_get(102));
    ck_assert_ptr_null(tf_get(-1));
    ck_assert_ptr_null(tf_get(TF_DESCRIPTORS));
    ck_assert_ptr_null(handle_make(f, KIND_MANAGED, TF_DESCRIPTORS, 0));
    ck_assert_ptr_null(handle_make(f, KIND_MANAGED, -1, 0));
    f->owner = a;
    handle_end(a);
    ck_assert_ptr_null(tf_get(100));
    ck_assert_ptr_null(f->owner);
    ck_assert_ptr_eq(found(7), f);
    handle_end(b);
    ck_assert_ptr_null(tf_get(101));
    ck_assert_ptr_null(found(7)); /* with its last handle */
}
END_TEST

START_TEST(duplicates_end_together)
{
    struct handle *h = handle_make(file(7), KIND_MANAGED, 100, O_WRONLY);
    atomic_store(&tf_descriptors[300], h);
    atomic_store(&tf_descriptors[TF_DESCRIPTORS - 1], h);
    h->fds = 3;
    handle_end(h);
    ck_assert_ptr_null(tf_descriptors[100]);
    ck_assert_ptr_null(tf_descriptors[300]);
    ck_assert_ptr_null(tf_descriptors[TF_DESCRIPTORS - 1]);
}
END_TEST

/* The number has become another handle's meanwhile: that one stays. */
START_TEST(a_number_that_went_on_is_left_alone)
{
    struct file *f = file(7);
    struct handle *old = handle_make(f, KIND_MANAGED, 100, O_WRONLY);
    struct handle *new = handle_make(f, KIND_MANAGED, 100, O_WRONLY);
    handle_end(old);
    ck_assert_ptr_eq(tf_get(100), new);
}
END_TEST

START_TEST(others_become_watched)
{
    struct handle *h = handle_make(NULL, KIND_OTHER, 100, O_RDONLY);
    struct handle *elsewhere = handle_make(NULL, KIND_OTHER, 101, O_RDONLY);
    h->id = (struct inode){1, 7};
    elsewhere->id = (struct inode){1, 8};
    handle_unseen(h);
    ck_assert_ptr_null(tf_get(100)); /* nobody's business yet */
    struct file *f = file(7);
    ck_assert_ptr_eq(tf_get(100), h);
    ck_assert_int_eq(h->kind, KIND_WATCHED);
    ck_assert_ptr_eq(h->file, f);
    ck_assert(f->through & 1u << REASON_UNSEEN);
    ck_assert_ptr_null(tf_get(101));
    struct handle *writer = handle_make(f, KIND_MANAGED, 102, O_WRONLY);
    handle_end(h);
    ck_assert(!(f->through & 1u << REASON_UNSEEN));
    ck_assert_ptr_eq(tf_get(102), writer);
    handle_end(elsewhere);
    ck_assert_ptr_null(tables.others);
}
END_TEST

START_TEST(paths_by_spelling)
{
    struct file *f = file(7), *g = file(8);
    path_set("/d/a", f);
    path_set("/d/../d/a", f);
    path_set("/d/b", g);
    ck_assert_ptr_eq(path_find("/d/a")->file, f);
    ck_assert_ptr_eq(path_find("/d/../d/a")->file, f);
    ck_assert_ptr_eq(path_find("/d/b")->file, g);
    ck_assert_ptr_null(path_find("/d/"));
    ck_assert_ptr_null(path_find(""));
    path_set("/d/a", g); /* another inode has the name now */
    ck_assert_ptr_eq(path_find("/d/a")->file, g);
    path_unset(path_find("/d/b"));
    ck_assert_ptr_null(path_find("/d/b")->file);
    path_unset(path_find("/d/b"));
    file_end(g);
    ck_assert_ptr_null(path_find("/d/a")->file);
    ck_assert_ptr_eq(path_find("/d/../d/a")->file, f);
}
END_TEST

START_TEST(paths_as_long_as_they_get)
{
    static char path[PATH_MAX + 2];
    struct file *f = file(7);
    memset(path, 'x', sizeof path - 1);
    path[0] = '/';
    path_set(path, f);
    ck_assert_ptr_null(path_find(path)); /* no call would take it */
    path[PATH_MAX - 1] = '\0';
    path_set(path, f);
    ck_assert_ptr_eq(path_find(path)->file, f);
    ck_assert_ptr_null(path_find("/x"));
}
END_TEST

/* A relative path counts from the directory in which it was given. */
START_TEST(paths_by_directory)
{
    char first[] = "/tmp/traceshim-tables.XXXXXX", second[] = "/tmp/traceshim-tables.XXXXXX";
    struct file *f = file(7), *g = file(8);
    ck_assert_ptr_nonnull(mkdtemp(first));
    ck_assert_ptr_nonnull(mkdtemp(second));
    ck_assert_int_eq(chdir(first), 0);
    tables.cwd = 0;
    path_set("a", f);
    ck_assert_ptr_eq(path_find("a")->file, f);
    ck_assert_int_eq(chdir(second), 0);
    tables.cwd = 0;
    ck_assert_ptr_null(path_find("a"));
    path_set("a", g);
    ck_assert_ptr_eq(path_find("a")->file, g);
    ck_assert_int_eq(chdir(first), 0);
    tables.cwd = 0;
    ck_assert_ptr_eq(path_find("a")->file, f);
    for (int i = 0; i < 70; i++) { /* more directories than are remembered, all of them gone again */
        char name[80];
        snprintf(name, sizeof name, "%s/%d", second, i);
        ck_assert_int_eq(mkdir(name, 0700), 0);
        ck_assert_int_eq(chdir(name), 0);
        tables.cwd = 0;
        ck_assert_ptr_null(path_find("a"));
        path_set("a", g);
        ck_assert_ptr_eq(path_find("a")->file, g);
    }
    ck_assert_int_eq(chdir("0"), -1);
    ck_assert_int_eq(chdir(first), 0);
    tables.cwd = 0;
    struct path *p = path_find("a"); /* forgotten or right, never another's */
    ck_assert(!p || p->file == f);
    char command[200];
    snprintf(command, sizeof command, "rm -r %s %s", first, second);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Paths that lead nowhere any more make room for new ones. */
START_TEST(spellings_are_bounded)
{
    enum { MOST = 65536 };
    char name[32];
    for (int i = 0; i < MOST + 1000; i++) {
        struct file *f = file(7);
        snprintf(name, sizeof name, "/d/%d", i);
        path_set(name, f);
        ck_assert_uint_le(tables.path_count, MOST);
        if (i % 1000 == 999)
            file_end(f);
    }
    snprintf(name, sizeof name, "/d/%d", MOST + 999);
    ck_assert_ptr_nonnull(path_find(name));
    ck_assert_ptr_null(path_find("/d/0"));
}
END_TEST

START_TEST(records_are_absolute)
{
    char directory[PATH_MAX], expected[2 * PATH_MAX];
    ck_assert_ptr_nonnull(getcwd(directory, sizeof directory));
    struct record *r = record_get("a.tr");
    snprintf(expected, sizeof expected, "%s/a.tr", directory);
    ck_assert_str_eq(r->shown->path, expected);
    ck_assert_ptr_eq(record_get("././a.tr"), r);
    ck_assert_ptr_eq(record_get(expected), r);
    ck_assert_ptr_ne(record_get("b.tr"), r);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_str_eq(record_get("a.tr")->shown->path, "/a.tr");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tables");
    TCase *all = tcase_create("tables");
    tcase_add_checked_fixture(all, fresh, cleanup);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, one_file_for_an_inode);
    tcase_add_test(all, more_files_than_slots);
    tcase_add_test(all, rings_go_round);
    tcase_add_test(all, handles_by_descriptor);
    tcase_add_test(all, duplicates_end_together);
    tcase_add_test(all, a_number_that_went_on_is_left_alone);
    tcase_add_test(all, others_become_watched);
    tcase_add_test(all, paths_by_spelling);
    tcase_add_test(all, paths_as_long_as_they_get);
    tcase_add_test(all, paths_by_directory);
    tcase_add_test(all, spellings_are_bounded);
    tcase_add_test(all, records_are_absolute);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
