/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rows.h"

haw_workspace *rows_workspace(void)
{
    static haw_workspace *workspace;

    if (workspace == NULL) {
        haw_context *context;

        assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
        assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    }
    return workspace;
}

bool rows_solve(const haw_solver_ops *ops, const haw_problem *problem, double tolerance, double *r,
                double *u, haw_report *report)
{
    haw_solver_settings settings;

    assert_int_equal(haw_solver_settings_init(NULL, ops->row.name, &settings), HAW_OK);
    settings.options[0] = tolerance; /* leads every options struct */
    const haw_status status = haw_solve(problem, &settings, rows_workspace(), r, u, report);

    assert_true(status == HAW_OK || status == HAW_ERR_INPUT);
    return status == HAW_OK;
}

int rows_find_solutions(const haw_solver_ops *ops, double tolerance)
{
    int factorizations = 0;

    for (uint64_t first = 1; first <= 2000; first++) {
        uint64_t seed = first;
        const int n = 1 + (int)(first % ENUM_CONTACTS);
        small_problem s;
        enumeration e;
        haw_report report;
        double r[ENUM_ROWS] = {0}, u[ENUM_ROWS], nearest = INFINITY;

        small_problem_init(&s, 2, n);
        small_problem_random(&s, 4 * n, 0.05, first % 2 == 0 ? 0.6 : 3.0, &seed);
        enum_solve(&s, &e);
        assert_true(rows_solve(ops, &s.problem, tolerance, r, u, &report));
        for (int i = 0; i < e.count; i++) {
            nearest = fmin(nearest, enum_distance(2 * n, r, e.r[i]));
        }
        if (report.outcome != HAW_CONVERGED || !(nearest < 1.0e-8)) {
            fail_msg("problem %d: residual %g, off by %g of %d solutions", (int)first,
                     report.residual.natural, nearest, e.count);
        }
        factorizations += report.effort.factorizations;
    }
    return factorizations;
}
