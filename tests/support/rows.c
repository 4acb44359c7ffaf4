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
