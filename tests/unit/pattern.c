/*
 * Patterns: what matches, what is refused, and the compiled matcher against a naive one.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

static struct patterns patterns;
static int asked; /* how often the working directory was */

static const char *cwd_is(void *path)
{
    asked++;
    return path;
}

/* Is PATH, seen from CWD, managed by LIST? */
static bool managed(const char *list, const char *cwd, const char *path)
{
    char err[PATTERNS_ERROR];
    int status = patterns_compile(&patterns, list, err, sizeof err);
    ck_assert_msg(status == 0, "%s: %s", list, err);
    asked = 0;
    return patterns_judge(&patterns, path, strlen(path), cwd_is, (void *)(uintptr_t)cwd) == PATTERN_MANAGE;
}

struct row {
    const char *list;
    const char *path; /* seen from /home/u */
    bool managed;
};

#define CHECK_ROWS(rows)                                                                                  \
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)                                             \
    ck_assert_msg(managed(rows[i].list, "/home/u", rows[i].path) == rows[i].managed, "%s and %s: not %d", \
                  rows[i].list, rows[i].path, rows[i].managed)

START_TEST(name_against_last_component)
{
    static const struct row rows[] = {
        {"*.tr", "a.tr", true},      {"*.tr", "/x/y/a.tr", true},
        {"*.tr", "x/../a.tr", true}, {"*.tr", ".tr", true},
        {"*.tr", "a.tr2", false},    {"*.tr", "a.tr/b", false},
        {"*.tr", "a.TR", false},     {"a.tr", "b/a.tr", true},
        {"a.tr", "ba.tr", false},    {"a.tr", "a.tr/", true},
        {"a*c", "ac", true},         {"a*c", "abbc", true},
        {"a*c", "ab/c", false},      {"a?c", "abc", true},
        {"a?c", "ac", false},        {"a?c", "a/c", false},
        {"**.tr", "x/a.tr", true},   {"*a*b*", "xaxbx", true},
        {"*a*b*", "xbxax", false},   {"*", "anything", true},
        {"*", "a/b", true},          {"*", ".", false},
        {"*", "..", false},          {"*", "a/..", false},
        {"*", "/", false},           {"*", "", false},
        {"..?", "...", true},        {"*ab*ab", "ababab", true},
        {"*ab*ab", "xab", false},    {"\\*", "*", false},
        {"\\*", "\\x", true},
    };
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(absolute_against_whole_path)
{
    static const struct row rows[] = {
        {"/home/u/*.tr", "a.tr", true},
        {"/home/u/*.tr", "d/a.tr", false},
        {"/home/u/*.tr", "d/../a.tr", true},
        {"/home/u/*.tr", "../u/./a.tr", true},
        {"/home/u/*.tr", "../../../../home//u/a.tr", true},
        {"/home/u/*.tr", "/home/u/a.tr", true},
        {"/home/u/*.tr", "/home//u/x/..//./a.tr", true},
        {"/home/u/*.tr", "/home/v/a.tr", false},
        {"/home/**", "a/b/c", true},
        {"/home/**", "/home2/a", false},
        {"/home/**.tr", "a/b/c.tr", true},
        {"/**/a.tr", "/a.tr", true},
        {"/**/a.tr", "a.tr", true},
        {"/home/**/u/**/a.tr", "a.tr", true},
        {"/home/**/u/**/a.tr", "x/y/a.tr", true},
        {"/home/**/v/**/a.tr", "x/y/a.tr", false},
        {"/*/*/a.tr", "a.tr", true},
        {"/*/a.tr", "a.tr", false},
        {"/a.tr", "/../a.tr", true},
        {"//home/./u//*.tr", "a.tr", true},
        {"/home/u/d**f", "d/e/f", true},
        {"/home/u/d**f", "d/e/g", false},
    };
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(relative_at_any_directory)
{
    static const struct row rows[] = {
        {"out/*.txt", "out/a.txt", true},
        {"out/*.txt", "/out/a.txt", true},
        {"out/*.txt", "/x/out/a.txt", true},
        {"out/*.txt", "xout/a.txt", false},
        {"out/*.txt", "out/b/a.txt", false},
        {"out/*.txt", "out/b/../a.txt", true},
        {"u/*.txt", "a.txt", true},
        {"v/*.txt", "a.txt", false},
        {"./u/*.txt", "a.txt", true},
        {"out/**/a", "out/a", true},
        {"out/**/a", "out/b/c/a", true},
        {"**/a", "a", true},
        {"home/u/a", "a", true},
        {"home/u/a", "b", false},
        {"e/u/a", "a", false},
    };
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(sets)
{
    static const struct row rows[] = {
        {"[ab]x", "ax", true},         {"[ab]x", "cx", false},        {"[a-c]x", "bx", true},
        {"[!a-c]x", "bx", false},      {"[^a-c]x", "dx", true},       {"[]]x", "]x", true},
        {"[!]]x", "]x", false},        {"[a-]x", "-x", true},         {"[-a]x", "-x", true},
        {"a[:]b", "a:b", true},        {"a[:]b", "a;b", false},       {"[a:b]x", ":x", true},
        {"[[:digit:]]x", "7x", true},  {"[[:digit:]]x", ":x", false}, {"[![:alpha:]]x", "7x", true},
        {"[[:upper:]_]x", "_x", true}, {"[[:xdigit:]]", "g", false},  {"[*]x", "*x", true},
        {"[*]x", "ax", false},         {"a[/]b", "a/b", false},       {"a[!x]b", "a/b", false},
        {"[@]ns3", "@ns3", true},      {"[\x80-\xff]", "\xc3", true}, {"[\x80-\xff]", "a", false},
        {"[z-a]x", "mx", false},
    };
    CHECK_ROWS(rows);
}
END_TEST

START_TEST(order_of_own_never_and_presets)
{
    static const struct row rows[] = {
        {"!a*:*.txt", "ab.txt", false},
        {"!a*:*.txt", "b.txt", true},
        {"*.txt:!a*", "ab.txt", true},
        {"@ns3:!a*", "aDlMacStats.txt", false},
        {"@ns3", "aDlMacStats.txt", true},
        {"@ns3:@nr", "DlDataSinr.txt", true},
        {"@ns3", "DlDataSinr.txt", false},
        {"@ns3", "x_actionsDlMacStats.txt", true},
        {"@ns3", "x_actions.tr.csv", false},
        /* minstrel-stats-*.txt and @never's *_stats.log don't meet; these do: */
        {"@mmwave", "du-cell-1MmeStats.txt", false},
        {"@mmwave:du-cell-*", "du-cell-1MmeStats.txt", true},
        {"@ns3:*.pcap", "a.pcap", true},
        {"@ns3", "a.pcap", false},
        {"@never", "a.pcap", false},
        {"@never:@mmwave", "1MmeStats.txt", true},
    };
    CHECK_ROWS(rows);
}
END_TEST

/* Every pattern of every preset matches what it says, with its stars filled, and @never nothing. */
START_TEST(presets_match_their_names)
{
    const char *name, *about, *list;
    size_t seen = 0;
    for (size_t i = 0; patterns_preset(i, &name, &about, &list); i++) {
        char chosen[64];
        snprintf(chosen, sizeof chosen, "@%s", name);
        ck_assert_str_ne(about, "");
        while (*list != '\0') {
            char path[256];
            size_t n = 0;
            for (; *list != '\0' && *list != ':'; list++) {
                if (*list == '*') {
                    path[n++] = 'q';
                } else if (*list == '[') {
                    path[n++] = list[1];
                    list = strchr(list, ']');
                } else {
                    path[n++] = *list;
                }
            }
            path[n] = '\0';
            list += *list == ':';
            seen++;
            ck_assert_msg(managed(chosen, "/", path) == (strcmp(name, "never") != 0), "%s: %s", chosen, path);
            ck_assert_msg(!managed(chosen, "/", "plain.log"), "%s", chosen);
        }
    }
    ck_assert_uint_eq(seen, 24 + 15 + 15 + 3 + 23 + 31);
}
END_TEST

START_TEST(cwd_is_asked_only_when_needed)
{
    ck_assert(managed("*.tr", NULL, "a.tr"));
    ck_assert_int_eq(asked, 0);
    ck_assert(managed("/d/*.tr", NULL, "/d/a.tr"));
    ck_assert_int_eq(asked, 0);
    ck_assert(!managed("/d/*.tr:out/*.txt", "/d", "a.log"));
    ck_assert_int_eq(asked, 0);
    ck_assert(managed("out/*.txt:/x/*.txt:/y/*.txt:/d/*.txt", "/d", "a.txt"));
    ck_assert_int_eq(asked, 1);
    ck_assert(managed("a.tr:/d/*", "/e", "a.tr"));
    ck_assert_int_eq(asked, 0);
    /* Without one, what the path itself shows still counts. */
    ck_assert(!managed("/**/a.tr", NULL, "a.tr"));
    ck_assert(managed("/d/a.tr:*.tr", NULL, "a.tr"));
    ck_assert(!managed("u/a.tr", "(unreachable)/u", "a.tr"));
}
END_TEST

START_TEST(length_counts_not_the_terminator)
{
    ck_assert(managed("*.tr", "/", "a.tr"));
    ck_assert(patterns_judge(&patterns, "a.tr", 3, cwd_is, NULL) != PATTERN_MANAGE);
    ck_assert(patterns_judge(&patterns, "a.trace", 4, cwd_is, NULL) == PATTERN_MANAGE);
}
END_TEST

START_TEST(auto_is_noticed)
{
    ck_assert(!managed("@ns3", "/", "a"));
    ck_assert(!patterns_uses_auto(&patterns));
    ck_assert(!managed("@auto", "/", "a"));
    ck_assert(patterns_uses_auto(&patterns));
}
END_TEST

START_TEST(errors_name_the_element)
{
    static const char *const rows[][2] = {
        {"", "element 1 of the list is empty"},
        {"a::b", "element 2 of the list is empty"},
        {"a:", "element 2 of the list is empty"},
        {"a:!", "element 2 of the list is empty"},
        {"a:b[c:d", "'b[c': unclosed ["},
        {"a[]", "'a[]': unclosed ["},
        {"/x/a[!]", "'/x/a[!]': unclosed ["},
        {"*.tr:@ns4", "'@ns4': unknown preset (known: @ns3 @nr @mmwave @lorawan @ns3-examples @never)"},
        {"@", "'@': unknown preset (known: @ns3 @nr @mmwave @lorawan @ns3-examples @never)"},
        {"!@ns3", "'!@ns3': a preset can't be exempted (a name that begins with @ is [@]name)"},
        {"a/../b", "'a/../b': never matches: paths are compared without \"..\""},
        {"../b", "'../b': never matches: paths are compared without \"..\""},
        {"out/", "'out/': ends in a directory, and names no file"},
        {"/", "'/': ends in a directory, and names no file"},
        {"[[:alfa:]]", "'[[:alfa:]]': no such class of characters"},
        {"a\nb:@x\n", "'@x?': unknown preset (known: @ns3 @nr @mmwave @lorawan @ns3-examples @never)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char err[PATTERNS_ERROR] = "";
        ck_assert_msg(patterns_compile(&patterns, rows[i][0], err, sizeof err) == -1, "%s", rows[i][0]);
        ck_assert_str_eq(err, rows[i][1]);
        ck_assert(patterns_judge(&patterns, "a", 1, cwd_is, NULL) != PATTERN_MANAGE);
    }
}
END_TEST

/* ITEM, COUNT times, joined by colons.  The caller frees it. */
static char *many(const char *item, size_t count)
{
    char *list = malloc(count * (strlen(item) + 1) + 1);
    char *at = list;
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%s%s", i == 0 ? "" : ":", item);
    return list;
}

START_TEST(limits_are_errors)
{
    char err[PATTERNS_ERROR];
    size_t room = PATTERNS_MOST - 31; /* without @never's */
    char *list = many("q*.x", room);
    ck_assert_msg(patterns_compile(&patterns, list, err, sizeof err) == 0, "%s", err);
    ck_assert(patterns_judge(&patterns, "qq.x", 4, cwd_is, NULL) == PATTERN_MANAGE);
    free(list);
    list = many("q", PATTERNS_MOST + 1);
    ck_assert_int_eq(patterns_compile(&patterns, list, err, sizeof err), -1);
    ck_assert_ptr_nonnull(strstr(err, "too many patterns"));
    free(list);
    list = many("[ab][ab][ab][ab][ab][ab][ab][ab][ab][ab]", 200);
    ck_assert_int_eq(patterns_compile(&patterns, list, err, sizeof err), -1);
    ck_assert_ptr_nonnull(strstr(err, "too long"));
    free(list);
}
END_TEST

/* A message that doesn't fit is cut, never written past its end. */
START_TEST(short_error_buffer)
{
    char err[8] = "xxxxxx|";
    ck_assert_int_eq(patterns_compile(&patterns, "@unknown", err, 7), -1);
    ck_assert_str_eq(err, "'@unkn");
    ck_assert_int_eq(err[7], '\0');
}
END_TEST

/* --------------------------------------------------------------- the naive matcher */

static bool naive_set(const char *set, size_t len, char c)
{
    bool inverted = *set == '!';
    for (size_t i = inverted; i < len; i++)
        if (set[i] == c)
            return !inverted;
    return inverted;
}

/* GLOB against the text S from left to right, every choice tried. */
static bool naive(const char *glob, const char *s)
{
    if (*glob == '\0')
        return *s == '\0';
    size_t stars = strspn(glob + (*glob == '/'), "*");
    if (*glob == '/' && stars >= 2 && glob[1 + stars] == '/') {
        if (*s != '/')
            return false;
        for (const char *at = s; at != NULL; at = strchr(at + 1, '/'))
            if (naive(glob + 1 + stars, at))
                return true;
        return false;
    }
    if (*glob == '*') {
        for (const char *at = s;; at++) {
            if (naive(glob + stars, at))
                return true;
            if (*at == '\0' || (stars == 1 && *at == '/'))
                return false;
        }
    }
    if (*glob == '[') {
        size_t len = strcspn(glob, "]");
        return *s != '\0' && *s != '/' && naive_set(glob + 1, len - 1, *s) && naive(glob + len + 1, s + 1);
    }
    if (*glob == '?')
        return *s != '\0' && *s != '/' && naive(glob + 1, s + 1);
    return *glob == *s && naive(glob + 1, s + 1);
}

/* PATH from CWD, normalised, into TO.  False when it names no file. */
static bool normalise(const char *cwd, const char *path, char *to)
{
    char all[1024];
    char *state;
    const char *last = "";
    snprintf(all, sizeof all, "%s/%s", *path == '/' ? "" : cwd, path);
    *to = '\0';
    for (char *part = strtok_r(all, "/", &state); part != NULL; part = strtok_r(NULL, "/", &state)) {
        last = part;
        if (strcmp(part, "..") == 0) {
            char *slash = strrchr(to, '/');
            if (slash != NULL)
                *slash = '\0';
        } else if (strcmp(part, ".") != 0) {
            strcat(strcat(to, "/"), part);
        }
    }
    return strspn(path, "/") != strlen(path) && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;
}

static bool naive_pattern(const char *pattern, const char *absolute)
{
    char anywhere[256];
    if (strchr(pattern, '/') == NULL)
        return naive(pattern, strrchr(absolute, '/') + 1);
    if (*pattern == '/')
        return naive(pattern, absolute);
    snprintf(anywhere, sizeof anywhere, "/**/%s", pattern);
    return naive(anywhere, absolute);
}

static bool naive_list(const char *list, const char *cwd, const char *path)
{
    char absolute[1024], copy[512];
    char *state;
    if (!normalise(cwd, path, absolute))
        return false;
    strcpy(copy, list);
    for (char *p = strtok_r(copy, ":", &state); p != NULL; p = strtok_r(NULL, ":", &state))
        if (naive_pattern(p + (*p == '!'), absolute))
            return *p != '!';
    return false;
}

static unsigned roll(unsigned sides)
{
    static uint64_t state = 88172645463325252u; /* xorshift: the same numbers everywhere */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % sides;
}

static void append_from(char *to, const char *const *pieces, unsigned count)
{
    strcat(to, pieces[roll(count)]);
}

#define APPEND_FROM(to, pieces) append_from(to, pieces, sizeof pieces / sizeof pieces[0])

static void random_pattern(char *to)
{
    static const char *const pieces[] = {"a", "b", "ab", "ba.t", "*", "*", "?", "[ab]", "[!a]", "**"};
    *to = '\0';
    if (roll(4) == 0)
        strcat(to, "!");
    if (roll(3) == 0)
        strcat(to, "/");
    for (unsigned parts = roll(4);; parts--) {
        for (unsigned n = roll(3) + 1; n > 0; n--)
            APPEND_FROM(to, pieces);
        if (parts == 0)
            return;
        strcat(to, "/");
    }
}

static void random_path(char *to)
{
    static const char *const parts[] = {"a", "b", "ab", "bab", "aba.t", "ba.t", ".", "..", "aab", "c"};
    static const char *const slashes[] = {"/", "/", "/", "//"};
    *to = '\0';
    if (roll(3) == 0)
        APPEND_FROM(to, slashes);
    for (unsigned n = roll(4);; n--) {
        APPEND_FROM(to, parts);
        if (n == 0)
            break;
        APPEND_FROM(to, slashes);
    }
    if (roll(8) == 0)
        strcat(to, "/");
}

/* A path that PATTERN should match, mostly: its wildcards filled. */
static void path_from(const char *pattern, char *to)
{
    static const char *const fill[] = {"", "a", "b", "ba", "c"};
    static const char *const deep[] = {"", "a", "a/b", "/"};
    pattern += *pattern == '!';
    for (*to = '\0'; *pattern != '\0'; pattern++) {
        if (strncmp(pattern, "**", 2) == 0) {
            APPEND_FROM(to, deep);
            pattern++;
        } else if (*pattern == '*') {
            APPEND_FROM(to, fill);
        } else if (*pattern == '?') {
            strcat(to, "b");
        } else if (*pattern == '[') {
            strcat(to, pattern[1] == '!' ? "c" : "a");
            pattern = strchr(pattern, ']');
        } else {
            strncat(to, pattern, 1);
        }
    }
}

START_TEST(same_as_naive)
{
    static const char *const cwds[] = {"/", "/a", "/a/b", "/b/aba.t/c"};
    unsigned matched = 0, rounds = 300000;
    for (unsigned i = 0; i < rounds; i++) {
        char list[512] = "", pattern[128], path[256];
        const char *cwd = cwds[roll(4)];
        for (unsigned n = roll(3); n > 0; n--) {
            random_pattern(pattern);
            strcat(strcat(list, pattern), ":");
        }
        random_pattern(pattern);
        strcat(list, pattern);
        if (roll(2) == 0)
            random_path(path);
        else
            path_from(pattern, path);
        bool expected = naive_list(list, cwd, path);
        ck_assert_msg(managed(list, cwd, path) == expected, "%s, %s from %s: not %d", list, path, cwd, expected);
        matched += expected;
    }
    ck_assert_uint_gt(matched, rounds / 5);
    ck_assert_uint_lt(matched, rounds / 5 * 4);
}
END_TEST

/* Long names: the filters' 64 bits are mostly set, the exact comparison decides. */
START_TEST(long_names)
{
    char name[4000], path[16384];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(path, sizeof path, "/%s/%sDlMacStats%s.txt", name, name, name);
    ck_assert(managed("@ns3", "/", path));
    snprintf(path, sizeof path, "/%s/%sDlMacStat%s.txt", name, name, name);
    ck_assert(!managed("@ns3", "/", path));
    snprintf(path, sizeof path, "%s/./%s/../a.txt", name, name);
    ck_assert(managed("/d/**/a.txt", "/d", path));
    ck_assert(!managed("/d/*y*/a.txt", "/d", path));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pattern");
    TCase *all = tcase_create("pattern");
    tcase_set_timeout(all, 120);
    tcase_add_test(all, name_against_last_component);
    tcase_add_test(all, absolute_against_whole_path);
    tcase_add_test(all, relative_at_any_directory);
    tcase_add_test(all, sets);
    tcase_add_test(all, order_of_own_never_and_presets);
    tcase_add_test(all, presets_match_their_names);
    tcase_add_test(all, cwd_is_asked_only_when_needed);
    tcase_add_test(all, length_counts_not_the_terminator);
    tcase_add_test(all, auto_is_noticed);
    tcase_add_test(all, errors_name_the_element);
    tcase_add_test(all, limits_are_errors);
    tcase_add_test(all, short_error_buffer);
    tcase_add_test(all, same_as_naive);
    tcase_add_test(all, long_names);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
