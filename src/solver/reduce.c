/* SPDX-License-Identifier: BSD-3-Clause */
/* A global problem in local form, column by column of W. */
#include "solver/operator.h"

#include <limits.h>

static haw_status check_size(haw_context *context, const haw_problem *problem)
{
    const double n = problem->contacts;
    if (problem->global == NULL) {
        return haw_fail(context, HAW_ERR_ARG, "the problem is in local form already");
    }
    if (n * n * problem->dimension * problem->dimension > INT_MAX) {
        return haw_fail(context, HAW_ERR_ARG, "%d contacts are too many for a dense W",
                        problem->contacts);
    }
    return HAW_OK;
}

static void fill_pattern(haw_bsr *w)
{
    for (int c = 0; c < w->rows; ++c) {
        w->start[c + 1] = (c + 1) * w->rows;
        w->diagonal[c] = c * w->rows + c;
        for (int k = 0; k < w->rows; ++k) {
            w->column[c * w->rows + k] = k;
        }
    }
}

/* Column `index` of W into the blocks. */
static void fill_column(haw_bsr *w, int index, const double *u)
{
    const int d = w->block;
    for (int c = 0; c < w->rows; ++c) {
        double *block = w->value + ((ptrdiff_t)c * w->rows + index / d) * d * d;
        for (int a = 0; a < d; ++a) {
            block[a * d + index % d] = u[c * d + a];
        }
    }
}

static haw_status fill(haw_arena *arena, const haw_operator *op, haw_problem *local)
{
    const int rows = local->contacts * local->dimension;
    double *r = haw_arena_allocate(arena, (size_t)rows, sizeof(double));
    double *u = haw_arena_allocate(arena, (size_t)rows, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    fill_pattern(&local->w);
    for (int i = 0; i < rows; ++i) {
        r[i] = 1;
        haw_operator_multiply(op, r, u);
        r[i] = 0;
        fill_column(&local->w, i, u);
        local->q[i] = op->q[i];
    }
    for (int c = 0; c < local->contacts; ++c) {
        local->mu[c] = op->problem->mu[c];
    }
    local->scale = op->problem->scale;
    return HAW_OK;
}

static haw_status reduce(haw_arena *arena, const haw_problem *problem, haw_problem **local)
{
    const int n = problem->contacts;
    const haw_problem_size size = {.dimension = problem->dimension, .contacts = n, .blocks = n * n};
    haw_operator op;
    HAW_TRY(haw_operator_create(arena, problem, &op));
    haw_status status = haw_problem_create(arena->context, &size, local);
    if (status == HAW_OK) {
        status = fill(arena, &op, *local);
    }
    haw_operator_release(&op);
    if (status != HAW_OK) {
        haw_problem_free(arena->context, *local);
        *local = NULL;
    }
    return status;
}

haw_status haw_problem_reduce(haw_context *context, const haw_problem *problem, haw_problem **local)
{
    *local = NULL;
    HAW_TRY(check_size(context, problem));
    haw_arena arena;
    haw_arena_init(&arena, context);
    const haw_status status = reduce(&arena, problem, local);
    haw_arena_fini(&arena);
    return status;
}
