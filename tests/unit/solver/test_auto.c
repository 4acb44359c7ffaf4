/* SPDX-License-Identifier: BSD-3-Clause */
/* The default solver: which rows it calls, and what it makes of their answers. */
#include "bench/winding.h"
#include "support/failing.h"
#include "support/rows.h"

#include <stdlib.h>

enum { NAMES = 24 };

/* What an observer has seen. */
typedef struct journal {
    const char *names[NAMES];             /* rows, each time another one comes to work */
    double arrival[NAMES], before[NAMES]; /* its first residual, the best one so far */
    int count, calls;
    const char *stop_at; /* ends the solve when this row asks */
    double best;
} journal;

static bool observe(void *user, const haw_solve_progress *progress)
{
    journal *l = user;

    if (strcmp(progress->solver, "auto") != 0 && /* auto itself asks what a row has achieved */
        (l->count == 0 || strcmp(l->names[l->count - 1], progress->solver) != 0)) {
        assert_true(l->count < NAMES);
        l->arrival[l->count] = progress->residual;
        l->before[l->count] = l->best;
        l->names[l->count++] = progress->solver;
    }
    l->calls++;
    l->best = l->calls == 1 ? progress->residual : fmin(l->best, progress->residual);
    return l->stop_at != NULL && strcmp(progress->solver, l->stop_at) == 0;
}

typedef struct trial {
    haw_solver_settings settings;
    haw_report report;
    journal log;
    double *r, *u;
    size_t rows;
} trial;

static void trial_open(trial *t, const haw_problem *problem)
{
    *t = (trial){.rows = (size_t)problem->dimension * (size_t)problem->contacts};
    t->r = calloc(t->rows, sizeof *t->r);
    t->u = calloc(t->rows, sizeof *t->u);
    assert_true(t->r != NULL && t->u != NULL);
    assert_int_equal(haw_solver_settings_init(NULL, "auto", &t->settings), HAW_OK);
}

static void trial_close(trial *t)
{
    free(t->r);
    free(t->u);
}

static void option(trial *t, const char *name, double value)
{
    assert_int_equal(
        haw_options_set_real(NULL, t->settings.ops->row.options, t->settings.options, name, value),
        HAW_OK);
}

static void run(trial *t, const haw_problem *problem)
{
    const haw_solve_observer observer = {observe, &t->log};

    t->log = (journal){.stop_at = t->log.stop_at};
    haw_workspace_observe(rows_workspace(), &observer);
    assert_int_equal(haw_solve(problem, &t->settings, rows_workspace(), t->r, t->u, &t->report),
                     HAW_OK);
    haw_workspace_observe(rows_workspace(), NULL);
}

static haw_problem *wind(int dimension, double kappa, bool local)
{
    const haw_winding winding = {dimension, 50, 1, kappa, 0.4, 1};
    haw_problem *global, *reduced;

    assert_int_equal(haw_winding_create(NULL, &winding, &global), HAW_OK);
    if (!local) {
        return global;
    }
    assert_int_equal(haw_problem_reduce(NULL, global, &reduced), HAW_OK);
    haw_problem_free(NULL, global);
    return reduced;
}

/* ---- which rows ---- */

/* A time step after another one: contacts that feel one another little, a load that has changed
 * a little. */
static void easy_problems_take_sweeps_alone(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 50; i++) {
        small_problem s;
        trial t;

        small_problem_init(&s, 2 + i % 2, PROBLEM_CONTACTS);
        small_problem_random(&s, 40, 1.0, 0.5, &seed);
        trial_open(&t, &s.problem);
        for (int step = 0; step < 3; step++) {
            run(&t, &s.problem);
            assert_int_equal(t.report.outcome, HAW_CONVERGED);
            assert_int_equal(t.report.effort.factorizations, 0);
            assert_true(t.report.effort.sweeps >= 1 && t.report.effort.sweeps < 100);
            assert_int_equal(t.log.count, 1);
            assert_string_equal(t.log.names[0], "pgs");
            for (size_t k = 0; k < t.rows; k++) {
                s.q[k] *= 1.01;
            }
        }
        trial_close(&t);
    }
}

/* Sweeps would take 14 000 and more; nobody waits for them. */
static void slow_sweeps_give_way_to_newton(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        haw_problem *problem = wind(2 + i % 2, i < 2 ? 1e4 : 1e6, true);
        trial t;

        trial_open(&t, problem);
        run(&t, problem);
        assert_int_equal(t.report.outcome, HAW_CONVERGED);
        assert_true(t.report.effort.sweeps > 0 && t.report.effort.sweeps <= 200);
        assert_true(t.report.effort.factorizations > 0 && t.report.effort.factorizations <= 60);
        assert_int_equal(t.log.count, 2);
        assert_string_equal(t.log.names[0], "pgs");
        assert_string_equal(t.log.names[1], "newton");
        trial_close(&t);
        haw_problem_free(NULL, problem);
    }
}

/* Impulses that no sweep improves fast enough are no start for newton either. */
static void newton_begins_at_zero_where_sweeps_gave_up(void **state)
{
    haw_problem *problem = wind(2, 1e4, true);
    trial t;

    (void)state;
    trial_open(&t, problem);
    option(&t, "sweeps", 0.0);
    run(&t, problem);
    assert_string_equal(t.log.names[0], "newton");
    const double at_zero = t.log.arrival[0];

    option(&t, "sweeps", 2000.0);
    for (size_t i = 0; i < t.rows; i++) {
        t.r[i] *= i % 2 == 0 ? 3.0 : -0.3;
    }
    run(&t, problem);
    assert_int_equal(t.report.outcome, HAW_CONVERGED);
    assert_string_equal(t.log.names[1], "newton");
    assert_true(fabs(t.log.arrival[0] - at_zero) > 0.1 * at_zero);
    assert_near(t.log.arrival[1], at_zero, 0.0, 1e-12);
    trial_close(&t);
    haw_problem_free(NULL, problem);
}

static void without_sweeps_newton_comes_first(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) { /* global form; local form that may not sweep */
        haw_problem *problem = wind(3, 1e2, i == 1);
        trial t;

        trial_open(&t, problem);
        option(&t, "sweeps", i == 0 ? 200.0 : 0.0);
        run(&t, problem);
        assert_int_equal(t.report.outcome, HAW_CONVERGED);
        assert_int_equal(t.report.effort.sweeps, 0);
        assert_string_equal(t.log.names[0], "newton");
        trial_close(&t);
        haw_problem_free(NULL, problem);
    }
}

/* One mass between two walls that close in on it: there is no solution. */
static void pinch(small_problem *s)
{
    small_problem_init(s, 2, 2);
    for (int i = 0; i < 4; i++) {
        for (int j = i % 2; j < 4; j += 2) {
            *small_problem_entry(s, i, j) = i == j ? 1.0 : -1.0;
        }
        s->q[i] = i % 2 == 0 ? -1.0 : 0.3;
    }
    s->mu[0] = s->mu[1] = 0.3;
}

static void what_no_row_can_solve_is_tried_by_all(void **state)
{
    static const char *const rows[] = {"pgs", "newton", "lemke", "ppa", "admm"};
    small_problem s;
    trial t;

    (void)state;
    pinch(&s);
    trial_open(&t, &s.problem);
    run(&t, &s.problem);
    assert_true(t.report.outcome != HAW_CONVERGED && t.report.residual.natural > 0.1);
    for (int i = 0; i < 5; i++) {
        bool asked = false;

        for (int k = 0; k < t.log.count; k++) {
            asked = asked || strcmp(t.log.names[k], rows[i]) == 0;
        }
        assert_true(asked);
    }
    trial_close(&t);
}

/* ---- what comes back ---- */

static void the_best_iterate_of_all_comes_back(void **state)
{
    int limited = 0;

    (void)state;
    for (int i = 0; i < 80; i++) {
        const int limit = 1 + i / 2;
        small_problem s;
        haw_problem *winding = NULL;
        const haw_problem *problem = &s.problem;
        trial t;

        if (i % 2 == 0) {
            pinch(&s);
        } else {
            winding = wind(2 + i / 2 % 2, 1e6, i / 4 % 2 == 0);
            problem = winding;
        }
        trial_open(&t, problem);
        option(&t, "max_iterations", limit);
        option(&t, "tolerance", 1e-13);
        run(&t, problem);
        if (t.report.outcome != HAW_CONVERGED) {
            assert_int_equal(t.report.outcome, HAW_ITERATION_LIMIT);
            assert_int_equal(t.report.iterations, limit);
            limited++;
        }
        assert_true(t.report.residual.natural <= 1.001 * t.log.best + 1e-13);
        trial_close(&t);
        haw_problem_free(NULL, winding);
    }
    assert_true(limited >= 60);
}

/* newton starts where the solve does, lemke from the best that newton has found. */
static void a_row_goes_on_from_the_best_iterate(void **state)
{
    small_problem s;
    trial t;

    (void)state;
    pinch(&s);
    trial_open(&t, &s.problem);
    option(&t, "sweeps", 0.0);
    t.r[0] = 2.0;
    t.r[2] = 3.0;
    run(&t, &s.problem);
    assert_string_equal(t.log.names[0], "newton");
    assert_string_equal(t.log.names[1], "lemke");
    assert_true(t.log.before[1] < 0.99 * t.log.arrival[0]);
    assert_near(t.log.arrival[1], t.log.before[1], 1e-9, 1e-6);
    trial_close(&t);
}

static void a_stop_ends_every_row(void **state)
{
    static const char *const rows[] = {"pgs", "newton", "lemke", "ppa", "admm"};

    (void)state;
    for (int i = 0; i < 5; i++) {
        small_problem s;
        trial t;

        pinch(&s);
        trial_open(&t, &s.problem);
        t.log.stop_at = rows[i];
        run(&t, &s.problem);
        assert_int_equal(t.report.outcome, HAW_STOPPED);
        assert_string_equal(t.log.names[t.log.count - 1], rows[i]);
        assert_true(t.report.residual.natural <= 1.001 * t.log.best + 1e-13);
        trial_close(&t);
    }
}

/* ---- always the same ---- */

static void the_same_problem_gives_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        haw_problem *problem = wind(2 + i % 2, 1e4, i < 2);
        trial one, two;

        trial_open(&one, problem);
        trial_open(&two, problem);
        run(&one, problem);
        run(&two, problem);
        assert_memory_equal(one.r, two.r, one.rows * sizeof *one.r);
        assert_memory_equal(one.u, two.u, one.rows * sizeof *one.u);
        assert_memory_equal(&one.report.effort, &two.report.effort, sizeof one.report.effort);
        assert_int_equal(one.log.calls, two.log.calls);
        trial_close(&one);
        trial_close(&two);
        haw_problem_free(NULL, problem);
    }
}

/* Masses 2^m, velocities 2^v: no decision depends on the units, and powers of two round nothing. */
static void change_units(haw_problem *problem, int m, int v)
{
    const int d = problem->dimension, rows = d * problem->contacts;
    haw_global *g = problem->global;

    if (g != NULL) {
        for (int k = 0; k < g->m.start[g->m.rows]; k++) {
            g->m.value[k] = ldexp(g->m.value[k], m);
        }
        for (int k = 0; k < g->m.rows; k++) {
            g->f[k] = ldexp(g->f[k], m + v);
        }
        return;
    }
    for (int k = 0; k < problem->w.start[problem->contacts] * d * d; k++) {
        problem->w.value[k] = ldexp(problem->w.value[k], -m);
    }
    for (int k = 0; k < rows; k++) {
        problem->q[k] = ldexp(problem->q[k], v);
    }
}

static void units_that_are_powers_of_two_change_no_bit(void **state)
{
    static const int masses[] = {20, -14, 30}, velocities[] = {-10, 8, 0};

    (void)state;
    for (int i = 0; i < 12; i++) {
        const int m = masses[i / 4], v = velocities[i / 4];
        haw_problem *problem = wind(2 + i % 2, 1e4, i / 2 % 2 == 0);
        trial plain, scaled;

        trial_open(&plain, problem);
        trial_open(&scaled, problem);
        run(&plain, problem);
        change_units(problem, m, v);
        run(&scaled, problem);
        assert_int_equal(scaled.report.iterations, plain.report.iterations);
        assert_int_equal(scaled.report.effort.sweeps, plain.report.effort.sweeps);
        assert_int_equal(scaled.report.effort.factorizations, plain.report.effort.factorizations);
        assert_int_equal(scaled.log.calls, plain.log.calls);
        for (size_t k = 0; k < plain.rows; k++) {
            assert_near(scaled.r[k], ldexp(plain.r[k], m + v), 0.0, 0.0);
            assert_near(scaled.u[k], ldexp(plain.u[k], v), 0.0, 0.0);
        }
        trial_close(&plain);
        trial_close(&scaled);
        haw_problem_free(NULL, problem);
    }
}

/* The rows give back to the workspace what they take: a second solve asks for nothing. */
static void a_second_solve_takes_no_memory(void **state)
{
    haw_problem *problem = wind(3, 1e4, true);
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_workspace *workspace;
    haw_context *context;
    haw_report report;
    trial t;
    long calls = 0;

    (void)state;
    trial_open(&t, problem);
    assert_int_equal(haw_context_create(&allocator, &context), HAW_OK);
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    for (int i = 0; i < 3; i++) {
        calls = count.calls;
        memset(t.r, 0, t.rows * sizeof *t.r);
        assert_int_equal(haw_solve(problem, &t.settings, workspace, t.r, t.u, &report), HAW_OK);
        assert_int_equal(report.outcome, HAW_CONVERGED);
    }
    assert_int_equal(count.calls, calls);
    haw_workspace_free(workspace);
    haw_context_free(context);
    trial_close(&t);
    haw_problem_free(NULL, problem);
}

TEST_FILE(test_auto)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(easy_problems_take_sweeps_alone),
        cmocka_unit_test(slow_sweeps_give_way_to_newton),
        cmocka_unit_test(newton_begins_at_zero_where_sweeps_gave_up),
        cmocka_unit_test(without_sweeps_newton_comes_first),
        cmocka_unit_test(what_no_row_can_solve_is_tried_by_all),
        cmocka_unit_test(the_best_iterate_of_all_comes_back),
        cmocka_unit_test(a_row_goes_on_from_the_best_iterate),
        cmocka_unit_test(a_stop_ends_every_row),
        cmocka_unit_test(the_same_problem_gives_the_same_bits),
        cmocka_unit_test(units_that_are_powers_of_two_change_no_bit),
        cmocka_unit_test(a_second_solve_takes_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
