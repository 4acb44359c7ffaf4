/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of time from columns of text files: {csv: file, column: k, ramp: ...}. */
#include "support/reading.h"

#include <stdio.h>
#include <unistd.h>

typedef struct history {
    char path[64], text[512];
} history;

static void write_history(history *h, const char *content)
{
    (void)snprintf(h->path, sizeof h->path, "/tmp/hawser-history-XXXXXX");
    const int handle = mkstemp(h->path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, content, strlen(content)), (ssize_t)strlen(content));
    assert_int_equal(close(handle), 0);
}

static haw_status read_history(fixture *f, history *h, const char *more)
{
    (void)snprintf(h->text, sizeof h->text,
                   "hawser: 1\nbodies:\n  - {name: a, motion: {spin: {csv: '%s'%s}}}\n"
                   "stepper: {end: 1}\n",
                   h->path, more);
    return parse_text(f, h->text, NULL);
}

static void a_history_is_a_column_of_a_file(void **state)
{
    fixture *f = *state;
    history h;
    write_history(
        &h,
        "time [s], speed, \"other\"\n# measured\n0, 1, 10\r\n\n 1.5 , 2,20\n2.5\t5 30 # a, b; c");
    assert_int_equal(read_history(f, &h, ""), HAW_OK);
    const haw_function *spin = &f->scenario->scene.body[0].motion_spin;
    assert_int_equal(spin->count, 3);
    assert_near(haw_function_value(spin, 0.75), 1.5, 0, 1e-15);
    assert_near(haw_function_value(spin, 9), 5, 0, 0);
    assert_int_equal(read_history(f, &h, ", column: 3, ramp: smoothstep"), HAW_OK);
    spin = &f->scenario->scene.body[0].motion_spin;
    assert_near(spin->value[1], 20, 0, 0);
    assert_int_equal(spin->ramp, HAW_RAMP_SMOOTHSTEP);
    assert_int_equal(remove(h.path), 0);
}

static void a_byte_order_mark_is_no_name_of_a_column(void **state)
{
    fixture *f = *state;
    history h;
    write_history(&h, "\xEF\xBB\xBF"
                      "0,1\n1,2\n2,5\n");
    assert_int_equal(read_history(f, &h, ""), HAW_OK);
    assert_int_equal(f->scenario->scene.body[0].motion_spin.count, 3);
    assert_near(f->scenario->scene.body[0].motion_spin.value[0], 1, 0, 0);
    assert_int_equal(remove(h.path), 0);
}

static void a_history_is_found_beside_its_scenario(void **state)
{
    fixture *f = *state;
    history h;
    write_history(&h, "0 1\n1 2\n");
    (void)snprintf(h.text, sizeof h.text,
                   "hawser: 1\nbodies: [{name: a, motion: {spin: {csv: '%s'}}}]\n"
                   "stepper: {end: 1}\n",
                   strrchr(h.path, '/') + 1);
    if (haw_scenario_parse(f->context, "/tmp/t.yaml", h.text, 0, NULL, &f->scenario) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    assert_int_equal(remove(h.path), 0);
}

static void a_bad_history_is_told_with_its_line(void **state)
{
    static const struct {
        const char *content, *more, *said;
    } bad[] = {
        {"t v\n0 1\n1 two\n", "", "' line 3: column 2 must be a finite number (got 'two')"},
        {"0,1\n1,1e999\n", "", "' line 2: column 2 must be a finite number (got '1e999')"},
        {"nan,1\n0,1\n1,2\n", "", "' line 1: column 1 must be a finite number (got 'nan')"},
        {"t;v\n0,0;1,5\n1,0;2,5\n", "",
         "' line 2 has two of commas, semicolons and blanks between its columns: one of them"},
        {"t v\n0,0 1,5\n1,0 2,5\n", "", "' line 2 has two of commas, semicolons and blanks"},
        {"0,0\t1,5\n1,0\t2,5\n", "", "' line 1 has two of commas, semicolons and blanks"},
        {"0,;1\n1,;2\n", ", column: 3", "' line 1 has two of commas, semicolons and blanks"},
        {"0;1\n1;some 2;3\n", "", "' line 2 has two of commas, semicolons and blanks"},
        {"0,1\n0,2\n", "", "' line 2: times must ascend (got 0 after 0)"},
        {"0,1\n1,2\n", ", column: 3", "' line 1 has no column 3"},
        {"0,1\n1,,2\n", "", "' line 2 has no column 2"},
        {"0,1\n", "", "a table needs at least 2 rows (got 1)"},
        {"t,v\nx,1\n", "", "' line 2: column 1 must be a finite number (got 'x')"},
        {"0,1\n1,2\n", ", column: 1", "'column' must be a whole number between 2 and 1000 (got 1)"},
    };

    fixture *f = *state;
    history h;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        write_history(&h, bad[i].content);
        assert_int_equal(read_history(f, &h, bad[i].more), HAW_ERR_INPUT);
        if (strstr(f->log.text, bad[i].said) == NULL || f->log.count != 1 ||
            strstr(f->log.text, "t.yaml:3:") == NULL) {
            fail_msg("wanted: %s\nheard: %s", bad[i].said, f->log.text);
        }
        assert_int_equal(remove(h.path), 0);
    }
}

static void a_missing_history_is_a_missing_file(void **state)
{
    fixture *f = *state;
    history h = {.path = "/tmp/hawser-no-such-file.csv"};
    assert_int_equal(read_history(f, &h, ""), HAW_ERR_IO);
    assert_non_null(strstr(f->log.text, "t.yaml:3:36: error: cannot read "
                                        "'/tmp/hawser-no-such-file.csv': No such file"));
}

static void a_profile_may_be_a_history_and_a_vector_may_not(void **state)
{
    fixture *f = *state;
    history h;
    write_history(&h, "-1 0.3\n0 0.35\n1 0.3\n2 0.35\n");
    (void)snprintf(h.text, sizeof h.text,
                   "hawser: 1\ndimension: 3\nbodies:\n  - {name: a, motion: {fixed: true}, shape: "
                   "{type: revolution, profile: {csv: '%s'}}}\nstepper: {end: 1}\n",
                   h.path);
    assert_int_equal(parse_text(f, h.text, NULL), HAW_OK);
    assert_near(f->scenario->scene.body[0].profile.value[1], 0.35, 0, 0);
    (void)snprintf(h.text, sizeof h.text,
                   "hawser: 1\nbodies: [{name: a, motion: {velocity: {csv: '%s'}}}]\n"
                   "stepper: {end: 1}\n",
                   h.path);
    assert_int_equal(parse_text(f, h.text, NULL), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "error: unknown key 'csv' in a function of time"));
    assert_int_equal(remove(h.path), 0);
}

#define WITH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

TEST_FILE(test_scenario_history)
{
    const struct CMUnitTest tests[] = {
        WITH(a_history_is_a_column_of_a_file),
        WITH(a_byte_order_mark_is_no_name_of_a_column),
        WITH(a_history_is_found_beside_its_scenario),
        WITH(a_bad_history_is_told_with_its_line),
        WITH(a_missing_history_is_a_missing_file),
        WITH(a_profile_may_be_a_history_and_a_vector_may_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
