/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact reference for planar problems of up to three contacts: every contact is open, sticks, or
 * slips with r_T = -+ mu r_N; each of the 4^n combinations is a linear system whose solution is
 * kept if it satisfies the inequalities of Signorini's and Coulomb's laws. Shares no code with the
 * solvers and the referee.
 */
#ifndef HAWSER_TESTS_ENUM_H
#define HAWSER_TESTS_ENUM_H

#include "support/problems.h"

#include <math.h>
#include <stdbool.h>

enum { ENUM_CONTACTS = 3, ENUM_ROWS = 2 * ENUM_CONTACTS, ENUM_SOLUTIONS = 8 };

typedef struct enumeration {
    int count; /* solutions that differ by more than 1e-9 in u or r */
    double r[ENUM_SOLUTIONS][ENUM_ROWS], u[ENUM_SOLUTIONS][ENUM_ROWS];
} enumeration;

double enum_distance(int n, const double *a, const double *b);

void enum_solve(small_problem *s, enumeration *e);

#endif
