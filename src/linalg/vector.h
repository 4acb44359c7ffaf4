/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that BLAS would not make faster at these lengths. */
#ifndef HAWSER_LINALG_VECTOR_H
#define HAWSER_LINALG_VECTOR_H

#include <math.h>

/** y += a x, n values. */
static inline void haw_axpy(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
    }
}

static inline double haw_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/** Largest |x_i|; 0 for n = 0. A NaN is left out. */
static inline double haw_largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

#endif
