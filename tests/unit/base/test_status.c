/* SPDX-License-Identifier: BSD-3-Clause */
/* Status texts, version, messages, log lines, suggestions. */
#include "base/status.h"
#include "support/near.h"

#include <stdio.h>
#include <string.h>

static void every_status_has_its_own_text(void **state)
{
    (void)state;
    static const haw_status all[] = {
#define ROW(name, value, text) HAW_##name,
        HAW_STATUS_LIST(ROW)
#undef ROW
    };
    const size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; ++i) {
        assert_true(strlen(haw_status_text(all[i])) > 0);
        for (size_t j = 0; j < i; ++j) {
            assert_string_not_equal(haw_status_text(all[i]), haw_status_text(all[j]));
        }
    }
    assert_string_equal(haw_status_text(HAW_OK), "success");
    assert_string_equal(haw_status_text(HAW_ERR_CANCELLED), "cancelled");
    assert_string_equal(haw_status_text((haw_status)-99), "unknown status");
}

static void version_is_made_of_the_three_numbers(void **state)
{
    (void)state;
    char want[32];
    (void)snprintf(want, sizeof want, "%d.%d.%d", HAWSER_VERSION_MAJOR, HAWSER_VERSION_MINOR,
                   HAWSER_VERSION_PATCH);
    assert_string_equal(haw_version(), want);
}

static void failing_keeps_one_formatted_line(void **state)
{
    (void)state;
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_string_equal(haw_context_message(context), "");
    assert_int_equal(haw_fail(context, HAW_ERR_INPUT, "node %d is %g", 3, 0.5), HAW_ERR_INPUT);
    assert_string_equal(haw_context_message(context), "node 3 is 0.5");
    assert_int_equal(haw_fail(context, HAW_ERR_IO, "cable: %s", haw_context_message(context)),
                     HAW_ERR_IO);
    assert_string_equal(haw_context_message(context), "cable: node 3 is 0.5");
    assert_int_equal(haw_fail(NULL, HAW_ERR_ARG, "nobody listens"), HAW_ERR_ARG);
    haw_context_free(context);
}

static void too_long_a_message_is_cut(void **state)
{
    (void)state;
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    (void)haw_fail(context, HAW_ERR_INPUT, "%*d", 5000, 1);
    const size_t length = strlen(haw_context_message(context));
    assert_in_range(length, 500, 4999);
    haw_context_free(context);
}

static haw_status two_calls(haw_status first, haw_status second, int *reached)
{
    HAW_TRY(first);
    ++*reached;
    HAW_TRY(second);
    ++*reached;
    return HAW_OK;
}

static void try_returns_the_first_failure(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(two_calls(HAW_OK, HAW_ERR_IO, &reached), HAW_ERR_IO);
    assert_int_equal(reached, 1);
    assert_int_equal(two_calls(HAW_ERR_ARG, HAW_ERR_IO, &reached), HAW_ERR_ARG);
    assert_int_equal(reached, 1);
}

static const char *const methods[] = {"moreau", "static", "pgs", "alprox"};

static void nearest_name_is_suggested(void **state)
{
    (void)state;
    assert_string_equal(haw_nearest("moro", 4, methods), "moreau");
    assert_string_equal(haw_nearest("mroeau", 4, methods), "moreau"); /* neighbours swapped */
    assert_string_equal(haw_nearest("satatic", 4, methods), "static");
    assert_string_equal(haw_nearest("gps", 4, methods), "pgs");
    assert_string_equal(haw_nearest("moreau", 4, methods), "moreau");
}

static void far_names_are_not_suggested(void **state)
{
    (void)state;
    assert_null(haw_nearest("newton", 4, methods));
    assert_null(haw_nearest("x", 4, methods)); /* everything is one edit of a letter away */
    assert_null(haw_nearest("", 4, methods));
    assert_null(haw_nearest(NULL, 4, methods));
    assert_null(haw_nearest("moreau", 0, methods));
    const char *const letters[] = {"y", "abcdefgh", "abcd"};
    assert_null(haw_nearest("x", 1, letters));
    assert_null(haw_nearest("efgh", 3, letters)); /* four edits */
    const char *const gap[] = {NULL, "moreau"};
    assert_string_equal(haw_nearest("moreux", 2, gap), "moreau");
    char endless[400];
    memset(endless, 'm', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(haw_nearest(endless, 4, methods));
}

static void swap_counts_as_one_edit(void **state)
{
    (void)state;
    /* "ab" to "ba" is one swap or two replacements; only the swap leaves it below the length 2. */
    const char *const names[] = {"ba"};
    assert_string_equal(haw_nearest("ab", 1, names), "ba");
    /* Of two candidates the one with fewer edits wins, wherever it stands. */
    const char *const pair[] = {"cabinet", "cable", "cables"};
    assert_string_equal(haw_nearest("cabel", 3, pair), "cable");
    /* Where none is near, a name of several words that begins or ends with it. */
    const char *const parts[] = {"friction", "normal_stiffness", "points_per_element", "per-unit"};
    assert_string_equal(haw_nearest("stiffness", 4, parts), "normal_stiffness");
    assert_string_equal(haw_nearest("points", 4, parts), "points_per_element");
    assert_string_equal(haw_nearest("unit", 4, parts), "per-unit");
    assert_null(haw_nearest("element_", 4, parts));
    assert_null(haw_nearest("rmal_stiffness", 2, &parts[2]));
    const char *const equal[] = {"disks", "disk_"};
    assert_string_equal(haw_nearest("disk", 2, equal), "disks"); /* the first of equals */
}

TEST_FILE(test_status)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_text),
        cmocka_unit_test(version_is_made_of_the_three_numbers),
        cmocka_unit_test(failing_keeps_one_formatted_line),
        cmocka_unit_test(too_long_a_message_is_cut),
        cmocka_unit_test(try_returns_the_first_failure),
        cmocka_unit_test(nearest_name_is_suggested),
        cmocka_unit_test(far_names_are_not_suggested),
        cmocka_unit_test(swap_counts_as_one_edit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
