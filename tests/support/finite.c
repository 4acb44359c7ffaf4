/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/finite.h"

void finite_jacobian(finite_function function, const void *user, int n, int m, const double *x,
                     double h, double *j)
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
