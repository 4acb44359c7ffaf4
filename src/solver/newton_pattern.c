/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/newton_pattern.h"

#include "base/status.h"
#include "linalg/csr.h"
#include "solver/mobility.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    haw_task *task;
    const haw_global *g;
    const double *w;
    double mean;
    int n, d, nv, p;
    haw_csr h, gmat; /* H and G by rows */
    haw_newton_pattern *out;
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
    if (keys == NULL || b->out->place == NULL) {
        return HAW_ERR_NOMEM;
    }
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

            *e = (entry){b->out->place[ht->column[k]], HAW_FROM_VELOCITY, {0.0}};
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
    haw_newton_pattern *out = b->out;
    entry *entries = haw_arena_allocate(arena, room, sizeof *entries);

    *column = haw_arena_allocate(arena, room, sizeof **column);
    out->first = haw_arena_allocate(arena, (size_t)b->n + 1, sizeof *out->first);
    out->source = haw_arena_allocate(arena, room, sizeof *out->source);
    out->velocity = haw_arena_allocate(arena, room, (size_t)d * sizeof *out->velocity);
    if (entries == NULL || *column == NULL || out->first == NULL || out->source == NULL ||
        out->velocity == NULL) {
        return HAW_ERR_NOMEM;
    }
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
    if (unknown == NULL || terms == NULL) {
        return HAW_ERR_NOMEM;
    }
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

haw_status haw_newton_pattern_create(haw_task *task, const double *w, double mean,
                                     haw_newton_pattern *pattern)
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

    *pattern = (haw_newton_pattern){0};
    HAW_TRY(check_size(&b));
    HAW_TRY(haw_csr_transpose(task->arena, &b.g->ht, &b.h));
    if (b.p > 0) {
        HAW_TRY(haw_csr_transpose(task->arena, &b.g->gt, &b.gmat));
    }
    HAW_TRY(order_unknowns(&b));
    HAW_TRY(gather_contacts(&b, &contact_column));
    return fill_matrix(&b, contact_column);
}
