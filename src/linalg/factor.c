/* SPDX-License-Identifier: BSD-3-Clause */
/* The face of the factorizations: checks of kind and shape, then the band or CHOLMOD. */
#include "linalg/factor.h"

#include "linalg/factor_kinds.h"

#include <math.h>

static haw_status create(haw_context *context, haw_factor **factor)
{
    *factor = haw_allocate(context, 1, sizeof **factor);
    if (*factor == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*factor)->context = context;
    haw_arena_init(&(*factor)->arena, context);
    return HAW_OK;
}

haw_status haw_factor_create_band(haw_context *context, int n, int width, int copies,
                                  haw_factor **factor)
{
    *factor = NULL;
    haw_factor *made = NULL;
    HAW_TRY(create(context, &made));
    const haw_status status = haw_band_factor_init(&made->arena, n, width, copies, &made->band);
    if (status != HAW_OK) {
        haw_factor_free(made);
        return status;
    }
    *factor = made;
    return HAW_OK;
}

haw_status haw_factor_create_sparse(haw_context *context, const haw_sparse *pattern,
                                    haw_factor **factor)
{
    *factor = NULL;
    haw_factor *made = NULL;
    HAW_TRY(create(context, &made));
    const haw_status status = haw_sparse_factor_create(context, pattern, &made->sparse);
    if (status != HAW_OK) {
        haw_factor_free(made);
        return status;
    }
    *factor = made;
    return HAW_OK;
}

haw_status haw_factor_band(haw_factor *factor, const haw_band *matrix)
{
    const haw_band_factor *band = &factor->band;
    factor->is_ready = false;
    if (factor->sparse != NULL || matrix->n != band->n || matrix->width != band->width ||
        matrix->copies != band->copies) {
        return haw_fail(factor->context, HAW_ERR_ARG,
                        "band matrix does not have the shape of its factorization");
    }
    HAW_TRY(haw_band_factor_compute(factor->context, &factor->band, matrix));
    factor->is_ready = true;
    return HAW_OK;
}

haw_status haw_factor_sparse(haw_factor *factor, const haw_sparse *matrix)
{
    factor->is_ready = false;
    if (factor->sparse == NULL || matrix->n != haw_sparse_factor_rows(factor->sparse)) {
        return haw_fail(factor->context, HAW_ERR_ARG,
                        "sparse matrix does not have the shape of its factorization");
    }
    HAW_TRY(haw_sparse_factor_compute(factor->context, factor->sparse, matrix));
    factor->is_ready = true;
    return HAW_OK;
}

/* A solve has no status: what cannot be solved becomes NaN, never a plausible number. */
static void poison(size_t values, double *x)
{
    for (size_t i = 0; i < values; ++i) {
        x[i] = (double)NAN;
    }
}

void haw_factor_solve(const haw_factor *factor, int columns, int first, double *x)
{
    if (factor->is_ready && factor->sparse == NULL) {
        haw_band_factor_solve(&factor->band, columns, first, x);
    } else if (!factor->is_ready || !haw_sparse_factor_solve(factor->sparse, columns, x)) {
        const int rows = factor->sparse != NULL ? haw_sparse_factor_rows(factor->sparse)
                                                : factor->band.n * factor->band.copies;
        poison((size_t)rows * (size_t)columns, x);
    }
}

void haw_factor_solve_window(haw_factor *factor, int columns, int first, int count, double *x)
{
    haw_band_factor *band = &factor->band;
    const bool fits = factor->sparse == NULL && first >= 0 && count >= band->width && count >= 1 &&
                      first <= band->n - count;
    if (factor->is_ready && fits) {
        haw_band_factor_window(band, columns, first, count, x);
    } else {
        const int copies = factor->sparse != NULL ? 1 : band->copies;
        poison((size_t)count * (size_t)copies * (size_t)columns, x);
    }
}

const double *haw_factor_inverse_band(haw_factor *factor)
{
    if (!factor->is_ready || factor->sparse != NULL) {
        return NULL;
    }
    haw_band_factor_select(&factor->band, 0);
    return factor->band.selected;
}

haw_status haw_factor_gram(haw_factor *factor, const haw_factor_rows *rows, double *gram)
{
    if (!factor->is_ready || factor->sparse == NULL) {
        return haw_fail(factor->context, HAW_ERR_ARG, "no sparse factorization to take a Gram of");
    }
    return haw_sparse_factor_gram(factor->context, factor->sparse, rows, gram);
}

double haw_factor_margin(const haw_factor *factor, const double *diagonal)
{
    if (factor->sparse != NULL) {
        return haw_sparse_factor_margin(factor->sparse, diagonal);
    }
    double margin = (double)INFINITY;
    for (int j = 0; j < factor->band.n; ++j) {
        margin = fmin(margin, 1 / (factor->band.inverse[j] * diagonal[j]));
    }
    return margin;
}

int haw_factor_width(const haw_factor *factor)
{
    return factor->sparse == NULL ? factor->band.width : -1;
}

double haw_factor_entries(const haw_factor *factor)
{
    return factor->sparse != NULL ? haw_sparse_factor_entries(factor->sparse)
                                  : (double)factor->band.n * (factor->band.width + 1.0);
}

void haw_factor_free(haw_factor *factor)
{
    if (factor != NULL) {
        haw_sparse_factor_free(factor->context, factor->sparse);
        haw_arena_fini(&factor->arena);
        haw_release(factor->context, factor);
    }
}
