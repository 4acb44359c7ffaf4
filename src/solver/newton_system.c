/* SPDX-License-Identifier: BSD-3-Clause */
/* The linear systems of Newton steps: order of the unknowns, pattern, values, solution. */
#include "solver/newton_system.h"

#include "base/status.h"
#include "linalg/csr.h"
#include "solver/block_lu.h"
#include "solver/mobility.h"
#include "solver/task.h"

#include <limits.h>
#include <string.h>

struct haw_newton_system {
    haw_task *task;
    const double *w;
    int n, d;
    haw_block_lu local; /* local form */
    haw_lu *lu;
    int size;  /* unknowns */
    double *x; /* [size] right-hand side and solution, in the order of the matrix */

    /* Global form. The d rows of contact c have the same columns, described once: a row i of them
     * has the value sum_j a_ij velocity_j + (source is not FROM_VELOCITY) b_i,source. */
    haw_csr matrix;   /* rows of the contacts zero, all others final */
    int *place;       /* [nv + n d + p] place in the matrix of the unknowns v, s, l */
    int *first;       /* [n + 1] of the entries of contact c */
    int *source;      /* [first[n]] */
    double *velocity; /* [first[n]][d] a column of the d rows of H^T */
    double *dv;       /* [nv] */
};

/* Where an entry in the rows of a contact comes from, unless it is a column of B. */
enum { FROM_VELOCITY = -1 };

/* ---- the matrix of the global form ---- */

static int last_column(const haw_csr *rows, int first, int last)
{
    int column = 0;

    for (int k = rows->start[first]; k < rows->start[last]; k++) {
        column = rows->column[k] > column ? rows->column[k] : column;
    }
    return column;
}

/* Contact and bilateral unknowns behind the last velocity they touch, in the order of their
 * numbers: a counting sort. */
static haw_status order_unknowns(haw_newton_system *s)
{
    const haw_global *g = s->task->problem->global;
    const int nv = g->m.rows, rows = s->n * s->d;
    int *next = haw_arena_allocate(s->task->arena, (size_t)nv + 1, sizeof *next);

    s->place = haw_arena_allocate(s->task->arena, (size_t)s->size, sizeof *s->place);
    HAW_TRY(haw_arena_status(s->task->arena));
    for (int i = 0; i < s->size; i++) {
        const int row = i - nv, contact = row / s->d * s->d;

        s->place[i] = row < 0      ? i
                      : row < rows ? last_column(&g->ht, contact, contact + s->d)
                                   : last_column(&g->gt, row - rows, row - rows + 1);
        next[s->place[i] + 1]++;
    }
    for (int v = 0; v < nv; v++) {
        next[v + 1] += next[v];
    }
    for (int i = 0; i < s->size; i++) {
        s->place[i] = next[s->place[i]]++;
    }
    return HAW_OK;
}

/* Room in the d rows of a contact, the same columns in each. */
static void collect_contact(const haw_newton_system *s, int c, haw_triplets *t)
{
    const haw_csr *ht = &s->task->problem->global->ht;
    const int *unknown = s->place + ht->columns;

    for (int i = s->d * c; i < s->d * (c + 1); i++) {
        for (int j = s->d * c; j < s->d * (c + 1); j++) {
            haw_triplets_add(t, unknown[i], unknown[j], 0.0);
            for (int k = ht->start[j]; k < ht->start[j + 1]; k++) {
                haw_triplets_add(t, unknown[i], s->place[ht->column[k]], 0.0);
            }
        }
    }
}

/* [M/m, -H/(m w), -G S/m] and G^T, and room for the rows of the contacts. @param mean  of w, 1/m */
static void collect(const haw_newton_system *s, double mean, haw_triplets *t)
{
    const haw_global *g = s->task->problem->global;
    const int nv = g->m.rows, rows = s->n * s->d, *place = s->place;

    for (int i = 0; i < nv; i++) {
        for (int k = g->m.start[i]; k < g->m.start[i + 1]; k++) {
            haw_triplets_add(t, place[i], place[g->m.column[k]], g->m.value[k] * mean);
        }
    }
    for (int i = 0; i < rows; i++) {
        const double scale = mean / s->w[i / s->d];

        for (int k = g->ht.start[i]; k < g->ht.start[i + 1]; k++) {
            haw_triplets_add(t, place[g->ht.column[k]], place[nv + i], -g->ht.value[k] * scale);
        }
    }
    for (int i = 0; i < g->gt.rows; i++) {
        const double scale = mean * s->task->op.mobility->scale[i];
        const int multiplier = place[nv + rows + i];

        for (int k = g->gt.start[i]; k < g->gt.start[i + 1]; k++) {
            haw_triplets_add(t, place[g->gt.column[k]], multiplier, -g->gt.value[k] * scale);
            haw_triplets_add(t, multiplier, place[g->gt.column[k]], g->gt.value[k]);
        }
    }
    for (int c = 0; c < s->n; c++) {
        collect_contact(s, c, t);
    }
}

/* What the entries of the rows of each contact are made of. */
static haw_status describe_contacts(haw_newton_system *s)
{
    const haw_csr *ht = &s->task->problem->global->ht;
    const int nv = ht->columns, d = s->d;
    haw_arena *arena = s->task->arena;
    int *unknown = haw_arena_allocate(arena, (size_t)s->size, sizeof *unknown);

    s->first = haw_arena_allocate(arena, (size_t)s->n + 1, sizeof *s->first);
    HAW_TRY(haw_arena_status(arena));
    for (int c = 0; c < s->n; c++) {
        const int *start = s->matrix.start + s->place[nv + c * d];

        s->first[c + 1] = s->first[c] + start[1] - start[0];
    }
    const size_t entries = (size_t)s->first[s->n];

    s->source = haw_arena_allocate(arena, entries, sizeof *s->source);
    s->velocity = haw_arena_allocate(arena, entries, (size_t)d * sizeof *s->velocity);
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < s->size; i++) {
        unknown[s->place[i]] = i;
    }
    for (int c = 0; c < s->n; c++) {
        const int *column = s->matrix.column + s->matrix.start[s->place[nv + c * d]];

        for (int k = s->first[c]; k < s->first[c + 1]; k++) {
            const int of = unknown[*column++];

            s->source[k] = of < nv ? FROM_VELOCITY : of - nv - c * d;
            for (int i = 0; i < d; i++) {
                const int at = haw_csr_find(ht, c * d + i, of);

                s->velocity[(ptrdiff_t)d * k + i] = at >= 0 ? ht->value[at] : 0.0;
            }
        }
    }
    return HAW_OK;
}

static haw_status create_global(haw_newton_system *s)
{
    const haw_global *g = s->task->problem->global;
    const int rows = s->n * s->d;
    const double contacts = s->d * ((double)g->ht.start[rows] + rows); /* equal columns apart */
    const double count = (double)g->m.start[g->m.rows] + g->ht.start[rows] + contacts +
                         (g->gt.rows > 0 ? 2.0 * g->gt.start[g->gt.rows] : 0.0);
    haw_arena *arena = s->task->arena;
    haw_triplets entries;
    double mean = 0.0;

    if (count > INT_MAX) {
        return haw_fail(s->task->context, HAW_ERR_INPUT,
                        "newton: the problem is too large (a matrix of %.3g entries)", count);
    }
    for (int c = 0; c < s->n; c++) {
        mean += s->w[c] / s->n;
    }
    s->size = g->m.rows + rows + g->gt.rows;
    s->dv = haw_task_doubles(s->task, (size_t)g->m.rows);
    HAW_TRY(order_unknowns(s));
    HAW_TRY(haw_triplets_create(arena, (ptrdiff_t)count, true, &entries));
    collect(s, mean, &entries);
    HAW_TRY(haw_triplets_compress(arena, &entries, s->size, s->size, &s->matrix));
    HAW_TRY(describe_contacts(s));
    return haw_lu_create(arena, &s->matrix, &s->lu);
}

/* ---- the system ---- */

static haw_status create_local(haw_newton_system *s)
{
    const haw_status status = haw_block_lu_create(s->task->arena, &s->task->problem->w, &s->local);

    s->lu = s->local.lu;
    s->size = s->n * s->d;
    return status;
}

haw_status haw_newton_system_create(haw_task *task, const double *w, haw_newton_system **system)
{
    haw_newton_system *s = haw_arena_allocate(task->arena, 1, sizeof *s);

    *system = NULL;
    HAW_TRY(haw_arena_status(task->arena));
    s->task = task;
    s->w = w;
    s->n = task->problem->contacts;
    s->d = task->problem->dimension;
    HAW_TRY(task->problem->global != NULL ? create_global(s) : create_local(s));
    s->x = haw_task_doubles(task, (size_t)s->size);
    if (haw_arena_status(task->arena) != HAW_OK) {
        haw_lu_release(s->lu);
        return HAW_ERR_NOMEM;
    }
    *system = s;
    return HAW_OK;
}

void haw_newton_system_release(haw_newton_system *system)
{
    if (system != NULL) {
        haw_lu_release(system->lu);
    }
}

/* The block a W_ck / w_k + b; b NULL: 0. */
static void make_block(const haw_newton_system *s, int k, const double *a, const double *b,
                       double block[9])
{
    const haw_bsr *w = &s->task->problem->w;
    const int d = s->d;
    const double *value = w->value + (ptrdiff_t)k * d * d, scale = 1.0 / s->w[w->column[k]];

    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            double sum = 0.0;

            for (int l = 0; l < d; l++) {
                sum += a[d * i + l] * value[d * l + j];
            }
            block[d * i + j] = sum * scale + (b != NULL ? b[d * i + j] : 0.0);
        }
    }
}

static void refresh_local(haw_newton_system *s, int c, const double *a, const double *b)
{
    const haw_bsr *w = &s->task->problem->w;

    for (int k = w->start[c]; k < w->start[c + 1]; k++) {
        double block[9];

        make_block(s, k, a, k == w->diagonal[c] ? b : NULL, block);
        haw_block_lu_put(&s->local, c, k, block);
    }
}

static void refresh_global(haw_newton_system *s, int c, const double *a, const double *b)
{
    const int d = s->d, nv = s->task->problem->global->m.rows;

    for (int i = 0; i < d; i++) {
        double *row = s->matrix.value + s->matrix.start[s->place[nv + c * d + i]];

        for (int k = s->first[c]; k < s->first[c + 1]; k++) {
            const double *velocity = s->velocity + (ptrdiff_t)d * k;
            double sum = s->source[k] == FROM_VELOCITY ? 0.0 : b[d * i + s->source[k]];

            for (int j = 0; j < d; j++) {
                sum += a[d * i + j] * velocity[j];
            }
            *row++ = sum;
        }
    }
}

haw_status haw_newton_system_factor(haw_newton_system *s, const double *a, const double *b)
{
    const bool local = s->task->problem->global == NULL;

    for (int c = 0; c < s->n; c++) {
        const ptrdiff_t own = (ptrdiff_t)c * s->d * s->d;

        if (local) {
            refresh_local(s, c, a + own, b + own);
        } else {
            refresh_global(s, c, a + own, b + own);
        }
    }
    s->task->effort.factorizations++;
    const haw_status status = haw_lu_factor(s->lu, local ? s->local.matrix.value : s->matrix.value);

    s->task->effort.newton_flops += haw_lu_factor_flops(s->lu);
    return status;
}

/* Local form: du = W dr is a product, for the open contacts have no row that would give it. */
static void solve_local(haw_newton_system *s, const double *g, double *dr, double *du)
{
    for (int i = 0; i < s->n * s->d; i++) {
        s->x[i] = -g[i];
    }
    haw_lu_solve(s->lu, s->x);
    for (int i = 0; i < s->n * s->d; i++) {
        dr[i] = s->x[i] / s->w[i / s->d];
    }
    haw_operator_multiply(&s->task->op, dr, du);
    s->task->effort.products++;
    s->task->effort.first_order_flops += s->task->op.flops;
}

static void solve_global(haw_newton_system *s, const double *g, double *dr, double *du)
{
    const haw_global *global = s->task->problem->global;
    const int *place = s->place, nv = global->m.rows, rows = s->n * s->d;

    memset(s->x, 0, (size_t)s->size * sizeof *s->x);
    for (int i = 0; i < rows; i++) {
        s->x[place[nv + i]] = -g[i];
    }
    haw_lu_solve(s->lu, s->x);
    for (int i = 0; i < nv; i++) {
        s->dv[i] = s->x[place[i]];
    }
    for (int i = 0; i < rows; i++) {
        dr[i] = s->x[place[nv + i]] / s->w[i / s->d];
        du[i] = 0.0;
    }
    haw_csr_add(&global->ht, 1.0, s->dv, du);
}

void haw_newton_system_solve(haw_newton_system *s, const double *g, double *dr, double *du)
{
    if (s->task->problem->global == NULL) {
        solve_local(s, g, dr, du);
    } else {
        solve_global(s, g, dr, du);
    }
    s->task->effort.newton_flops += haw_lu_solve_flops(s->lu);
}
