/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pivots of the sparse kinds that are light, and solves that are accurate all the same. A pivot may
 * be small beside its column where that spares fill, as on the diagonal of the mechanics: factors
 * then are those of a matrix nearby, and one step of refinement takes what that costs (R. D. Skeel,
 * Math. Comp. 35 (1980) 817-832), unless the matrix is as near to a singular one. So factors by
 * light pivots are tried on a right-hand side whose entries are all of one size, and by the error
 *
 *     max_i |b - A x|_i / ((n_i + 1) (|A| |x| + |b|)_i)
 *
 * (W. Oettli, W. Prager, Numer. Math. 6 (1964) 405-409; rounding alone leaves as much as the unit
 * times the n_i entries of a row and its right-hand side) they are taken as they are, or with a
 * step of refinement in every solve, or firm pivots are asked for. It depends on the matrix alone.
 *
 * Factors of a matrix before that differs by little are judged in the same way, with a few steps:
 * near rest those of the last step serve the next one. Where a right-hand side is known they are
 * judged by the solution they give of it, which spares that of another one.
 */
#include "linalg/lu_kinds.h"

#include <math.h>
#include <stdint.h>

static const double SMALL = DBL_EPSILON; /* error: other right-hand sides have ten times that */

static const double NEAR = 1e-4; /* change of an entry, over the largest of its row */

enum { OWN = 1, KEPT = 6 }; /* steps of refinement at most: of own factors, of those of another */

/* rest [n] = b - A x of the scaled matrix, b over the scaled rows, in longer numbers: else steps of
 * refinement end in the rounding of sums whose terms cancel, where a penalty of 1e8 holds contacts.
 * @return the error */
static double find_rest(const haw_lu *lu, const double *x, const double *b, double *rest)
{
    double worst = 0;
    for (int i = 0; i < lu->n; ++i) {
        long double sum = b[i];
        double size = fabs(b[i]);
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            const long double part = (long double)lu->value[k] * x[lu->column[k]];
            sum -= part;
            size += fabs((double)part);
        }
        rest[i] = (double)sum;
        const double terms = lu->start[i + 1] - lu->start[i] + 1;
        const double error = size > 0 ? fabs(rest[i]) / (terms * size) : fabs(size);
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

/* x of A x = right, over the scaled rows, with so many steps of refinement at most: as many as it
 * takes. @param x  [n] the right-hand side over the rows as given, then the solution
 * @return whether the error is small */
static bool solve_well(haw_lu *lu, int most, double *x)
{
    lu->ops->solve(lu, x);
    double error = find_rest(lu, x, lu->right, lu->rest);
    for (lu->refinements = 0; lu->refinements < most && !(error <= SMALL); lu->refinements++) {
        correct(lu, x);
        error = find_rest(lu, x, lu->right, lu->rest);
    }
    return error <= SMALL;
}

static void set_right(haw_lu *lu, const double *b)
{
    for (int i = 0; i < lu->n; ++i) {
        lu->right[i] = lu->scale[i] * b[i];
    }
}

void haw_lu_refine(haw_lu *lu, double *x)
{
    set_right(lu, x);
    if (lu->is_kept) {
        (void)solve_well(lu, KEPT, x);
        return;
    }
    lu->ops->solve(lu, x);
    for (int k = 0; k < lu->refinements; ++k) {
        (void)find_rest(lu, x, lu->right, lu->rest);
        correct(lu, x);
    }
}

/* Whether the factors serve, with so many steps of refinement at most. @param x  [n] work */
static bool try_factors(haw_lu *lu, int most, double *x)
{
    uint64_t state = 1;
    for (int i = 0; i < lu->n; ++i) { /* signs without a pattern: xorshift */
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        lu->right[i] = (state & 1) == 0 ? 1 : -1;
        x[i] = lu->right[i] / lu->scale[i];
    }
    return solve_well(lu, most, x);
}

/* The largest change of the scaled entries, or not a number. */
static double find_change(const haw_lu *lu)
{
    double most = 0;
    for (int i = 0; i < lu->n; ++i) {
        for (int k = lu->start[i]; k < lu->start[i + 1]; ++k) {
            const double change = fabs(lu->scale[i] * lu->given[k] - lu->value[k]);
            most = change > most || isnan(change) ? change : most;
        }
    }
    return most;
}

bool haw_lu_keeps(haw_lu *lu, double *x)
{
    if (!(find_change(lu) <= NEAR)) {
        return false;
    }
    haw_lu_scale_values(lu);
    if (x == NULL) {
        return try_factors(lu, KEPT, lu->probe);
    }
    set_right(lu, x);
    const bool keeps = solve_well(lu, KEPT, x);
    for (int i = 0; i < lu->n && !keeps; ++i) { /* scales are powers of two */
        x[i] = lu->right[i] / lu->scale[i];
    }
    return keeps;
}

haw_status haw_lu_factor_lightly(haw_lu *lu)
{
    const double firm = lu->tolerance;
    lu->tolerance = lu->light;
    haw_status status = lu->ops->factor(lu);
    lu->tolerance = firm;
    if ((status == HAW_OK && try_factors(lu, OWN, lu->probe)) ||
        (status != HAW_OK && status != HAW_ERR_SINGULAR)) {
        return status;
    }
    status = lu->ops->factor(lu);
    if (status == HAW_OK) {
        (void)try_factors(lu, OWN, lu->probe);
    }
    return status;
}
