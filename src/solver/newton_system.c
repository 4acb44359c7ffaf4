/* SPDX-License-Identifier: BSD-3-Clause */
/* The linear systems of Newton steps: order of the unknowns, pattern, values, solution. */
#include "solver/newton_system.h"

#include "base/status.h"
#include "linalg/csr.h"
#include "solver/block_lu.h"
#include "solver/mobility.h"
#include "solver/task.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the matrix of the global form: order of the unknowns, pattern, constant part ---- */

/* Where an entry in the rows of a contact comes from, unless it is a column of B. */
enum { FROM_VELOCITY = -1 };

typedef struct newton_pattern {
    haw_csr matrix; /* rows of the contacts zero, all others final */
    int *place;     /* [nv + n d + p] place in the matrix of the unknowns v, s, l */

    /* The d rows of contact c have the same columns, described once: a row i of them has the value
     * sum_j a_ij velocity_j + (source is not FROM_VELOCITY) b_i,source. */
    int *first;       /* [n + 1] of the entries of contact c */
    int *source;      /* [first[n]] */
    double *velocity; /* [first[n]][d] a column of the d rows of H^T */
} newton_pattern;

typedef struct builder {
    haw_task *task;
    const haw_global *g;
    const double *w;
    double mean;
    int n, d, nv, p;
    haw_csr h, gmat; /* H and G by rows */
    newton_pattern *out;
} builder;

/* ---- the order of the unknowns ---- */

typedef struct sort_key {
    int column, kind, index; /* last velocity touched; 0 velocity, 1 contact, 2 bilateral row */
} sort_key;

static int by_key(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;

    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return a->index < b->index ? -1 : a->index > b->index;
}

static int last_column(const haw_csr *rows, int first, int last)
{
    int column = 0;

    for (int k = rows->start[first]; k < rows->start[last]; k++) {
        column = rows->column[k] > column ? rows->column[k] : column;
    }
    return column;
}

/* Contact and bilateral unknowns behind the last velocity they touch. */
static haw_status order_unknowns(builder *b)
{
    const int rows = b->n * b->d, size = b->nv + rows + b->p;
    sort_key *keys = haw_arena_allocate(b->task->arena, (size_t)size, sizeof *keys);

    b->out->place = haw_arena_allocate(b->task->arena, (size_t)size, sizeof *b->out->place);
    HAW_TRY(haw_arena_status(b->task->arena));
    for (int i = 0; i < size; i++) {
        const int row = i - b->nv;

        if (row < 0) {
            keys[i] = (sort_key){i, 0, i};
        } else if (row < rows) {
            const int first = row / b->d * b->d;

            keys[i] = (sort_key){last_column(&b->g->ht, first, first + b->d), 1, i};
        } else {
            keys[i] = (sort_key){last_column(&b->g->gt, row - rows, row - rows + 1), 2, i};
        }
    }
    qsort(keys, (size_t)size, sizeof *keys, by_key);
    for (int i = 0; i < size; i++) {
        b->out->place[keys[i].index] = i;
    }
    return HAW_OK;
}

/* ---- the rows of the contacts ---- */

typedef struct entry {
    int column, source;
    double velocity[3];
} entry;

static int by_column(const void *left, const void *right)
{
    const entry *a = left, *b = right;

    return a->column < b->column ? -1 : a->column > b->column;
}

/* All entries of the d rows of a contact by column, equal columns joined. @return how many */
static int gather(const builder *b, int c, entry *entries)
{
    const haw_csr *ht = &b->g->ht;
    int count = 0, joined = 0;

    for (int i = 0; i < b->d; i++) {
        const int row = c * b->d + i;

        entries[count++] = (entry){.column = b->out->place[b->nv + row], .source = i};
        for (int k = ht->start[row]; k < ht->start[row + 1]; k++) {
            entry *e = &entries[count++];

            *e = (entry){b->out->place[ht->column[k]], FROM_VELOCITY, {0.0}};
            e->velocity[i] = ht->value[k];
        }
    }
    qsort(entries, (size_t)count, sizeof *entries, by_column);
    for (int k = 1; k < count; k++) {
        if (entries[k].column != entries[joined].column) {
            entries[++joined] = entries[k];
            continue;
        }
        for (int i = 0; i < b->d; i++) {
            entries[joined].velocity[i] += entries[k].velocity[i];
        }
    }
    return joined + 1;
}

/* @param column  [entries] out: place of each entry's column */
static haw_status gather_contacts(builder *b, int **column)
{
    const int d = b->d;
    const size_t room = (size_t)b->g->ht.start[b->n * d] + (size_t)b->n * (size_t)d;
    haw_arena *arena = b->task->arena;
    newton_pattern *out = b->out;
    entry *entries = haw_arena_allocate(arena, room, sizeof *entries);

    *column = haw_arena_allocate(arena, room, sizeof **column);
    out->first = haw_arena_allocate(arena, (size_t)b->n + 1, sizeof *out->first);
    out->source = haw_arena_allocate(arena, room, sizeof *out->source);
    out->velocity = haw_arena_allocate(arena, room, (size_t)d * sizeof *out->velocity);
    HAW_TRY(haw_arena_status(arena));
    for (int c = 0; c < b->n; c++) {
        const int count = gather(b, c, entries), at = out->first[c];

        for (int k = 0; k < count; k++) {
            (*column)[at + k] = entries[k].column;
            out->source[at + k] = entries[k].source;
            memcpy(out->velocity + (ptrdiff_t)d * (at + k), entries[k].velocity,
                   (size_t)d * sizeof *out->velocity);
        }
        out->first[c + 1] = at + count;
    }
    return HAW_OK;
}

/* ---- the matrix ---- */

typedef struct term {
    int column;
    double value;
} term;

static int by_term(const void *left, const void *right)
{
    const term *a = left, *b = right;

    return a->column < b->column ? -1 : a->column > b->column;
}

/* One row of [M/m, -H/(m w), -G S/m] by column. @return how many entries */
static int mass_row(const builder *b, int i, term *terms)
{
    const haw_csr *m = &b->g->m, *h = &b->h, *g = &b->gmat;
    const int *place = b->out->place, rows = b->n * b->d;
    int count = 0;

    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
        terms[count++] = (term){place[m->column[k]], m->value[k] * b->mean};
    }
    for (int k = h->start[i]; k < h->start[i + 1]; k++) {
        const double scale = b->mean / b->w[h->column[k] / b->d];

        terms[count++] = (term){place[b->nv + h->column[k]], -h->value[k] * scale};
    }
    for (int k = 0; b->p > 0 && k < g->start[i + 1] - g->start[i]; k++) {
        const int at = g->start[i] + k;
        const double scale = b->mean * b->task->op.mobility->scale[g->column[at]];

        terms[count++] = (term){place[b->nv + rows + g->column[at]], -g->value[at] * scale};
    }
    qsort(terms, (size_t)count, sizeof *terms, by_term);
    return count;
}

static int bilateral_row(const builder *b, int i, term *terms)
{
    const haw_csr *gt = &b->g->gt;
    int count = 0;

    for (int k = gt->start[i]; k < gt->start[i + 1]; k++) {
        terms[count++] = (term){b->out->place[gt->column[k]], gt->value[k]};
    }
    qsort(terms, (size_t)count, sizeof *terms, by_term);
    return count;
}

/* Entries of row `i` (an unknown of v, s or l) into the matrix, from `at` on. @return the end */
static int fill_row(const builder *b, const int *contact_column, int i, term *terms, int at)
{
    haw_csr *matrix = &b->out->matrix;
    const int row = i - b->nv, rows = b->n * b->d;

    if (row >= 0 && row < rows) {
        const int c = row / b->d;

        for (int k = b->out->first[c]; k < b->out->first[c + 1]; k++) {
            matrix->column[at++] = contact_column[k];
        }
        return at;
    }
    const int count = row < 0 ? mass_row(b, i, terms) : bilateral_row(b, row - rows, terms);

    for (int k = 0; k < count; k++) {
        matrix->column[at] = terms[k].column;
        matrix->value[at++] = terms[k].value;
    }
    return at;
}

/* Entries of the rows of velocities and of bilateral constraints. */
static ptrdiff_t entries_beside_contacts(const builder *b)
{
    const haw_global *g = b->g;

    return (ptrdiff_t)g->m.start[b->nv] + g->ht.start[b->n * b->d] +
           (b->p > 0 ? (ptrdiff_t)2 * g->gt.start[b->p] : 0);
}

static haw_status fill_matrix(const builder *b, const int *contact_column)
{
    const int rows = b->n * b->d, size = b->nv + rows + b->p;
    const ptrdiff_t constant = entries_beside_contacts(b);
    haw_arena *arena = b->task->arena;
    int *unknown = haw_arena_allocate(arena, (size_t)size, sizeof *unknown), at = 0;
    term *terms = haw_arena_allocate(arena, (size_t)constant, sizeof *terms);

    HAW_TRY(haw_csr_create(arena, size, size, constant + (ptrdiff_t)b->d * b->out->first[b->n],
                           true, &b->out->matrix));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < size; i++) {
        unknown[b->out->place[i]] = i;
    }
    for (int k = 0; k < size; k++) {
        at = fill_row(b, contact_column, unknown[k], terms, at);
        b->out->matrix.start[k + 1] = at;
    }
    return HAW_OK;
}

/* Entries are counted with an int, those of the contacts before equal columns are joined. */
static haw_status check_size(const builder *b)
{
    const int rows = b->n * b->d;
    const double contacts = b->d * ((double)b->g->ht.start[rows] + rows);
    const double count = (double)entries_beside_contacts(b) + contacts;

    return count <= INT_MAX ? HAW_OK
                            : haw_fail(b->task->context, HAW_ERR_INPUT,
                                       "newton: the problem is too large (a matrix of %.3g "
                                       "entries)",
                                       count);
}

/* @param w  [n] w_c; @param mean  of w */
static haw_status create_pattern(haw_task *task, const double *w, double mean,
                                 newton_pattern *pattern)
{
    const haw_problem *problem = task->problem;
    builder b = {
        .task = task,
        .g = problem->global,
        .w = w,
        .mean = mean,
        .n = problem->contacts,
        .d = problem->dimension,
        .nv = problem->global->m.rows,
        .p = problem->global->gt.rows,
        .out = pattern,
    };
    int *contact_column = NULL;

    *pattern = (newton_pattern){0};
    HAW_TRY(check_size(&b));
    HAW_TRY(haw_csr_transpose(task->arena, &b.g->ht, &b.h));
    if (b.p > 0) {
        HAW_TRY(haw_csr_transpose(task->arena, &b.g->gt, &b.gmat));
    }
    HAW_TRY(order_unknowns(&b));
    HAW_TRY(gather_contacts(&b, &contact_column));
    return fill_matrix(&b, contact_column);
}

/* ---- the system ---- */

struct haw_newton_system {
    haw_task *task;
    const double *w;
    int n, d;
    haw_block_lu local;     /* local form */
    newton_pattern pattern; /* global form */
    haw_lu *lu;
    int size;   /* unknowns */
    double *x;  /* [size] right-hand side and solution, in the order of the matrix */
    double *dv; /* global form: [nv] */
};

static haw_status create_local(haw_newton_system *s)
{
    const haw_status status = haw_block_lu_create(s->task->arena, &s->task->problem->w, &s->local);

    s->lu = s->local.lu;
    s->size = s->n * s->d;
    return status;
}

static haw_status create_global(haw_newton_system *s)
{
    double mean = 0.0;

    for (int c = 0; c < s->n; c++) {
        mean += s->w[c] / s->n;
    }
    s->dv = haw_task_doubles(s->task, (size_t)s->task->problem->global->m.rows);
    HAW_TRY(haw_arena_status(s->task->arena));
    HAW_TRY(create_pattern(s->task, s->w, mean, &s->pattern));
    s->size = s->pattern.matrix.rows;
    return haw_lu_create(s->task->arena, &s->pattern.matrix, &s->lu);
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
    const newton_pattern *p = &s->pattern;
    const int d = s->d, nv = s->task->problem->global->m.rows;

    for (int i = 0; i < d; i++) {
        double *row = p->matrix.value + p->matrix.start[p->place[nv + c * d + i]];

        for (int k = p->first[c]; k < p->first[c + 1]; k++) {
            const double *velocity = p->velocity + (ptrdiff_t)d * k;
            double sum = p->source[k] == FROM_VELOCITY ? 0.0 : b[d * i + p->source[k]];

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
    const haw_status status =
        local ? haw_block_lu_factor(&s->local) : haw_lu_factor(s->lu, s->pattern.matrix.value);

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
    const int *place = s->pattern.place, nv = global->m.rows, rows = s->n * s->d;

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
