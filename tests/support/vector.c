/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/vector.h"

double vector_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

double vector_largest(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}
