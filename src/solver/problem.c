/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a contact problem: one arena behind the struct that the caller sees. */
#include "base/arena.h"

#include <hawser/problem.h>

#include <limits.h>

typedef struct owned {
    haw_problem problem; /* first: haw_problem_free casts back */
    haw_arena arena;
} owned;

static haw_status take_csr(haw_arena *arena, int rows, int columns, int count, haw_csr *a)
{
    *a = (haw_csr){.rows = rows, .columns = columns};
    a->start = haw_arena_allocate(arena, (size_t)rows + 1, sizeof *a->start);
    a->column = haw_arena_allocate(arena, (size_t)count, sizeof *a->column);
    a->value = haw_arena_allocate(arena, (size_t)count, sizeof *a->value);
    return haw_arena_status(arena);
}

static double *take_doubles(haw_arena *arena, int count)
{
    return haw_arena_allocate(arena, (size_t)count, sizeof(double));
}

/* W last, for it is large: the small arrays before it share a block of the arena. */
static haw_status take_local(haw_arena *arena, const haw_problem_size *size, haw_problem *problem)
{
    const int n = size->contacts, d = size->dimension;
    haw_bsr *w = &problem->w;

    w->start = haw_arena_allocate(arena, (size_t)n + 1, sizeof *w->start);
    w->column = haw_arena_allocate(arena, (size_t)size->blocks, sizeof *w->column);
    w->diagonal = haw_arena_allocate(arena, (size_t)n, sizeof *w->diagonal);
    problem->q = take_doubles(arena, n * d);
    w->value = haw_arena_allocate(arena, (size_t)size->blocks, (size_t)(d * d) * sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    w->block = d;
    w->rows = n;
    return HAW_OK;
}

static haw_status take_global(haw_arena *arena, const haw_problem_size *size, haw_problem *problem)
{
    const int rows = size->contacts * size->dimension, nv = size->velocities;
    haw_global *g = haw_arena_allocate(arena, 1, sizeof *g);

    problem->global = g;
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(take_csr(arena, nv, nv, size->m_count, &g->m));
    HAW_TRY(take_csr(arena, rows, nv, size->h_count, &g->ht));
    HAW_TRY(take_csr(arena, size->bilateral, nv, size->g_count, &g->gt));
    g->f = take_doubles(arena, nv);
    g->w = take_doubles(arena, rows);
    g->b = take_doubles(arena, size->bilateral);
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
    made->problem.mu = take_doubles(&made->arena, size->contacts);
    const haw_status status = size->velocities > 0 ? take_global(&made->arena, size, &made->problem)
                                                   : take_local(&made->arena, size, &made->problem);

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
