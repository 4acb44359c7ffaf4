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
static inline void finite_jacobian(finite_function function, const void *user, int n, int m,
                                   const double *x, double h, double *j)
{
    static const double offset[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
    double at[FINITE_MAX], y[FINITE_MAX];
    assert(n <= FINITE_MAX && m <= FINITE_MAX);
    memcpy(at, x, (size_t)n * sizeof *x);
    memset(j, 0, (size_t)(m * n) * sizeof *j);
    for (int k = 0; k < n; k++) {
        for (int side = 0; side < 4; side++) {
            at[k] = x[k] + offset[side] * h;
            function(user, at, y);
            for (int i = 0; i < m; i++) {
                j[n * i + k] += weight[side] * y[i] / (12.0 * h);
            }
        }
        at[k] = x[k];
    }
}

#endif
