/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/result.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multiroots.h>
#include <gsl/gsl_roots.h>
#include <string.h>

enum { ROWS_PER_BLOCK = 16, ITERATIONS_MAX = 300 };

static haw_status add_profile(haw_context *context, haw_theory_result *result,
                              const haw_quantity *row, double **value)
{
    if (result->count % ROWS_PER_BLOCK == 0) {
        const size_t used = (size_t)result->count;
        haw_quantity *larger = haw_allocate(context, used + ROWS_PER_BLOCK, sizeof *larger);
        if (larger == NULL) {
            return HAW_ERR_NOMEM;
        }
        if (used > 0) {
            memcpy(larger, result->quantity, used * sizeof *larger);
            haw_release(context, result->quantity);
        }
        result->quantity = larger;
    }
    *value = haw_allocate(context, (size_t)row->count, sizeof **value);
    if (*value == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_quantity *added = &result->quantity[result->count++];
    *added = *row;
    added->value = *value;
    return HAW_OK;
}

haw_status haw_result_profiles(haw_context *context, haw_theory_result *result, int rows,
                               const haw_quantity *row, double **value)
{
    for (int i = 0; i < rows; ++i) {
        HAW_TRY(add_profile(context, result, &row[i], &value[i]));
    }
    return HAW_OK;
}

haw_status haw_result_scalars(haw_context *context, haw_theory_result *result, int count,
                              const haw_scalar *scalar)
{
    for (int i = 0; i < count; ++i) {
        const haw_quantity row = {scalar[i].key, scalar[i].unit, scalar[i].help, 1, false, NULL};
        double *value = NULL;
        HAW_TRY(add_profile(context, result, &row, &value));
        *value = scalar[i].value;
    }
    return HAW_OK;
}

haw_status haw_result_finite(haw_context *context, haw_theory_result *result, int count,
                             const haw_scalar *scalar)
{
    for (int i = 0; i < count; ++i) {
        HAW_TRY(haw_result_scalars(context, result, isfinite(scalar[i].value) ? 1 : 0, &scalar[i]));
    }
    return HAW_OK;
}

void haw_result_text(haw_theory_result *result, const char *key, const char *help,
                     const char *value)
{
    assert(result->texts < HAW_THEORY_TEXTS_MAX);
    result->text[result->texts++] = (haw_theory_text){key, help, value};
}

haw_status haw_root_find(haw_context *context, haw_root_function function, void *data,
                         haw_bracket bracket, double *root)
{
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (solver == NULL) {
        return haw_fail(context, HAW_ERR_NOMEM, "out of memory for a root search");
    }
    gsl_function gsl = {function, data};
    int code = gsl_root_fsolver_set(solver, &gsl, bracket.low, bracket.high);
    code = code == GSL_SUCCESS ? GSL_CONTINUE : code;
    for (int i = 0; i < ITERATIONS_MAX && code == GSL_CONTINUE; ++i) {
        code = gsl_root_fsolver_iterate(solver);
        if (code == GSL_SUCCESS) {
            code = gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                          gsl_root_fsolver_x_upper(solver), 0, 4 * DBL_EPSILON);
        }
    }
    *root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    if (code != GSL_SUCCESS) {
        return haw_fail(context, HAW_ERR_ARG, "no solution between %.6g and %.6g: %s", bracket.low,
                        bracket.high, gsl_strerror(code));
    }
    return HAW_OK;
}

/* The solver's variables are 1 + x - start: it takes differences in steps relative to a variable,
 * which would vanish beside an unknown that is zero but for rounding. */
typedef struct roots {
    haw_roots_function function;
    void *data;
    double start[HAW_ROOTS_MAX];
} roots;

static int roots_value(const gsl_vector *z, void *data, gsl_vector *f)
{
    const roots *r = data;
    double x[HAW_ROOTS_MAX];
    for (size_t i = 0; i < z->size; ++i) {
        x[i] = r->start[i] + (gsl_vector_get(z, i) - 1);
    }
    r->function(x, f->data, r->data);
    for (size_t i = 0; i < f->size; ++i) {
        if (!isfinite(f->data[i])) {
            return GSL_EBADFUNC;
        }
    }
    return GSL_SUCCESS;
}

/* The best point of the iteration counts: at rounding, the method reports no progress. */
static double roots_largest(const gsl_multiroot_fsolver *solver)
{
    double largest = 0;
    for (size_t i = 0; i < solver->f->size; ++i) {
        largest = fmax(largest, fabs(gsl_vector_get(solver->f, i)));
    }
    return largest;
}

haw_status haw_roots_find(haw_context *context, haw_roots_function function, void *data, int count,
                          double *x)
{
    assert(count <= HAW_ROOTS_MAX);
    const size_t size = (size_t)count;
    double ones[HAW_ROOTS_MAX];
    roots r = {.function = function, .data = data};
    gsl_multiroot_function gsl = {roots_value, size, &r};
    gsl_vector_view start = gsl_vector_view_array(ones, size);
    gsl_multiroot_fsolver *solver =
        gsl_multiroot_fsolver_alloc(gsl_multiroot_fsolver_hybrids, size);
    if (solver == NULL) {
        return haw_fail(context, HAW_ERR_NOMEM, "out of memory for a root search");
    }
    for (size_t i = 0; i < size; ++i) {
        r.start[i] = x[i];
        ones[i] = 1;
    }
    int code = gsl_multiroot_fsolver_set(solver, &gsl, &start.vector);
    double largest = HUGE_VAL;
    for (int i = 0; i < ITERATIONS_MAX && code == GSL_SUCCESS && largest > 0; ++i) {
        code = gsl_multiroot_fsolver_iterate(solver);
        largest = roots_largest(solver);
    }
    for (size_t i = 0; i < size; ++i) {
        x[i] += gsl_vector_get(solver->x, i) - 1;
    }
    gsl_multiroot_fsolver_free(solver);
    if (!(largest <= 1e-10)) {
        return haw_fail(context, HAW_ERR_ARG, "no solution: the equations are off by %.3g",
                        largest);
    }
    return HAW_OK;
}
