/* SPDX-License-Identifier: BSD-3-Clause */
/* Suites: running problems times solvers, the summary, the tables and the figures made of them. */
#include "bench/suite.h"
#include "report/report.h"
#include "support/failing.h"
#include "support/scratch.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { PROBLEMS = 4, SOLVERS = 2 };

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
    char folder[SCRATCH_PATH];
    haw_winding winding[PROBLEMS];
    haw_solver_settings settings[SOLVERS];
    haw_suite suite;
    haw_trial trial[PROBLEMS * SOLVERS];
    haw_trial_point point[PROBLEMS * SOLVERS][2];
    int made, done, written;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    assert_int_equal(haw_context_create(NULL, &f->context), HAW_OK);
    haw_arena_init(&f->arena, f->context);
    scratch_make(f->folder);
    for (int p = 0; p < PROBLEMS; p++) {
        f->winding[p] = (haw_winding){2 + p % 2, 8 + p, 1, 1.0, 0.4, 1};
    }
    for (int s = 0; s < SOLVERS; s++) {
        assert_int_equal(
            haw_solver_settings_init(f->context, s == 0 ? "pgs" : "alprox", &f->settings[s]),
            HAW_OK);
    }
    f->suite = (haw_suite){.problems = PROBLEMS,
                           .solvers = SOLVERS,
                           .winding = f->winding,
                           .settings = f->settings,
                           .keeps_history = true};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;

    scratch_remove(f->folder);
    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    free(f);
    return 0;
}

/*
 * Made-up figures: the first solver solves three of four problems with 3, 9, 5 factorizations in
 * 1, 2, 4 s, the second one two, in 2 and 1 s.
 */
static void make_up(fixture *f)
{
    static const int newton[] = {3, 7, 9, 0, 5, 0, 4, 2};
    static const double seconds[] = {1.0, 2.0, 2.0, 1.0, 4.0, 9.0, 8.0, 7.0};
    static const bool solved[] = {true, true, true, true, true, false, false, false};

    for (int i = 0; i < PROBLEMS * SOLVERS; i++) {
        haw_trial *t = &f->trial[i];

        f->point[i][0] = (haw_trial_point){1, 0.5 * seconds[i], 1e-2};
        f->point[i][1] = (haw_trial_point){10 + i, seconds[i], solved[i] ? 1e-9 : 1e-3};
        *t = (haw_trial){.was_run = true, .cpu_seconds = seconds[i], .points = 2};
        t->point = f->point[i];
        t->report.outcome = solved[i] ? HAW_CONVERGED : HAW_STALLED;
        t->report.tolerance = 1e-8;
        t->report.effort.factorizations = newton[i];
        t->report.effort.newton_flops = 1.0;
        t->report.effort.first_order_flops = i == 4 ? 2.0 : 0.0;
        t->report.residual.natural = f->point[i][1].residual;
        t->report.residual.relative = i == 2 ? 1e-7 : 1e-9;
    }
}

static void the_summary_is_that_of_hand(void **state)
{
    fixture *f = *state;
    haw_suite_summary summary;

    make_up(f);
    assert_int_equal(haw_suite_summarize(f->context, &f->suite, 0, f->trial, &summary), HAW_OK);
    assert_int_equal(summary.problems, 4);
    assert_int_equal(summary.solved, 3);
    assert_int_equal(summary.solved_relative, 2);
    assert_int_equal(summary.newton_solves, 2);
    assert_near(summary.newton_median, 7.0, 0.0, 1e-15); /* of 3, 5, 9, infinity */
    assert_true(isinf(summary.newton_p90));
    assert_true(isinf(summary.newton_max));
    assert_near(summary.cpu_seconds, 15.0, 0.0, 1e-15);
    assert_near(summary.natural_max, 1e-3, 0.0, 1e-15);
    assert_near(summary.relative_max, 1e-7, 0.0, 1e-15);
}

static void a_problem_that_was_not_reached_is_not_solved(void **state)
{
    fixture *f = *state;
    haw_suite_summary summary;

    assert_int_equal(haw_suite_summarize(f->context, &f->suite, 1, f->trial, &summary), HAW_OK);
    assert_int_equal(summary.solved, 0);
    assert_true(isinf(summary.natural_max));
    assert_true(isinf(summary.newton_median));
}

static void note_done(void *user, int problem, int solver, const haw_trial *trial)
{
    fixture *f = user;

    assert_int_equal(problem * SOLVERS + solver, f->done);
    assert_ptr_equal(trial, &f->trial[f->done]);
    f->done++;
}

static haw_status note_made(void *user, int problem, const haw_problem *made)
{
    fixture *f = user;

    assert_int_equal(problem, f->made);
    assert_int_equal(made->dimension, f->winding[problem].dimension);
    assert_int_equal(made->contacts, f->winding[problem].nodes);
    f->made++;
    return HAW_OK;
}

static void every_problem_meets_every_solver(void **state)
{
    fixture *f = *state;
    const haw_suite_observer observer = {.made = note_made, .done = note_done, .user = f};

    assert_int_equal(haw_suite_run(&f->arena, &f->suite, &observer, f->trial), HAW_OK);
    assert_int_equal(f->made, PROBLEMS);
    assert_int_equal(f->done, PROBLEMS * SOLVERS);
    for (int i = 0; i < PROBLEMS * SOLVERS; i++) {
        const haw_trial *t = &f->trial[i];

        assert_true(haw_trial_is_solved(t));
        assert_true(t->points > 0);
        assert_near(t->point[t->points - 1].residual, t->report.residual.natural, 0.0, 0.0);
        assert_false(haw_trial_is_newton(t)); /* both sweep only */
    }
}

static haw_status cancel_the_second(void *user, int problem, const haw_problem *made)
{
    fixture *f = user;

    (void)made;
    if (problem == 1) {
        haw_context_cancel(f->context);
    }
    return HAW_OK;
}

static void a_cancelled_suite_keeps_what_it_has(void **state)
{
    fixture *f = *state;
    const haw_suite_observer observer = {.made = cancel_the_second, .user = f};

    assert_int_equal(haw_suite_run(&f->arena, &f->suite, &observer, f->trial), HAW_ERR_CANCELLED);
    assert_true(f->trial[0].was_run);
    assert_true(f->trial[1].was_run);
    assert_false(f->trial[3].was_run);
    assert_false(f->trial[4].was_run);
}

static haw_status full_disk(void *user, int problem, const haw_problem *made)
{
    (void)made;
    return problem == 2 ? haw_fail(((fixture *)user)->context, HAW_ERR_IO, "full") : HAW_OK;
}

static void a_failure_of_the_observer_ends_the_suite(void **state)
{
    fixture *f = *state;
    const haw_suite_observer observer = {.made = full_disk, .user = f};

    assert_int_equal(haw_suite_run(&f->arena, &f->suite, &observer, f->trial), HAW_ERR_IO);
    assert_true(f->trial[3].was_run);
    assert_false(f->trial[4].was_run);
}

static char *read_table(const fixture *f, const char *name)
{
    char path[SCRATCH_PATH + 64];
    char *text = calloc(1, 1 << 16);

    (void)snprintf(path, sizeof path, "%s/%s", f->folder, name);
    FILE *stream = fopen(path, "r");

    assert_non_null(stream);
    assert_true(fread(text, 1, (1 << 16) - 1, stream) > 0);
    (void)fclose(stream);
    return text;
}

static int count_lines(const char *text)
{
    int lines = 0;

    for (; *text != '\0'; text++) {
        lines += *text == '\n' ? 1 : 0;
    }
    return lines;
}

/* First solver: ratios 1, 2, 1 of three of four problems; second one: 2 and 1. */
static void the_profile_table_is_that_of_hand(void **state)
{
    fixture *f = *state;

    make_up(f);
    assert_int_equal(haw_suite_write(f->context, &f->suite, f->trial, f->folder), HAW_OK);
    char *text = read_table(f, "profile.csv");

    assert_string_equal(text, "solver,share,ratio,cpu_seconds[s]\n"
                              "# pgs\n"
                              "pgs,0,1,1\npgs,0.25,1,1\npgs,0.5,1,2\npgs,0.75,2,4\n"
                              "\n\n# alprox\n"
                              "alprox,0,1,1\nalprox,0.25,1,1\nalprox,0.5,2,2\n");
    free(text);
}

static void the_other_tables_have_a_line_for_everything(void **state)
{
    fixture *f = *state;

    make_up(f);
    f->trial[5].report.residual.natural = (double)NAN;
    f->trial[7].points = 0;
    assert_int_equal(haw_suite_write(f->context, &f->suite, f->trial, f->folder), HAW_OK);
    char *rows = read_table(f, "rows.csv");
    char *convergence = read_table(f, "convergence.csv");

    assert_int_equal(count_lines(rows), 1 + PROBLEMS * SOLVERS);
    assert_non_null(
        strstr(rows, "\nc2_8_k1e0_m0.4,2,8,1,1,0.40000000000000002,1,8,pgs,1,converged,"));
    assert_non_null(strstr(rows, ",alprox,0,stalled,,")); /* NaN is an empty field */
    assert_int_equal(count_lines(convergence),
                     1 + 4 * PROBLEMS * SOLVERS + PROBLEMS * SOLVERS - 2 - 1);
    assert_non_null(strstr(convergence, "\nalprox,c3_11_k1e0_m0.4,,,\n"));
    free(rows);
    free(convergence);
}

static void check_file(void *user, const char *path)
{
    fixture *f = user;

    assert_int_equal(access(path, R_OK), 0);
    f->written++;
}

static void draw(fixture *f, int solvers, int problems)
{
    static const char *const names[] = {"pgs", "it's_{a}^\\b"};
    const haw_report_comparison what = {solvers, problems, names, 1e-8};

    f->suite.solvers = solvers;
    f->suite.problems = problems;
    f->written = 0;
    assert_int_equal(haw_suite_write(f->context, &f->suite, f->trial, f->folder), HAW_OK);
    if (haw_report_compare(f->context, f->folder, &what, check_file, f) != HAW_OK) {
        fail_msg("%s", haw_context_message(f->context));
    }
    assert_int_equal(f->written, 6);
}

static void figures_are_drawn_in_two_formats(void **state)
{
    fixture *f = *state;

    make_up(f);
    draw(f, 2, 4);
    draw(f, 1, 4);
    draw(f, 1, 1);
}

/* Nothing solved, or nothing but infinite residuals: no range has two ends. */
static void figures_of_failures_can_be_drawn(void **state)
{
    fixture *f = *state;

    make_up(f);
    for (int i = 0; i < PROBLEMS * SOLVERS; i++) {
        f->trial[i].report.outcome = HAW_STALLED;
        f->point[i][0].residual = f->point[i][1].residual = HUGE_VAL;
    }
    draw(f, 2, 4);
    draw(f, 1, 1);
}

static void an_unwritable_folder_is_told(void **state)
{
    fixture *f = *state;

    make_up(f);
    assert_int_equal(haw_suite_write(f->context, &f->suite, f->trial, "/dev/null/x"), HAW_ERR_IO);
    assert_non_null(strstr(haw_context_message(f->context), "/dev/null/x"));
}

static haw_status try_once(haw_context *context, void *user)
{
    const fixture *f = user;
    const haw_suite_observer observer = {0};
    haw_suite suite = f->suite;
    haw_trial trial[PROBLEMS * SOLVERS];
    haw_suite_summary summary;
    haw_arena arena;

    suite.problems = 1;
    haw_arena_init(&arena, context);
    haw_status status = haw_suite_run(&arena, &suite, &observer, trial);

    if (status == HAW_OK) {
        status = haw_suite_summarize(context, &suite, 0, trial, &summary);
    }
    if (status == HAW_OK) {
        status = haw_suite_write(context, &suite, trial, f->folder);
    }
    haw_arena_fini(&arena);
    return status;
}

static void running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
    assert_true(failing_loop(try_once, *state) > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_FILE(test_suite)
{
    const struct CMUnitTest tests[] = {
        TEST(the_summary_is_that_of_hand),
        TEST(a_problem_that_was_not_reached_is_not_solved),
        TEST(every_problem_meets_every_solver),
        TEST(a_cancelled_suite_keeps_what_it_has),
        TEST(a_failure_of_the_observer_ends_the_suite),
        TEST(the_profile_table_is_that_of_hand),
        TEST(the_other_tables_have_a_line_for_everything),
        TEST(figures_are_drawn_in_two_formats),
        TEST(figures_of_failures_can_be_drawn),
        TEST(an_unwritable_folder_is_told),
        TEST(running_out_of_memory_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
