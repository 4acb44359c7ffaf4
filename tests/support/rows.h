/* SPDX-License-Identifier: BSD-3-Clause */
/* Every row of the solver table on one problem; a row may refuse it. */
#ifndef HAWSER_TESTS_ROWS_H
#define HAWSER_TESTS_ROWS_H

#include "support/enum.h"
#include "support/near.h"

#include <string.h>

/* One memory for all solves of a test binary, as a simulation has it. */
haw_workspace *rows_workspace(void);

/* @return false if the row cannot take this problem */
bool rows_solve(const haw_solver_ops *ops, const haw_problem *problem, double tolerance, double *r,
                double *u, haw_report *report);

/* Random problems of one to three contacts in the plane: the row must find a solution of the
 * enumeration of each. @return factorizations of all */
int rows_find_solutions(const haw_solver_ops *ops, double tolerance);

#endif
