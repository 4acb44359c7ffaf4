/* SPDX-License-Identifier: BSD-3-Clause */
/* Random global contact problems with dense copies of their matrices. */
#ifndef HAWSER_TESTS_GLOBAL_SAMPLE_H
#define HAWSER_TESTS_GLOBAL_SAMPLE_H

#include "support/random.h"
#include "support/sparse_sample.h"

#include <hawser/problem.h>

typedef struct global_sample {
    haw_problem problem;
    haw_global global;
    dense m, ht, gt; /* [nv][nv], [n d][nv], [p][nv] */
    double *f, *w, *b, *mu;
} global_sample;

typedef struct global_shape {
    int dimension, contacts, nodes; /* nv = nodes * dimension */
    int bilateral;
    int border; /* last nodes that M couples to every node */
    int block;  /* nodes that M couples with each other; 0: a chain */
    bool is_unsymmetric, is_indefinite;
} global_shape;

static inline double *random_doubles(int count, double low, uint64_t *seed)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < count; ++i) {
        x[i] = low + random_signed(seed);
    }
    return x;
}

static inline bool global_coupled(const global_shape *shape, int a, int b)
{
    if (a >= shape->nodes - shape->border || b >= shape->nodes - shape->border) {
        return true;
    }
    return shape->block > 0 ? a / shape->block == b / shape->block : abs(a - b) <= 1;
}

static inline void global_fill_m(global_sample *s, const global_shape *shape, const int *label,
                                 uint64_t *seed)
{
    const int d = shape->dimension;
    for (int i = 0; i < s->m.rows; ++i) {
        for (int j = 0; j <= i; ++j) {
            if (global_coupled(shape, i / d, j / d)) {
                const int a = label[i / d] * d + i % d;
                const int b = label[j / d] * d + j % d;
                const double value = 0.3 * random_signed(seed);
                *dense_at(&s->m, a, b) = value;
                *dense_at(&s->m, b, a) = shape->is_unsymmetric ? -value : value;
            }
        }
    }
    for (int i = 0; i < s->m.rows; ++i) { /* diagonally dominant */
        double sum = 1;
        for (int j = 0; j < s->m.rows; ++j) {
            sum += i != j ? fabs(*dense_at(&s->m, i, j)) : 0;
        }
        *dense_at(&s->m, i, i) = shape->is_indefinite && i % 3 == 0 ? -sum : sum;
    }
}

/* Each contact touches two neighbouring nodes. */
static inline void global_fill_h(global_sample *s, const global_shape *shape, const int *label,
                                 uint64_t *seed)
{
    const int d = shape->dimension;
    for (int row = 0; row < s->ht.rows; ++row) {
        const int node = row / d % (shape->nodes - 1);
        for (int a = 0; a < d; ++a) {
            *dense_at(&s->ht, row, label[node] * d + a) = random_signed(seed);
            *dense_at(&s->ht, row, label[node + 1] * d + a) = random_signed(seed);
        }
    }
    for (int row = 0; row < s->gt.rows; ++row) {
        for (int a = 0; a < 2 * d; ++a) {
            *dense_at(&s->gt, row, (row * 2 * d + a) % s->gt.columns) = 1 + random_signed(seed);
        }
    }
}

static inline void global_sample_make(haw_arena *arena, const global_shape *shape, uint64_t *seed,
                                      global_sample *s)
{
    const int d = shape->dimension, nv = d * shape->nodes, rows = d * shape->contacts;
    int *label = calloc((size_t)shape->nodes, sizeof *label);
    *s = (global_sample){.m = dense_make(nv, nv),
                         .ht = dense_make(rows, nv),
                         .gt = dense_make(shape->bilateral, nv)};
    shuffle(shape->nodes, label, seed);
    global_fill_m(s, shape, label, seed);
    global_fill_h(s, shape, label, seed);
    free(label);
    s->f = random_doubles(nv, 0, seed);
    s->w = random_doubles(rows, 0, seed);
    s->b = random_doubles(shape->bilateral, 0, seed);
    s->mu = random_doubles(shape->contacts, 1, seed);
    s->global = (haw_global){.f = s->f, .w = s->w, .b = s->b};
    s->global.m = dense_to_csr(arena, &s->m);
    s->global.ht = dense_to_csr(arena, &s->ht);
    s->global.gt = dense_to_csr(arena, &s->gt);
    s->problem = (haw_problem){.dimension = d,
                               .contacts = shape->contacts,
                               .mu = s->mu,
                               .scale = 0.25,
                               .global = &s->global};
}

static inline void global_sample_free(global_sample *s)
{
    free(s->m.a);
    free(s->ht.a);
    free(s->gt.a);
    free(s->f);
    free(s->w);
    free(s->b);
    free(s->mu);
}

/* K^-1 [H 0; 0 ...] and K^-1 [f; -b] as columns: [nv + p][n d + 1], by LAPACK. */
static inline dense global_sample_solve(const global_sample *s)
{
    const int nv = s->m.rows, p = s->gt.rows, rows = s->ht.rows;
    dense k = dense_make(nv + p, nv + p);
    dense x = dense_make(nv + p, rows + 1);
    for (int i = 0; i < nv; ++i) {
        for (int j = 0; j < nv; ++j) {
            *dense_at(&k, i, j) = *dense_at(&s->m, i, j);
        }
        for (int row = 0; row < rows; ++row) {
            *dense_at(&x, i, row) = *dense_at(&s->ht, row, i);
        }
        for (int row = 0; row < p; ++row) {
            *dense_at(&k, i, nv + row) = -*dense_at(&s->gt, row, i);
            *dense_at(&k, nv + row, i) = *dense_at(&s->gt, row, i);
        }
        *dense_at(&x, i, rows) = s->f[i];
    }
    for (int row = 0; row < p; ++row) {
        *dense_at(&x, nv + row, rows) = -s->b[row];
    }
    dense_solve(&k, &x);
    free(k.a);
    return x;
}

/* H^T times the columns: [n d][n d + 1], W and q - w. */
static inline dense global_sample_delassus(const global_sample *s, const dense *x)
{
    dense w = dense_make(s->ht.rows, x->columns);
    for (int i = 0; i < s->ht.rows; ++i) {
        for (int j = 0; j < x->columns; ++j) {
            for (int k = 0; k < s->ht.columns; ++k) {
                *dense_at(&w, i, j) += *dense_at(&s->ht, i, k) * *dense_at(x, k, j);
            }
        }
    }
    return w;
}

#endif
