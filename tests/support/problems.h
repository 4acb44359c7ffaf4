/* SPDX-License-Identifier: BSD-3-Clause */
/* Small contact problems with all blocks present: written out by hand or random. */
#ifndef HAWSER_TESTS_PROBLEMS_H
#define HAWSER_TESTS_PROBLEMS_H

#include "support/near.h"

#include <hawser/solver.h>

#include <string.h>

enum { PROBLEM_CONTACTS = 8, PROBLEM_ROWS = 3 * PROBLEM_CONTACTS };

/* Storage and the problem that points into it; never copy it. */
typedef struct small_problem {
    haw_problem problem;
    int start[PROBLEM_CONTACTS + 1], column[PROBLEM_CONTACTS * PROBLEM_CONTACTS];
    int diagonal[PROBLEM_CONTACTS];
    double value[PROBLEM_ROWS * PROBLEM_ROWS];
    double q[PROBLEM_ROWS], mu[PROBLEM_CONTACTS];
} small_problem;

/* All blocks, zero values. */
void small_problem_init(small_problem *s, int dimension, int contacts);

/* Entry (i, j) of W as a plain matrix. */
double *small_problem_entry(small_problem *s, int i, int j);

/*
 * W = H^T H / m + shift I with a random H [m x n d]; q in [-1, 1], normal parts mostly approaching;
 * mu in [0, mu_max].
 */
void small_problem_random(small_problem *s, int m, double shift, double mu_max, uint64_t *seed);

/* Solve in a workspace of its own; the solver's refusal of the problem comes back as the status. */
haw_status small_solve(const haw_problem *problem, const haw_solver_settings *settings, double *r,
                       double *u, haw_report *report);

#endif
