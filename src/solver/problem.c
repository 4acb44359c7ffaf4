/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a contact problem, one arena behind the struct that the caller sees; and a global
 * problem in local form. */
#include "linalg/csr.h"
#include "solver/operator.h"

#include <limits.h>

typedef struct owned {
    haw_problem problem; /* first: haw_problem_free casts back */
    haw_arena arena;
} owned;

static double *allocate_doubles(haw_arena *arena, int count)
{
    return haw_arena_allocate(arena, (size_t)count, sizeof(double));
}

/* W last, for it is large: the small arrays before it share a block of the arena. */
static haw_status allocate_local(haw_arena *arena, const haw_problem_size *size,
                                 haw_problem *problem)
{
    const int n = size->contacts, d = size->dimension;
    haw_bsr *w = &problem->w;

    w->start = haw_arena_allocate(arena, (size_t)n + 1, sizeof *w->start);
    w->column = haw_arena_allocate(arena, (size_t)size->blocks, sizeof *w->column);
    w->diagonal = haw_arena_allocate(arena, (size_t)n, sizeof *w->diagonal);
    problem->q = allocate_doubles(arena, n * d);
    w->value = haw_arena_allocate(arena, (size_t)size->blocks, (size_t)(d * d) * sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    w->block = d;
    w->rows = n;
    return HAW_OK;
}

static haw_status allocate_global(haw_arena *arena, const haw_problem_size *size,
                                  haw_problem *problem)
{
    const int rows = size->contacts * size->dimension, nv = size->velocities;
    haw_global *g = haw_arena_allocate(arena, 1, sizeof *g);

    problem->global = g;
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(haw_csr_create(arena, nv, nv, size->m_count, true, &g->m));
    HAW_TRY(haw_csr_create(arena, rows, nv, size->h_count, true, &g->ht));
    HAW_TRY(haw_csr_create(arena, size->bilateral, nv, size->g_count, true, &g->gt));
    g->f = allocate_doubles(arena, nv);
    g->w = allocate_doubles(arena, rows);
    g->b = allocate_doubles(arena, size->bilateral);
    return haw_arena_status(arena);
}

/* No size negative, and rows and entries within what an int counts. */
static haw_status check_size(haw_context *context, const haw_problem_size *size)
{
    const double d = size->dimension, rows = d * size->contacts, numbers = d * d * size->blocks;

    const struct {
        const char *name;
        int value;
    } sizes[] = {
        {"contacts", size->contacts},     {"blocks", size->blocks},
        {"velocities", size->velocities}, {"bilateral", size->bilateral},
        {"m_count", size->m_count},       {"h_count", size->h_count},
        {"g_count", size->g_count},
    };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].value < 0) {
            return haw_fail(context, HAW_ERR_ARG, "%s must not be negative (found %d)",
                            sizes[i].name, sizes[i].value);
        }
    }
    if (size->dimension != 2 && size->dimension != 3) {
        return haw_fail(context, HAW_ERR_ARG, "dimension must be 2 or 3 (found %d)",
                        size->dimension);
    }
    if (rows + size->velocities + size->bilateral > INT_MAX || numbers > INT_MAX) {
        return haw_fail(context, HAW_ERR_ARG, "a problem of %d contacts and %d blocks is too large",
                        size->contacts, size->blocks);
    }
    return HAW_OK;
}

haw_status haw_problem_create(haw_context *context, const haw_problem_size *size,
                              haw_problem **problem)
{
    *problem = NULL;
    HAW_TRY(check_size(context, size));
    owned *made = haw_allocate(context, 1, sizeof *made);

    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_arena_init(&made->arena, context);
    made->problem.dimension = size->dimension;
    made->problem.contacts = size->contacts;
    made->problem.mu = allocate_doubles(&made->arena, size->contacts);
    const haw_status status = size->velocities > 0
                                  ? allocate_global(&made->arena, size, &made->problem)
                                  : allocate_local(&made->arena, size, &made->problem);

    if (status != HAW_OK) {
        haw_problem_free(context, &made->problem);
        return status;
    }
    *problem = &made->problem;
    return HAW_OK;
}

void haw_problem_free(haw_context *context, haw_problem *problem)
{
    if (problem != NULL) {
        owned *made = (owned *)problem;

        haw_arena_fini(&made->arena);
        haw_release(context, made);
    }
}

/* ---- a global problem in local form ---- */

/* All blocks of W, column by column of W. */
static haw_status fill(haw_arena *arena, const haw_operator *op, haw_problem *local)
{
    const int n = local->contacts, d = local->dimension, rows = n * d;
    haw_bsr *w = &local->w;
    double *r = haw_arena_allocate(arena, (size_t)rows, sizeof(double));
    double *u = haw_arena_allocate(arena, (size_t)rows, sizeof(double));

    HAW_TRY(haw_arena_status(arena));
    for (int c = 0; c < n; c++) {
        w->start[c + 1] = (c + 1) * n;
        w->diagonal[c] = c * n + c;
        for (int k = 0; k < n; k++) {
            w->column[c * n + k] = k;
        }
        local->mu[c] = op->problem->mu[c];
    }
    for (int i = 0; i < rows; i++) {
        r[i] = 1.0;
        haw_operator_multiply(op, r, u);
        r[i] = 0.0;
        for (int row = 0; row < rows; row++) {
            double *block = w->value + ((ptrdiff_t)row / d * n + i / d) * d * d;

            block[row % d * d + i % d] = u[row];
        }
        local->q[i] = op->q[i];
    }
    local->scale = op->problem->scale;
    return HAW_OK;
}

haw_status haw_problem_reduce(haw_context *context, const haw_problem *problem, haw_problem **local)
{
    const int n = problem->contacts, d = problem->dimension;
    haw_arena arena;
    haw_operator op;

    *local = NULL;
    if (problem->global == NULL) {
        return haw_fail(context, HAW_ERR_ARG, "the problem is in local form already");
    }
    if ((double)n * n * d * d > INT_MAX) {
        return haw_fail(context, HAW_ERR_ARG, "%d contacts are too many for a dense W", n);
    }
    const haw_problem_size size = {.dimension = d, .contacts = n, .blocks = n * n};

    haw_arena_init(&arena, context);
    haw_status status = haw_operator_create(&arena, problem, &op);

    if (status == HAW_OK) {
        status = haw_problem_create(context, &size, local);
        if (status == HAW_OK) {
            status = fill(&arena, &op, *local);
        }
        haw_operator_release(&op);
    }
    haw_arena_fini(&arena);
    if (status != HAW_OK) {
        haw_problem_free(context, *local);
        *local = NULL;
    }
    return status;
}
