/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rows share: filling a result, finding a root. */
#ifndef HAWSER_THEORY_RESULT_H
#define HAWSER_THEORY_RESULT_H

#include "base/status.h"

#include <hawser/theory.h>

typedef struct haw_scalar {
    const char *key, *unit, *help;
    double value;
} haw_scalar;

/** Append `count` numbers. */
HAW_NODISCARD haw_status haw_result_scalars(haw_context *context, haw_theory_result *result,
                                            int count, const haw_scalar *scalar);

/** Append those of `count` numbers that are finite: the others cannot be said, or have no data. */
HAW_NODISCARD haw_status haw_result_finite(haw_context *context, haw_theory_result *result,
                                           int count, const haw_scalar *scalar);

/**
 * Append a profile; key, unit, help and count are taken from `row`.
 * @param value  out: zeroed [count], to be filled by the caller
 */
HAW_NODISCARD haw_status haw_result_profile(haw_context *context, haw_theory_result *result,
                                            const haw_quantity *row, double **value);

/** Append a text of static storage. */
void haw_result_text(haw_theory_result *result, const char *key, const char *help,
                     const char *value);

typedef struct haw_bracket {
    double low, high;
} haw_bracket;

typedef double (*haw_root_function)(double x, void *data);

/**
 * Root of a continuous function by Brent's method, to a few units of the last place.
 *
 * @param bracket  ends of opposite sign
 * @return         ERR_ARG if the signs agree or a value is not finite; ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_root_find(haw_context *context, haw_root_function function, void *data,
                                       haw_bracket bracket, double *root);

#endif
