/* SPDX-License-Identifier: BSD-3-Clause */
/* What every solver may rely on, checked once where a problem enters from outside. */
#include "base/status.h"
#include "solver/solver.h"

#include <math.h>

static haw_status check_row(haw_context *context, const haw_bsr *w, int c)
{
    const int first = w->start[c], last = w->start[c + 1];

    if (last <= first) {
        return haw_fail(context, HAW_ERR_INPUT, "contact %d: row of W is empty", c);
    }
    for (int k = first; k < last; k++) {
        const int previous = k > first ? w->column[k - 1] : -1;

        if (w->column[k] <= previous || w->column[k] >= w->rows) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "contact %d: columns of W must ascend within 0 ... %d (found %d after "
                            "%d)",
                            c, w->rows - 1, w->column[k], previous);
        }
    }
    const int k = w->diagonal[c];

    if (k < first || k >= last || w->column[k] != c) {
        return haw_fail(context, HAW_ERR_INPUT, "contact %d: W has no diagonal block", c);
    }
    return HAW_OK;
}

static haw_status check_blocks(haw_context *context, const haw_bsr *w, int c)
{
    const int size = w->block * w->block;

    for (int i = size * w->start[c]; i < size * w->start[c + 1]; i++) {
        if (!isfinite(w->value[i])) {
            return haw_fail(context, HAW_ERR_INPUT, "contact %d: W holds %g", c, w->value[i]);
        }
    }
    const double *diagonal = w->value + (ptrdiff_t)size * w->diagonal[c];

    for (int i = 0; i < size; i += w->block + 1) {
        if (!(diagonal[i] > 0.0)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "contact %d: diagonal of W must be positive (found %g)", c,
                            diagonal[i]);
        }
    }
    return HAW_OK;
}

static haw_status check_vectors(haw_context *context, const haw_problem *problem, int c)
{
    const int d = problem->dimension;

    if (!isfinite(problem->mu[c]) || problem->mu[c] < 0.0) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "contact %d: friction must be finite and at least 0 (found %g)", c,
                        problem->mu[c]);
    }
    for (int i = d * c; i < d * (c + 1); i++) {
        if (!isfinite(problem->q[i])) {
            return haw_fail(context, HAW_ERR_INPUT, "contact %d: q holds %g", c, problem->q[i]);
        }
    }
    return HAW_OK;
}

haw_status haw_problem_check(haw_context *context, const haw_problem *problem)
{
    const haw_bsr *w = &problem->w;

    if (problem->dimension != 2 && problem->dimension != 3) {
        return haw_fail(context, HAW_ERR_INPUT, "dimension must be 2 or 3 (found %d)",
                        problem->dimension);
    }
    if (problem->contacts < 0 || w->rows != problem->contacts || w->block != problem->dimension) {
        return haw_fail(
            context, HAW_ERR_INPUT, "W has %d rows of %d x %d blocks, expected %d rows of %d x %d",
            w->rows, w->block, w->block, problem->contacts, problem->dimension, problem->dimension);
    }
    if (!isfinite(problem->scale) || problem->scale < 0.0) {
        return haw_fail(context, HAW_ERR_INPUT, "scale must be finite and at least 0 (found %g)",
                        problem->scale);
    }
    for (int c = 0; c < problem->contacts; c++) {
        HAW_TRY(check_row(context, w, c));
        HAW_TRY(check_blocks(context, w, c));
        HAW_TRY(check_vectors(context, problem, c));
    }
    return HAW_OK;
}
