/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference and tolerance of a checked figure, from the one table data/validation.csv. */
#ifndef HAWSER_TESTS_VALIDATION_H
#define HAWSER_TESTS_VALIDATION_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * Look a figure up; the tests run in the folder that holds data/.
 *
 * @param reference  out, in the unit of the row
 * @param tolerance  out, relative or absolute as the row's `kind` says
 * @return           false if the table has no such row
 */
bool haw_validation(const char *name, const char *quantity, double *reference, double *tolerance);

#endif
