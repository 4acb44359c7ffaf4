/* SPDX-License-Identifier: BSD-3-Clause */
/* Cases of a study: their names, their files, their locks, and the table of all. */
#include "study/cases.h"
#include "support/near.h"
#include "support/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
    haw_variants variants;
    haw_cases cases;
    char folder[SCRATCH_PATH];
} fixture;

static void open_study(fixture *f, const char *text, const char *vary, haw_cases *cases)
{
    static const char *const set[] = {"stepper.step=1.0e-4"};

    assert_int_equal(haw_variants_read(&f->arena, 1, &vary, (haw_sampling){0}, &f->variants),
                     HAW_OK);
    *cases = (haw_cases){.arena = &f->arena, .folder = f->folder, .variants = &f->variants};
    assert_int_equal(haw_cases_open(cases, text, 1, set, ""), HAW_OK);
}

static int set_up(void **state)
{
    static fixture f;

    assert_int_equal(haw_context_create(NULL, &f.context), HAW_OK);
    haw_arena_init(&f.arena, f.context);
    scratch_make(f.folder);
    open_study(&f, "hawser: 1\n", "x=1,2,3", &f.cases);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;

    scratch_remove(f->folder);
    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    return 0;
}

/* Text, shared settings and own settings, but not the place in the study. */
static void a_name_depends_on_all_that_the_case_does(void **state)
{
    fixture *f = *state;
    haw_cases other;

    open_study(f, "hawser: 1\n", "x=3,4,1,2", &other);
    assert_string_equal(other.name[0], f->cases.name[2]); /* a longer study finds its cases */
    assert_string_equal(other.name[2], f->cases.name[0]);
    assert_string_not_equal(other.name[1], f->cases.name[0]);
    open_study(f, "hawser: 1 \n", "x=1,2,3", &other);
    assert_string_not_equal(other.name[0], f->cases.name[0]);
    assert_int_equal(haw_cases_open(&other, "hawser: 1\n", 0, NULL, ""), HAW_OK);
    assert_string_not_equal(other.name[0], f->cases.name[0]);
    assert_int_equal(strlen(other.name[0]), 16);
    assert_int_equal(strspn(other.name[0], "0123456789abcdef"), 16);
}

static void put_file(const fixture *f, int index, const char *ending, const char *text)
{
    char path[128];

    (void)snprintf(path, sizeof path, "%s/%s%s", f->cases.inner, f->cases.name[index], ending);
    FILE *stream = fopen(path, "w");

    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

/* Neither a file under its first name nor half a file is a case. */
static void only_whole_files_count(void **state)
{
    fixture *f = *state;
    static const char *const half[] = {"", "status,message", "status,message\n",
                                       "status,message\ndone,"};

    assert_false(haw_case_is_here(&f->cases, 0));
    put_file(f, 0, ".part", "status,message\ndone,\n");
    assert_false(haw_case_is_here(&f->cases, 0));
    for (size_t i = 0; i < sizeof half / sizeof *half; i++) {
        put_file(f, 0, ".csv", half[i]);
        assert_false(haw_case_is_here(&f->cases, 0));
        assert_int_equal(haw_cases_collect(&f->cases), HAW_OK);
        assert_string_equal(haw_cases_value(&f->cases, 0, "status"), "missing");
    }
    put_file(f, 0, ".csv", "status,message\ndone,\n");
    assert_true(haw_case_is_here(&f->cases, 0));
    assert_false(haw_case_is_here(&f->cases, 1));
}

static void a_run_is_written_as_it_is_read(void **state)
{
    fixture *f = *state;
    haw_study_probe probe[] = {{"a,b", "m", 2, 0}, {"c", "", 1, 2}};
    double value[] = {1.0, 5.0, -0.1, 3.0, -2.0, 0.1, 2.0, 4.0, 0.3};
    const haw_study_run run = {.variant = &f->variants.item[1],
                               .has_run = true,
                               .status = "ended",
                               .message = "a \"message\",\nin two lines",
                               .frames = 3,
                               .values = 3,
                               .value = value,
                               .probes = 2,
                               .probe = probe};

    assert_int_equal(haw_case_write(&f->cases, 1, &run), HAW_OK);
    assert_true(haw_case_is_here(&f->cases, 1));
    assert_int_equal(haw_cases_collect(&f->cases), HAW_OK);
    static const char *const want[][2] = {{"status", "ended"},
                                          {"message", "a \"message\",\nin two lines"},
                                          {"a,b_x[m]", "2"},
                                          {"a,b_x_min[m]", "1"},
                                          {"a,b_x_max[m]", "3"},
                                          {"a,b_y[m]", "4"},
                                          {"a,b_y_min[m]", "-2"},
                                          {"a,b_y_max[m]", "5"},
                                          {"steps", "0"},
                                          {"c_max", "0.29999999999999999"},
                                          {"c_min", "-0.10000000000000001"},
                                          {"nothing", ""}};

    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_string_equal(haw_cases_value(&f->cases, 1, want[i][0]), want[i][1]);
    }
    assert_int_equal(haw_cases_count(&f->cases, "missing"), 2);
    assert_int_equal(haw_cases_count(&f->cases, "ended"), 1);
}

/* Cases may differ in their columns: each value stands below its own header. */
static void columns_are_found_by_their_headers(void **state)
{
    fixture *f = *state;

    put_file(f, 0, ".csv", "status,message\nrefused,why\n");
    put_file(f, 1, ".csv", "status,message,a,b\ndone,,1,2\n");
    put_file(f, 2, ".csv", "status,b,c,message\ndone,3,4,\n");
    assert_int_equal(haw_cases_collect(&f->cases), HAW_OK);
    assert_int_equal(f->cases.columns, 5);
    assert_string_equal(haw_cases_value(&f->cases, 0, "message"), "why");
    assert_string_equal(haw_cases_value(&f->cases, 0, "b"), "");
    assert_string_equal(haw_cases_value(&f->cases, 1, "b"), "2");
    assert_string_equal(haw_cases_value(&f->cases, 2, "b"), "3");
    assert_string_equal(haw_cases_value(&f->cases, 2, "c"), "4");
}

static bool another_takes(const fixture *f, int index)
{
    const pid_t child = fork();
    int status = 0;

    if (child == 0) {
        _exit(haw_case_take(&f->cases, index, false) ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status) == 1;
}

/* While this process has a case no other gets it; others are free, and its end frees it. */
static void a_case_has_one_process(void **state)
{
    fixture *f = *state;

    assert_true(another_takes(f, 0));
    assert_true(another_takes(f, 0));
    assert_true(haw_case_take(&f->cases, 0, false));
    assert_false(another_takes(f, 0));
    assert_true(another_takes(f, 1));
}

TEST_FILE(test_cases)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_name_depends_on_all_that_the_case_does),
        FIXTURE_TEST(only_whole_files_count),
        FIXTURE_TEST(a_run_is_written_as_it_is_read),
        FIXTURE_TEST(columns_are_found_by_their_headers),
        FIXTURE_TEST(a_case_has_one_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
