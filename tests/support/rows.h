/* SPDX-License-Identifier: BSD-3-Clause */
/* Every row of the solver table on one problem; a row may refuse it. */
#ifndef HAWSER_TESTS_ROWS_H
#define HAWSER_TESTS_ROWS_H

#include "support/enum.h"
#include "support/near.h"

#include <string.h>

/* One memory for all solves of a test binary, as a simulation has it. */
static inline haw_workspace *rows_workspace(void)
{
    static haw_workspace *workspace;

    if (workspace == NULL) {
        haw_context *context;

        assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
        assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    }
    return workspace;
}

/* @return false if the row cannot take this problem */
static inline bool rows_solve(const haw_solver_ops *ops, const haw_problem *problem,
                              double tolerance, double *r, double *u, haw_report *report)
{
    haw_solver_settings settings;

    assert_int_equal(haw_solver_settings_init(NULL, ops->name, &settings), HAW_OK);
    settings.options[0] = tolerance; /* leads every options struct */
    const haw_status status = haw_solve(problem, &settings, rows_workspace(), r, u, report);

    assert_true(status == HAW_OK || status == HAW_ERR_INPUT);
    return status == HAW_OK;
}

#endif
