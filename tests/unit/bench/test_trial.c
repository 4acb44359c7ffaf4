/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured solves, with solvers made up for the purpose. */
#include "bench/trial.h"
#include "solver/task.h"
#include "support/failing.h"
#include "support/problems.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
    haw_workspace *workspace;
    small_problem one; /* contact in the plane, W = I, q = (-1, 0): the answer is r = (1, 0) */
    haw_trial trial;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);

    assert_int_equal(haw_context_create(NULL, &f->context), HAW_OK);
    assert_int_equal(haw_workspace_create(f->context, &f->workspace), HAW_OK);
    haw_arena_init(&f->arena, f->context);
    small_problem_init(&f->one, 2, 1);
    *small_problem_entry(&f->one, 0, 0) = 1.0;
    *small_problem_entry(&f->one, 1, 1) = 1.0;
    f->one.q[0] = -1.0;
    f->one.mu[0] = 0.3;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;

    haw_workspace_free(f->workspace);
    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    free(f);
    return 0;
}

enum { WALK = 20000 };

/* One question per iteration; the error falls from 1 to 0.1 and is zero at the end. */
static haw_status walk(haw_task *task, const void *options, double *r)
{
    double u[2];

    (void)options;
    for (int k = 1; k <= WALK && !haw_task_exhausted(task); k++) {
        task->effort.iterations = k;
        task->effort.newton_flops += 10.0;
        r[0] = k == WALK ? 1.0 : 0.9 * k / WALK;
        (void)haw_task_natural(task, r, u);
    }
    return HAW_OK;
}

/* Never gets anywhere, and only ends when it is told to. */
static haw_status wait(haw_task *task, const void *options, double *r)
{
    double u[2];

    (void)options;
    while (!haw_task_exhausted(task)) {
        task->effort.sweeps++;
        (void)haw_task_natural(task, r, u);
    }
    return HAW_OK;
}

static haw_status decline(haw_task *task, const void *options, double *r)
{
    (void)options;
    r[0] = 0.5;
    return haw_fail(task->context, HAW_ERR_INPUT, "wants at least 7 contacts");
}

/* Claims to be done, far from the answer. */
static haw_status boast(haw_task *task, const void *options, double *r)
{
    (void)task;
    (void)options;
    r[0] = 5.0;
    return HAW_OK;
}

static haw_solver_settings settings_of(haw_status (*solve)(haw_task *, const void *, double *),
                                       haw_solver_ops *ops)
{
    haw_solver_settings settings = {.ops = ops};
    const haw_solver_common common = {.tolerance = 1e-8, .max_iterations = 1000000};

    *ops = (haw_solver_ops){.row = {.name = "made-up"}, .solve = solve};
    memcpy(settings.options, &common, sizeof common);
    return settings;
}

static haw_status run(fixture *f, haw_status (*solve)(haw_task *, const void *, double *),
                      const haw_trial_rules *rules)
{
    haw_solver_ops ops;
    const haw_solver_settings settings = settings_of(solve, &ops);

    return haw_trial_run(&f->arena, f->workspace, &f->one.problem, &settings, rules, &f->trial);
}

static void a_solve_is_judged_and_measured(void **state)
{
    fixture *f = *state;
    const double before = haw_cpu_clock();

    assert_int_equal(run(f, walk, &(haw_trial_rules){0}), HAW_OK);
    assert_true(haw_trial_is_solved(&f->trial));
    assert_string_equal(haw_trial_text(&f->trial), "converged");
    assert_int_equal(f->trial.report.iterations, WALK);
    assert_true(f->trial.cpu_seconds > 0.0);
    assert_true(f->trial.cpu_seconds <= haw_cpu_clock() - before);
    assert_int_equal(f->trial.points, 0);
    assert_false(f->trial.timed_out);
}

static void the_history_is_thinned_but_keeps_its_start_and_its_end(void **state)
{
    fixture *f = *state;

    assert_int_equal(run(f, walk, &(haw_trial_rules){.keeps_history = true}), HAW_OK);
    const haw_trial *t = &f->trial;
    const haw_trial_point *last = &t->point[t->points - 1];

    /* 100 single steps, then a factor of 1.01 each: 100 + ln(200) / ln(1.01) = 632 */
    assert_in_range(t->points, 500, 700);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(t->point[i].iterations, i + 1);
        assert_near(t->point[i].residual, 1.0 - 0.9 * (i + 1) / WALK, 0.0, 1e-12);
    }
    for (int i = 1; i < t->points; i++) {
        assert_true(t->point[i].iterations >= t->point[i - 1].iterations);
        assert_true(t->point[i].cpu_seconds >= t->point[i - 1].cpu_seconds);
    }
    assert_int_equal(last->iterations, WALK);
    assert_near(last->residual, t->report.residual.natural, 0.0, 0.0);
    assert_near(last->cpu_seconds, t->cpu_seconds, 0.0, 0.0);
}

static void the_time_limit_ends_a_solve(void **state)
{
    fixture *f = *state;

    assert_int_equal(run(f, wait, &(haw_trial_rules){.time_limit = 0.05}), HAW_OK);
    assert_int_equal(f->trial.report.outcome, HAW_STOPPED);
    assert_false(haw_trial_is_solved(&f->trial));
    assert_true(f->trial.timed_out);
    assert_string_equal(haw_trial_text(&f->trial), "time limit");
    assert_true(f->trial.cpu_seconds >= 0.05);
    assert_true(f->trial.cpu_seconds < 0.5);
}

static void a_time_limit_that_is_not_reached_changes_nothing(void **state)
{
    fixture *f = *state;

    assert_int_equal(run(f, walk, &(haw_trial_rules){.time_limit = 1000.0}), HAW_OK);
    assert_true(haw_trial_is_solved(&f->trial));
    assert_false(f->trial.timed_out);
}

static void a_refusal_is_kept_with_its_reason(void **state)
{
    fixture *f = *state;

    assert_int_equal(run(f, decline, &(haw_trial_rules){.keeps_history = true}), HAW_OK);
    assert_string_equal(f->trial.refusal, "wants at least 7 contacts");
    assert_string_equal(haw_trial_text(&f->trial), "refused");
    assert_false(haw_trial_is_solved(&f->trial));
    assert_true(isinf(f->trial.report.residual.natural));
}

static void a_solver_that_boasts_is_not_believed(void **state)
{
    fixture *f = *state;

    assert_int_equal(run(f, boast, &(haw_trial_rules){0}), HAW_OK);
    assert_false(haw_trial_is_solved(&f->trial));
    assert_near(f->trial.report.residual.natural, 4.0, 0.0, 1e-12);
}

typedef struct witness {
    haw_context *context;
    int questions;
    double residual;
    char solver[16];
} witness;

static void cancel_at_the_third(void *user, const haw_solve_progress *progress)
{
    witness *w = user;

    w->residual = progress->residual;
    (void)snprintf(w->solver, sizeof w->solver, "%s", progress->solver);
    if (++w->questions == 3) {
        haw_context_cancel(w->context);
    }
}

static void cancelling_the_context_ends_a_solve(void **state)
{
    fixture *f = *state;
    witness w = {.context = f->context};
    const haw_trial_rules rules = {.progress = cancel_at_the_third, .user = &w};

    assert_int_equal(run(f, wait, &rules), HAW_ERR_CANCELLED);
    assert_int_equal(w.questions, 3);
    assert_string_equal(w.solver, "made-up");
    assert_near(w.residual, 1.0, 0.0, 1e-15);
    assert_true(f->trial.was_run);
    assert_int_equal(f->trial.report.outcome, HAW_STOPPED);
    assert_false(f->trial.timed_out);
    assert_string_equal(haw_trial_text(&f->trial), "stopped");
}

static void first_order_work_decides_what_a_newton_solve_is(void **state)
{
    haw_trial trial = {.was_run = true};

    (void)state;
    trial.report.effort.newton_flops = 100.0;
    trial.report.effort.first_order_flops = 100.0;
    assert_true(haw_trial_is_newton(&trial));
    trial.report.effort.first_order_flops = 101.0;
    assert_false(haw_trial_is_newton(&trial));
}

static haw_status try_once(haw_context *context, void *user)
{
    const fixture *f = user;
    haw_solver_ops ops;
    const haw_solver_settings settings = settings_of(walk, &ops);
    const haw_trial_rules rules = {.keeps_history = true};
    haw_workspace *workspace = NULL;
    haw_trial trial;
    haw_arena arena;

    haw_arena_init(&arena, context);
    haw_status status = haw_workspace_create(context, &workspace);

    if (status == HAW_OK) {
        status = haw_trial_run(&arena, workspace, &f->one.problem, &settings, &rules, &trial);
    }
    haw_workspace_free(workspace);
    haw_arena_fini(&arena);
    return status;
}

static void running_out_of_memory_is_told_and_leaks_nothing(void **state)
{
    assert_true(failing_loop(try_once, *state) > 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_FILE(test_trial)
{
    const struct CMUnitTest tests[] = {
        TEST(a_solve_is_judged_and_measured),
        TEST(the_history_is_thinned_but_keeps_its_start_and_its_end),
        TEST(the_time_limit_ends_a_solve),
        TEST(a_time_limit_that_is_not_reached_changes_nothing),
        TEST(a_refusal_is_kept_with_its_reason),
        TEST(a_solver_that_boasts_is_not_believed),
        TEST(cancelling_the_context_ends_a_solve),
        TEST(first_order_work_decides_what_a_newton_solve_is),
        TEST(running_out_of_memory_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
