/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pivots of the sparse kinds that are light, and solves that are accurate all the same. A pivot may
 * be small beside its column where that spares fill, as on the diagonal of the mechanics: factors
 * then are those of a matrix nearby, and one step of refinement takes what that costs (R. D. Skeel,
 * Math. Comp. 35 (1980) 817-832), unless the matrix is as near to a singular one. So factors by
 * light pivots are tried on a right-hand side whose entries are all of one size, and by the error
 *
 *     max_i |b - A x|_i / (|A| |x| + |b|)_i
 *
 * (W. Oettli, W. Prager, Numer. Math. 6 (1964) 405-409) they are taken as they are, or with a step
 * of refinement in every solve, or firm pivots are asked for. It depends on the matrix alone.
 */
#include "linalg/lu_kinds.h"

#include <math.h>
#include <stdint.h>

static const double SMALL = 8 * DBL_EPSILON; /* error: other right-hand sides have ten times that */

/* rest [n] = b - A x of the scaled matrix, b over the scaled rows. @return the error */
static double find_rest(const haw_lu *lu, const double *x, const double *b, double *rest)
{
    double worst = 0;
    for (int i = 0; i < lu->n; ++i) {
        double sum = b[i], size = fabs(b[i]);
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            const double part = lu->value[k] * x[lu->column[k]];
            sum -= part;
            size += fabs(part);
        }
        rest[i] = sum;
        const double error = size > 0 ? fabs(sum) / size : fabs(size);
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

/* x += A^-1 rest */
static void correct(haw_lu *lu, double *x)
{
    for (int i = 0; i < lu->n; ++i) {
        lu->rest[i] /= lu->scale[i];
    }
    lu->ops->solve(lu, lu->rest);
    for (int i = 0; i < lu->n; ++i) {
        x[i] += lu->rest[i];
    }
}

void haw_lu_refine(haw_lu *lu, double *x)
{
    for (int i = 0; i < lu->n; ++i) {
        lu->right[i] = lu->scale[i] * x[i];
    }
    lu->ops->solve(lu, x);
    (void)find_rest(lu, x, lu->right, lu->rest);
    correct(lu, x);
}

/* Whether the factors serve, with a step of refinement or without. @param x  [n] work */
static bool try_factors(haw_lu *lu, double *x)
{
    uint64_t state = 1;
    for (int i = 0; i < lu->n; ++i) { /* signs without a pattern: xorshift */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        lu->right[i] = (state & 1) == 0 ? 1 : -1;
        x[i] = lu->right[i] / lu->scale[i];
    }
    lu->ops->solve(lu, x);
    const double first = find_rest(lu, x, lu->right, lu->rest);
    lu->refines = !(first <= SMALL);
    if (lu->refines) {
        correct(lu, x);
        const double second = find_rest(lu, x, lu->right, lu->rest);
        return second <= SMALL;
    }
    return true;
}

haw_status haw_lu_factor_lightly(haw_lu *lu)
{
    const double firm = lu->tolerance;
    lu->tolerance = lu->light;
    haw_status status = lu->ops->factor(lu);
    lu->tolerance = firm;
    if ((status == HAW_OK && try_factors(lu, lu->probe)) ||
        (status != HAW_OK && status != HAW_ERR_SINGULAR)) {
        return status;
    }
    status = lu->ops->factor(lu);
    if (status == HAW_OK) {
        (void)try_factors(lu, lu->probe);
    }
    return status;
}
