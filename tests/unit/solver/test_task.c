/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/task.h"
#include "support/near.h"
#include "support/problems.h"
#include "support/table.h"

typedef struct witness {
    int calls, stop_at;
    double best;
} witness;

static bool watch(void *user, const haw_solve_progress *progress)
{
    witness *w = user;

    assert_non_null(progress->solver);
    assert_true(progress->best <= progress->residual || isinf(progress->best));
    w->best = progress->best;
    w->calls++;
    return w->calls == w->stop_at;
}

/* Two coupled contacts that no method solves at its first question. */
static void hard_pair(small_problem *s)
{
    small_problem_init(s, 2, 2);
    for (int i = 0; i < 4; i++) {
        *small_problem_entry(s, i, i) = 1.0;
        s->q[i] = i % 2 == 0 ? -1.0 : 0.3;
    }
    *small_problem_entry(s, 0, 2) = *small_problem_entry(s, 2, 0) = 0.9;
    s->mu[0] = s->mu[1] = 0.5;
}

static void observe_once(const haw_solver_ops *ops, int stop_at, witness *w, haw_report *report)
{
    haw_context *context;
    haw_workspace *workspace;
    haw_solver_settings settings;
    small_problem s;
    double r[4] = {0}, u[4];

    *w = (witness){.stop_at = stop_at};
    hard_pair(&s);
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, ops->row.name, &settings), HAW_OK);
    haw_workspace_observe(workspace, &(haw_solve_observer){watch, w});
    assert_int_equal(haw_solve(&s.problem, &settings, workspace, r, u, report), HAW_OK);
    haw_workspace_free(workspace);
    haw_context_free(context);
}

static void an_observer_sees_the_residual_fall_to_the_tolerance(void **state)
{
    (void)state;
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        witness w;
        haw_report report;

        observe_once(solver_at(i), 0, &w, &report);
        assert_int_equal(report.outcome, HAW_CONVERGED);
        assert_true(w.calls > 0);
        assert_true(w.best <= report.tolerance);
    }
}

static void an_observer_ends_a_solve(void **state)
{
    (void)state;
    for (int i = 0; haw_solvers[i] != NULL; i++) {
        witness w;
        haw_report report;

        observe_once(solver_at(i), 1, &w, &report);
        if (w.best > report.tolerance) {
            assert_int_equal(w.calls, 1);
            assert_int_equal(report.outcome, HAW_STOPPED);
        } else {
            assert_int_equal(report.outcome, HAW_CONVERGED);
        }
    }
}

/* w_c = trace(W_cc)/d; a contact that nothing moves gets the mean of the others. */
static void weights_are_mean_diagonals(void **state)
{
    const double diagonal[3] = {2.0, 4.0, 0.0};
    haw_context *context;
    haw_arena arena;
    small_problem s;

    (void)state;
    small_problem_init(&s, 3, 3);
    for (int i = 0; i < 9; i++) {
        *small_problem_entry(&s, i, i) = diagonal[i / 3] * (1 + i % 3) / 2.0;
    }
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_arena_init(&arena, context);
    haw_task task = {.context = context, .arena = &arena, .problem = &s.problem};
    task.op = (haw_operator){.problem = &s.problem, .q = s.q};
    const double *w = haw_task_weights(&task);

    assert_non_null(w);
    assert_near(w[0], 2.0, 0.0, 1.0e-15);
    assert_near(w[1], 4.0, 0.0, 1.0e-15);
    assert_near(w[2], 3.0, 0.0, 1.0e-15);
    haw_arena_fini(&arena);
    haw_context_free(context);
}

static void outcomes_have_words(void **state)
{
    (void)state;
    assert_string_equal(haw_outcome_text(HAW_CONVERGED), "converged");
    assert_string_equal(haw_outcome_text(HAW_ITERATION_LIMIT), "iteration limit");
    assert_string_equal(haw_outcome_text((haw_outcome)99), "unknown outcome");
}

TEST_FILE(test_task)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_observer_sees_the_residual_fall_to_the_tolerance),
        cmocka_unit_test(an_observer_ends_a_solve),
        cmocka_unit_test(weights_are_mean_diagonals),
        cmocka_unit_test(outcomes_have_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
