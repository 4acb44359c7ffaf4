/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives by central differences of fourth order, independent of the code under test. */
#ifndef HAWSER_TESTS_FINITE_H
#define HAWSER_TESTS_FINITE_H

#include <assert.h>
#include <string.h>

enum { FINITE_MAX = 64 };

typedef void (*finite_function)(const void *user, const double *x, double *y);

/**
 * Jacobian of y(x) by (8 (y(+h) - y(-h)) - (y(+2h) - y(-2h))) / (12 h).
 *
 * @param n  number of unknowns, at most FINITE_MAX
 * @param m  number of values, at most FINITE_MAX
 * @param j  [m * n] row-major
 */
void finite_jacobian(finite_function function, const void *user, int n, int m, const double *x,
                     double h, double *j);

#endif
