/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of n numbers. */
#ifndef HAWSER_TESTS_VECTOR_H
#define HAWSER_TESTS_VECTOR_H

#include <math.h>

double vector_dot(int n, const double *a, const double *b);

/** Largest absolute value. */
double vector_largest(int n, const double *x);

#endif
