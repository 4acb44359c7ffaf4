/* SPDX-License-Identifier: BSD-3-Clause */
/* What every solver may rely on, checked once where a problem enters from outside. */
#include "base/status.h"

#include <hawser/problem.h>

#include <limits.h>
#include <math.h>

static haw_status check_start(haw_context *context, const char *name, const int *start, int rows)
{
    if (rows > 0 && start[0] != 0) {
        return haw_fail(context, HAW_ERR_INPUT, "%s: rows must begin at 0 (found %d)", name,
                        start[0]);
    }
    for (int i = 0; i < rows; i++) {
        if (start[i + 1] < start[i]) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "%s, row %d: ends at %d, before it begins at %d", name, i, start[i + 1],
                            start[i]);
        }
    }
    return HAW_OK;
}

static haw_status check_columns(haw_context *context, const char *name, int rows, int columns,
                                const int *start, const int *column)
{
    for (int i = 0; i < rows; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            const int previous = k > start[i] ? column[k - 1] : -1;

            if (column[k] <= previous || column[k] >= columns) {
                return haw_fail(context, HAW_ERR_INPUT,
                                "%s, row %d: columns must ascend within 0 ... %d (found %d after "
                                "%d)",
                                name, i, columns - 1, column[k], previous);
            }
        }
    }
    return HAW_OK;
}

static haw_status check_blocks(haw_context *context, const haw_bsr *w, int c)
{
    const ptrdiff_t size = (ptrdiff_t)w->block * w->block;
    const int k = w->diagonal[c];

    if (w->start[c + 1] == w->start[c]) {
        return haw_fail(context, HAW_ERR_INPUT, "contact %d: row of W is empty", c);
    }
    if (k < w->start[c] || k >= w->start[c + 1] || w->column[k] != c) {
        return haw_fail(context, HAW_ERR_INPUT, "contact %d: W has no diagonal block", c);
    }
    for (ptrdiff_t i = size * w->start[c]; i < size * w->start[c + 1]; i++) {
        if (!isfinite(w->value[i])) {
            return haw_fail(context, HAW_ERR_INPUT, "contact %d: W contains %g", c, w->value[i]);
        }
    }
    const double *diagonal = w->value + size * k;

    double trace = 0.0;
    for (ptrdiff_t i = 0; i < size; i += w->block + 1) {
        if (!(diagonal[i] >= 0.0)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "contact %d: diagonal of W must not be negative (found %g)", c,
                            diagonal[i]);
        }
        trace += diagonal[i];
    }
    if (!(trace > 0.0)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "contact %d: diagonal of W is zero: nothing moves at this contact", c);
    }
    return HAW_OK;
}

static haw_status check_friction(haw_context *context, const haw_problem *problem)
{
    for (int c = 0; c < problem->contacts; c++) {
        if (!isfinite(problem->mu[c]) || problem->mu[c] < 0.0) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "contact %d: friction must be finite and at least 0 (found %g)", c,
                            problem->mu[c]);
        }
    }
    return HAW_OK;
}

static haw_status check_vector(haw_context *context, const char *name, int count, const double *x)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return haw_fail(context, HAW_ERR_INPUT, "%s[%d] is %g", name, i, x[i]);
        }
    }
    return HAW_OK;
}

/* Rows and entries are counted with an int, everywhere. */
static haw_status check_count(haw_context *context, const char *name, double count)
{
    return count <= INT_MAX ? HAW_OK
                            : haw_fail(context, HAW_ERR_INPUT, "%.0f %s are too many", count, name);
}

static haw_status check_local(haw_context *context, const haw_problem *problem)
{
    const haw_bsr *w = &problem->w;
    const int d = problem->dimension;

    if (w->rows != problem->contacts || w->block != d) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "W has %d rows of %d x %d blocks, expected %d rows of %d x %d", w->rows,
                        w->block, w->block, problem->contacts, d, d);
    }
    if (w->rows > 0) {
        HAW_TRY(check_start(context, "W", w->start, w->rows));
        HAW_TRY(check_count(context, "numbers of W", (double)w->start[w->rows] * d * d));
        HAW_TRY(check_columns(context, "W", w->rows, w->rows, w->start, w->column));
    }
    for (int c = 0; c < problem->contacts; c++) {
        HAW_TRY(check_blocks(context, w, c));
    }
    return check_vector(context, "q", d * problem->contacts, problem->q);
}

static haw_status check_matrix(haw_context *context, const char *name, const haw_csr *a, int rows,
                               int columns)
{
    if (a->rows != rows || a->columns != columns) {
        return haw_fail(context, HAW_ERR_INPUT, "%s is %d x %d, expected %d x %d", name, a->rows,
                        a->columns, rows, columns);
    }
    HAW_TRY(check_start(context, name, a->start, rows));
    HAW_TRY(check_columns(context, name, rows, columns, a->start, a->column));
    return check_vector(context, name, rows > 0 ? a->start[rows] : 0, a->value);
}

/* A contact whose columns of H are zero has W_cc = 0: no step of any solver is defined there. */
static haw_status check_contacts(haw_context *context, const haw_problem *problem)
{
    const haw_csr *ht = &problem->global->ht;
    const int d = problem->dimension;

    for (int c = 0; c < problem->contacts; c++) {
        double sum = 0.0;

        for (int k = ht->start[d * c]; k < ht->start[d * (c + 1)]; k++) {
            sum += fabs(ht->value[k]);
        }
        if (sum == 0.0) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "contact %d: its columns of H are zero: nothing moves at this contact",
                            c);
        }
    }
    return HAW_OK;
}

static haw_status check_global(haw_context *context, const haw_problem *problem)
{
    const haw_global *g = problem->global;
    const int rows = problem->dimension * problem->contacts, nv = g->m.rows;

    if (nv < 1 || g->gt.rows < 0) {
        return haw_fail(context, HAW_ERR_INPUT, "%d velocities and %d bilateral rows", nv,
                        g->gt.rows);
    }
    HAW_TRY(check_count(context, "rows of M, H^T and G^T", (double)nv + rows + g->gt.rows));
    HAW_TRY(check_matrix(context, "M", &g->m, nv, nv));
    HAW_TRY(check_matrix(context, "H^T", &g->ht, rows, nv));
    HAW_TRY(check_matrix(context, "G^T", &g->gt, g->gt.rows, nv));
    HAW_TRY(check_vector(context, "f", nv, g->f));
    HAW_TRY(check_vector(context, "w", rows, g->w));
    HAW_TRY(check_vector(context, "b", g->gt.rows, g->b));
    return check_contacts(context, problem);
}

haw_status haw_problem_check(haw_context *context, const haw_problem *problem)
{
    if (problem->dimension != 2 && problem->dimension != 3) {
        return haw_fail(context, HAW_ERR_INPUT, "dimension must be 2 or 3 (found %d)",
                        problem->dimension);
    }
    if (problem->contacts < 0) {
        return haw_fail(context, HAW_ERR_INPUT, "contacts must not be negative (found %d)",
                        problem->contacts);
    }
    HAW_TRY(check_count(context, "contact rows", (double)problem->dimension * problem->contacts));
    if (!isfinite(problem->scale) || problem->scale < 0.0) {
        return haw_fail(context, HAW_ERR_INPUT, "scale must be finite and at least 0 (found %g)",
                        problem->scale);
    }
    HAW_TRY(check_friction(context, problem));
    return problem->global != NULL ? check_global(context, problem) : check_local(context, problem);
}
