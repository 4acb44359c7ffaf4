/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The problems of data/fclib with the default solver: as they are, in other units (masses a million
 * times, lengths a thousandth), with other friction, and from another start.
 */
#include "support/near.h"

#include <hawser/io.h>
#include <hawser/solver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {
    "Box_Stacks-i0122-82-5",
    "Confeti-ex03-Fc3D-SBM",
    "FC2D_SliderCrankLagrangian00000",
    "FrictionContact3D_1c",
    "FrictionContactProblem00031",
    "FrictionContactProblem00374",
    "LMGC_GlobalFrictionContactProblem00046",
    "OneObject-i100000-316",
    "Rover1041",
};

enum { FILES = sizeof files / sizeof files[0] };

typedef struct desk {
    haw_context *context;
    haw_workspace *workspace;
    haw_problem *problem;
    haw_solver_settings settings;
    double *r, *u;
    haw_report report;
} desk;

static void open_desk(desk *d, const char *name)
{
    char path[128];

    assert_int_equal(haw_context_create(NULL, &d->context), HAW_OK);
    assert_int_equal(haw_workspace_create(d->context, &d->workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(d->context, "auto", &d->settings), HAW_OK);
    (void)snprintf(path, sizeof path, "data/fclib/%s.hdf5", name);
    if (haw_fclib_read(d->context, path, &d->problem) != HAW_OK) {
        fail_msg("%s", haw_context_message(d->context));
    }
    const size_t rows = (size_t)d->problem->dimension * (size_t)d->problem->contacts;

    d->r = calloc(rows, sizeof *d->r);
    d->u = calloc(rows, sizeof *d->u);
    assert_true(d->r != NULL && d->u != NULL);
}

static void close_desk(desk *d)
{
    free(d->r);
    free(d->u);
    haw_problem_free(d->context, d->problem);
    haw_workspace_free(d->workspace);
    haw_context_free(d->context);
}

static void solve(desk *d, const char *name, const char *what)
{
    assert_int_equal(haw_solve(d->problem, &d->settings, d->workspace, d->r, d->u, &d->report),
                     HAW_OK);
    if (d->report.outcome != HAW_CONVERGED || !(d->report.residual.natural <= 1.0e-8)) {
        fail_msg("%s, %s: %s at %g", name, what, haw_outcome_text(d->report.outcome),
                 d->report.residual.natural);
    }
    assert_true(d->report.residual.cone <= 1.0e-6 * (1.0 + fabs(d->r[0])));
}

static void scale(int count, double *x, double factor)
{
    for (int i = 0; i < count; i++) {
        x[i] *= factor;
    }
}

/* The same mechanics with masses and lengths in other units. */
static void change_units(haw_problem *p, double mass, double length)
{
    const int rows = p->dimension * p->contacts, blocks = p->global ? 0 : p->w.start[p->contacts];

    if (p->global != NULL) {
        scale(p->global->m.start[p->global->m.rows], p->global->m.value, mass);
        scale(p->global->m.rows, p->global->f, mass * length);
        scale(rows, p->global->w, length);
    } else {
        scale(blocks * p->dimension * p->dimension, p->w.value, 1.0 / mass);
        scale(rows, p->q, length);
    }
}

static void every_problem_is_solved_and_in_other_units_alike(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        desk d;

        open_desk(&d, files[i]);
        solve(&d, files[i], "as it is");
        const haw_effort plain = d.report.effort;
        const size_t bytes =
            (size_t)d.problem->dimension * (size_t)d.problem->contacts * sizeof *d.r;

        print_message("%s: %d factorizations, %d sweeps, natural %.1e\n", files[i],
                      plain.factorizations, plain.sweeps, d.report.residual.natural);
        change_units(d.problem, 1048576.0, 1.0 / 1024.0); /* powers of two: the same roundings */
        memset(d.r, 0, bytes);
        solve(&d, files[i], "in other units");
        assert_int_equal(d.report.effort.factorizations, plain.factorizations);
        assert_int_equal(d.report.effort.sweeps, plain.sweeps);
        close_desk(&d);
    }
}

static void other_friction_and_a_bad_start_are_no_hindrance(void **state)
{
    const double factor[] = {0.0, 0.3, 2.0};

    (void)state;
    for (int i = 0; i < FILES; i++) {
        for (int k = 0; k < 3; k++) {
            desk d;

            open_desk(&d, files[i]);
            scale(d.problem->contacts, d.problem->mu, factor[k]);
            for (int c = 0; c < d.problem->contacts; c++) { /* ten times too large, sideways */
                d.r[d.problem->dimension * c] = 10.0;
                d.r[d.problem->dimension * c + 1] = -3.0;
            }
            solve(&d, files[i], "other friction");
            close_desk(&d);
        }
    }
}

TEST_FILE(test_fclib_problems)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_problem_is_solved_and_in_other_units_alike),
        cmocka_unit_test(other_friction_and_a_bad_start_are_no_hindrance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
