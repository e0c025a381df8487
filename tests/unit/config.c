/*
 * Configuration: defaults, values, messages, and the names of reports.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

enum { NOBODY = 65534 };

static struct config config;
static char err[CONFIG_ERROR];
static char dir[PATH_MAX]; /* of this test, and the working directory */

static void enter_directory(void)
{
    char template[] = "/tmp/traceshim-config.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(template));
    ck_assert_ptr_nonnull(realpath(template, dir));
    ck_assert_int_eq(chmod(dir, 0755), 0);
    ck_assert_int_eq(chdir(dir), 0);
}

static void leave_directory(void)
{
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}

/* Reads the environment of up to three entries. */
static int read3(const char *a, const char *b, const char *c)
{
    const char *entries[] = {"HOME=/", a, b, c, NULL};
    memset(&config, 0xa5, sizeof config);
    memset(err, 0, sizeof err);
    errno = EBADMSG;
    int status = config_read(&config, (char *const *)entries, err, sizeof err);
    ck_assert_int_eq(errno, EBADMSG);
    return status;
}

static int read1(const char *entry)
{
    return read3(entry, NULL, NULL);
}

static bool manages(const char *path)
{
    return patterns_judge(&config.patterns, path, strlen(path), NULL, NULL) == PATTERN_MANAGE;
}

/* ENTRY is refused with WHY; the message is made of both. */
static void refused(const char *entry, const char *why)
{
    char expected[CONFIG_ERROR];
    snprintf(expected, sizeof expected, "traceshim: %s: %s", entry, why);
    ck_assert_msg(read1(entry) == -1, "%s was not refused", entry);
    ck_assert_str_eq(err, expected);
}

START_TEST(defaults)
{
    ck_assert_int_eq(read1(NULL), 0);
    ck_assert(!config.disabled);
    ck_assert_uint_eq(config.window_ms, 1000);
    ck_assert_uint_eq(config.buffer, 262144);
    ck_assert_uint_eq(config.memory, 67108864);
    ck_assert_str_eq(config.report, "");
    ck_assert_str_eq(config.log, "");
    ck_assert(manages("DlMacStats.txt"));
    ck_assert(!manages("a.txt"));
}
END_TEST

START_TEST(patterns_replace_the_default)
{
    ck_assert_int_eq(read1("TRACESHIM_PATTERNS=a*.txt"), 0);
    ck_assert(manages("a.txt"));
    ck_assert(!manages("DlMacStats.txt"));
}
END_TEST

START_TEST(window)
{
    static const char why[] = "not a number of milliseconds (0 to 3600000)";
    ck_assert_int_eq(read1("TRACESHIM_WINDOW_MS=0"), 0);
    ck_assert_uint_eq(config.window_ms, 0);
    ck_assert_int_eq(read1("TRACESHIM_WINDOW_MS=3600000"), 0);
    ck_assert_uint_eq(config.window_ms, 3600000);
    refused("TRACESHIM_WINDOW_MS=3600001", why);
    refused("TRACESHIM_WINDOW_MS=abc", why);
    refused("TRACESHIM_WINDOW_MS=", why);
    refused("TRACESHIM_WINDOW_MS=10x", why);
    refused("TRACESHIM_WINDOW_MS=-1", why);
    refused("TRACESHIM_WINDOW_MS=1.5", why);
    refused("TRACESHIM_WINDOW_MS= 1", why);
    refused("TRACESHIM_WINDOW_MS=18446744073709551617", why);
}
END_TEST

START_TEST(sizes)
{
    static const char why[] = "not a size (4096 to 1G: bytes, or with K, M or G)";
    ck_assert_int_eq(read1("TRACESHIM_BUFFER=4096"), 0);
    ck_assert_uint_eq(config.buffer, 4096);
    ck_assert_int_eq(read1("TRACESHIM_BUFFER=4K"), 0);
    ck_assert_uint_eq(config.buffer, 4096);
    ck_assert_int_eq(read1("TRACESHIM_BUFFER=12M"), 0);
    ck_assert_uint_eq(config.buffer, 12582912);
    ck_assert_int_eq(read3("TRACESHIM_BUFFER=1G", "TRACESHIM_MEMORY=1024G", NULL), 0);
    ck_assert_uint_eq(config.buffer, 1073741824);
    ck_assert_uint_eq(config.memory, (size_t)1 << 40);
    refused("TRACESHIM_BUFFER=4095", why);
    refused("TRACESHIM_BUFFER=3K", why);
    refused("TRACESHIM_BUFFER=2G", why);
    refused("TRACESHIM_BUFFER=1073741825", why);
    refused("TRACESHIM_BUFFER=4k", why);
    refused("TRACESHIM_BUFFER=4KB", why);
    refused("TRACESHIM_BUFFER=K", why);
    refused("TRACESHIM_BUFFER=", why);
    refused("TRACESHIM_BUFFER=18446744073709555712", why);
    refused("TRACESHIM_BUFFER=18014398509481985K", why);
    refused("TRACESHIM_MEMORY=1025G", "not a size (4096 to 1024G: bytes, or with K, M or G)");
}
END_TEST

START_TEST(memory_holds_a_buffer)
{
    ck_assert_int_eq(read3("TRACESHIM_MEMORY=8K", "TRACESHIM_BUFFER=8K", NULL), 0);
    refused("TRACESHIM_MEMORY=255K", "less than one buffer, which is 262144");
    refused("TRACESHIM_BUFFER=65M", "more than the memory of all buffers, which is 67108864");
    ck_assert_int_eq(read3("TRACESHIM_MEMORY=8K", "TRACESHIM_BUFFER=9K", NULL), -1);
    ck_assert_str_eq(err, "traceshim: TRACESHIM_MEMORY=8K: less than one buffer, which is 9216");
}
END_TEST

START_TEST(disable)
{
    ck_assert_int_eq(read1("TRACESHIM_DISABLE=0"), 0);
    ck_assert(!config.disabled);
    ck_assert_int_eq(read1("TRACESHIM_DISABLE=1"), 0);
    ck_assert(config.disabled);
    /* Whoever turns it off doesn't want to hear of it. */
    ck_assert_int_eq(read3("TRACESHIM_WINDOW_MS=abc", "TRACESHIM_DISABLE=1", NULL), 0);
    ck_assert(config.disabled);
    refused("TRACESHIM_DISABLE=yes", "neither 1 nor 0");
    refused("TRACESHIM_DISABLE=", "neither 1 nor 0");
}
END_TEST

START_TEST(unknown_names)
{
    static const char why[] = "this version has no such variable";
    refused("TRACESHIM_WINDOW=5", why);
    refused("TRACESHIM_PATTERNSX=a", why);
    refused("TRACESHIM_PATTERN=a", why);
    refused("TRACESHIM_=a", why);
    refused("TRACESHIM_GUARDS=on", why);
    refused("TRACESHIM_GUARD=yes", "neither on nor off");
    refused("TRACESHIM_CAUSE=", "neither on nor off");
    refused("TRACESHIM_DIR=/none/at/all", "no such directory");
    ck_assert_int_eq(read3("TRACESHIM_GUARD=off", "TRACESHIM_CAUSE=off", "TRACESHIM_DIR=/tmp"), 0);
    ck_assert(!config.guard && !config.cause);
    ck_assert_str_eq(config.dir, "/tmp");
    ck_assert_int_eq(read3("TRACESHIM_GUARD=on", NULL, NULL), 0);
    ck_assert(config.guard && config.cause);
    ck_assert_int_eq(read3("TRACESHIMX=1", "XTRACESHIM_A=1", "TRACESHIM_NOTHING"), 0);
}
END_TEST

START_TEST(first_of_two_counts)
{
    ck_assert_int_eq(read3("TRACESHIM_WINDOW_MS=5", "TRACESHIM_WINDOW_MS=abc", NULL), 0);
    ck_assert_uint_eq(config.window_ms, 5);
}
END_TEST

START_TEST(a_message_is_one_line)
{
    char entry[3000] = "TRACESHIM_WINDOW_MS=a\nb\033c";
    ck_assert_int_eq(read1(entry), -1);
    ck_assert_str_eq(err, "traceshim: TRACESHIM_WINDOW_MS=a?b?c: not a number of milliseconds (0 to 3600000)");
    memset(entry + strlen(entry), 'x', 2000);
    ck_assert_int_eq(read1(entry), -1);
    ck_assert_uint_lt(strlen(err), 400);
    ck_assert_ptr_nonnull(strstr(err, "...: not a number"));
}
END_TEST

START_TEST(paths_become_absolute)
{
    char expected[PATH_MAX + 64];
    ck_assert_int_eq(read3("TRACESHIM_REPORT=r.json", "TRACESHIM_LOG=./l", NULL), 0);
    snprintf(expected, sizeof expected, "%s/r.json", dir);
    ck_assert_str_eq(config.report, expected);
    snprintf(expected, sizeof expected, "%s/./l", dir);
    ck_assert_str_eq(config.log, expected);
    ck_assert_int_eq(read3("TRACESHIM_REPORT=-", "TRACESHIM_LOG=-", NULL), 0);
    ck_assert_str_eq(config.report, "-");
    ck_assert_str_eq(config.log, "-");
    ck_assert_int_eq(read1("TRACESHIM_REPORT=/r"), 0);
    ck_assert_str_eq(config.report, "/r");
}
END_TEST

START_TEST(paths_that_cannot_be_written)
{
    static const char no_file[] = "not the path of a file (- is the standard error)";
    static const char not_regular[] = "not a regular file (- is the standard error)";
    char why[PATH_MAX + 64];
    ck_assert_int_eq(mkdir("sub", 0755), 0);
    fclose(fopen("plain", "w"));
    refused("TRACESHIM_REPORT=", no_file);
    refused("TRACESHIM_REPORT=sub/", no_file);
    refused("TRACESHIM_REPORT=sub", not_regular);
    refused("TRACESHIM_REPORT=/dev/null", not_regular);
    refused("TRACESHIM_LOG=/dev/null", not_regular);
    refused("TRACESHIM_REPORT=/nowhere/r", "no such directory: /nowhere");
    snprintf(why, sizeof why, "no such directory: %s/plain", dir);
    refused("TRACESHIM_LOG=plain/l", why);
    refused("TRACESHIM_REPORT=r%p/x.json", "%p may stand in the file's name only");
    ck_assert_int_eq(read1("TRACESHIM_REPORT=plain"), 0);
}
END_TEST

START_TEST(paths_without_permission)
{
    char why[PATH_MAX + 64];
    if (getuid() == 0) {
        /* Root may write anywhere. */
        ck_assert_int_eq(setgid(NOBODY), 0);
        ck_assert_int_eq(setuid(NOBODY), 0);
    }
    refused("TRACESHIM_REPORT=/proc/r", "no permission to write in /proc");
    refused("TRACESHIM_LOG=/etc/passwd", "no permission to write to it");
    snprintf(why, sizeof why, "no permission to write in %s", dir);
    if (access(".", W_OK) != 0)
        refused("TRACESHIM_REPORT=r", why);
}
END_TEST

START_TEST(path_too_long)
{
    static char entry[PATH_MAX + 100] = "TRACESHIM_REPORT=/";
    memset(entry + strlen(entry), 'x', PATH_MAX);
    ck_assert_int_eq(read1(entry), -1);
    ck_assert_ptr_nonnull(strstr(err, ": the path is too long"));
}
END_TEST

static const char *report_path(const char *report, pid_t pid, unsigned execs)
{
    static char out[CONFIG_PATH];
    strcpy(config.report, report);
    ck_assert_int_eq(config_report_path(&config, pid, execs, out, sizeof out), 0);
    return out;
}

START_TEST(report_names)
{
    ck_assert_str_eq(report_path("/d/out.json", 123, 0), "/d/out-123.json");
    ck_assert_str_eq(report_path("/d/out.json", 123, 1), "/d/out-123-2.json");
    ck_assert_str_eq(report_path("/d/out.json", 123, 9), "/d/out-123-10.json");
    ck_assert_str_eq(report_path("/d.e/out", 123, 0), "/d.e/out-123");
    ck_assert_str_eq(report_path("/d/.out", 123, 0), "/d/.out-123");
    ck_assert_str_eq(report_path("/d/a.b.json", 5, 0), "/d/a.b-5.json");
    ck_assert_str_eq(report_path("/d/%p.json", 4194304, 0), "/d/4194304.json");
    ck_assert_str_eq(report_path("/d/%p.json", 123, 1), "/d/123-2.json");
    ck_assert_str_eq(report_path("/d/%p-%p%%", 7, 0), "/d/7-7%%");
    ck_assert_str_eq(report_path("-", 7, 3), "-");
}
END_TEST

START_TEST(report_name_that_does_not_fit)
{
    char out[16];
    strcpy(config.report, "/d/out.json");
    ck_assert_int_eq(config_report_path(&config, 123, 0, out, 16), 0);
    ck_assert_str_eq(out, "/d/out-123.json");
    ck_assert_int_eq(config_report_path(&config, 123, 0, out, 15), -1);
    config.report[0] = '\0';
    ck_assert_int_eq(config_report_path(&config, 123, 0, out, sizeof out), -1);
}
END_TEST

/* Each variable that help shows is one that is read. */
START_TEST(variables_are_those_of_the_table)
{
    const char *name, *what;
    size_t i;
    for (i = 0; config_variable(i, &name, &what); i++) {
        char entry[64];
        snprintf(entry, sizeof entry, "TRACESHIM_%s=/", name);
        ck_assert_str_ne(what, "");
        if (read1(entry) != 0)
            ck_assert_ptr_null(strstr(err, "no such variable"));
    }
    ck_assert_uint_eq(i, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config");
    TCase *all = tcase_create("config");
    tcase_add_checked_fixture(all, enter_directory, leave_directory);
    tcase_add_test(all, defaults);
    tcase_add_test(all, patterns_replace_the_default);
    tcase_add_test(all, window);
    tcase_add_test(all, sizes);
    tcase_add_test(all, memory_holds_a_buffer);
    tcase_add_test(all, disable);
    tcase_add_test(all, unknown_names);
    tcase_add_test(all, first_of_two_counts);
    tcase_add_test(all, a_message_is_one_line);
    tcase_add_test(all, paths_become_absolute);
    tcase_add_test(all, paths_that_cannot_be_written);
    tcase_add_test(all, path_too_long);
    tcase_add_test(all, report_names);
    tcase_add_test(all, report_name_that_does_not_fit);
    tcase_add_test(all, variables_are_those_of_the_table);
    suite_add_tcase(suite, all);
    /* This one gives up root, and with it the right to remove a directory of root's. */
    TCase *unprivileged = tcase_create("unprivileged");
    tcase_add_unchecked_fixture(unprivileged, enter_directory, leave_directory);
    tcase_add_test(unprivileged, paths_without_permission);
    suite_add_tcase(suite, unprivileged);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
