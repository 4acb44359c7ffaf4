/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of n numbers. */
#ifndef HAWSER_TESTS_VECTOR_H
#define HAWSER_TESTS_VECTOR_H

#include <math.h>

static inline double vector_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/** Largest absolute value. */
static inline double vector_largest(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

#endif
