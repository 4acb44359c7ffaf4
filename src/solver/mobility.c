/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms of a mobility, the choice among them, factorization and solves. */
#include "solver/mobility.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { BAND_FILL = 4 }; /* entries of the band over those of M that still make it worthwhile */

#define SYMMETRY   1.0e-12            /* of M, relative to its largest entry */
#define MARGIN_MIN (64 * DBL_EPSILON) /* of a pivot over its diagonal entry, as in the LU */

/* ---- bilateral rows, or an M that is not symmetric positive definite: LU ---- */

/*
 * S_i = 2^k near the smallest M_jj / |G_ji| of row i of G^T: no column of G S is larger than M. K
 * mixes masses with pure numbers otherwise, and its pivots, compared with the largest entry of
 * their column, would depend on the unit of mass.
 */
static double find_scale(const haw_csr *gt, const double *diagonal, double mean, int row)
{
    double smallest = HUGE_VAL, largest = 0;
    for (int k = gt->start[row]; k < gt->start[row + 1]; ++k) {
        const double size = fabs(gt->value[k]), mass = diagonal[gt->column[k]];
        largest = fmax(largest, size);
        smallest = mass > 0 && size > 0 ? fmin(smallest, mass / size) : smallest;
    }
    if (smallest > DBL_MAX) { /* no mass of its own anywhere in the row */
        smallest = mean / largest;
    }
    int exponent = 0;
    (void)frexp(smallest, &exponent);
    return smallest >= DBL_MIN && smallest <= DBL_MAX ? ldexp(1, exponent - 1) : 1;
}

static haw_status find_scales(haw_arena *arena, haw_mobility *mobility)
{
    const haw_global *global = mobility->problem->global;
    mobility->scale = haw_arena_allocate(arena, (size_t)global->gt.rows, sizeof(double));
    const haw_arena_mark mark = haw_arena_here(arena);
    double *diagonal = haw_arena_allocate(arena, (size_t)global->m.rows, sizeof(double)), mean = 0;
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < global->m.rows; ++i) {
        const int k = haw_csr_find(&global->m, i, i);
        diagonal[i] = k >= 0 ? fabs(global->m.value[k]) : 0;
        mean += diagonal[i] / global->m.rows;
    }
    for (int i = 0; i < global->gt.rows; ++i) {
        mobility->scale[i] = find_scale(&global->gt, diagonal, mean, i);
    }
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

static haw_status assemble_kkt(haw_arena *arena, haw_mobility *mobility)
{
    const haw_csr *m = &mobility->problem->global->m;
    const haw_csr *gt = &mobility->problem->global->gt;
    const int n = m->rows, p = gt->rows;
    const ptrdiff_t coupled = p > 0 ? (ptrdiff_t)2 * gt->start[p] : 0;
    haw_triplets entries;
    HAW_TRY(haw_triplets_create(arena, m->start[n] + coupled, true, &entries));
    for (int i = 0; i < n; ++i) {
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            haw_triplets_add(&entries, i, m->column[k], m->value[k]);
        }
    }
    for (int i = 0; i < p; ++i) {
        for (int k = gt->start[i]; k < gt->start[i + 1]; ++k) {
            const double scaled = mobility->scale[i] * gt->value[k];
            haw_triplets_add(&entries, n + i, gt->column[k], scaled);
            haw_triplets_add(&entries, gt->column[k], n + i, -scaled);
        }
    }
    return haw_triplets_compress(arena, &entries, n + p, n + p, &mobility->kkt);
}

static haw_status factor_general(haw_arena *arena, haw_mobility *mobility)
{
    mobility->kind = HAW_MOBILITY_GENERAL;
    HAW_TRY(find_scales(arena, mobility));
    HAW_TRY(assemble_kkt(arena, mobility));
    HAW_TRY(haw_lu_create(arena, &mobility->kkt, &mobility->lu));
    HAW_TRY(haw_lu_factor(mobility->lu, mobility->kkt.value));
    mobility->flops = haw_lu_solve_flops(mobility->lu);
    return HAW_OK;
}

static void solve_general(const haw_mobility *mobility, double *x)
{
    const haw_global *global = mobility->problem->global;
    double *l = x + global->m.rows;
    for (int i = 0; i < global->gt.rows; ++i) {
        l[i] *= mobility->scale[i];
    }
    haw_lu_solve(mobility->lu, x);
    for (int i = 0; i < global->gt.rows; ++i) {
        l[i] *= mobility->scale[i];
    }
}

/* ---- symmetric positive definite: band or sparse ---- */

enum { GRAPH_FILL = 16 }; /* entries of the graph over those of M and H */

/*
 * The graph whose order makes M banded and puts all entries of W_cc = H_c^T M^-1 H_c within the
 * band of M^-1: velocities are neighbours through M, or as parts of one contact. No rows where that
 * are too many.
 */
static haw_status create_graph(haw_arena *arena, const haw_problem *problem, haw_csr *graph)
{
    const haw_csr *m = &problem->global->m, *ht = &problem->global->ht;
    const int d = problem->dimension;
    const double few = GRAPH_FILL * ((double)m->start[m->rows] + ht->start[ht->rows]);
    double most = 2.0 * m->start[m->rows];
    for (int row = 0; row < ht->rows; row += d) {
        const double touched = ht->start[row + d] - ht->start[row];
        most += touched * touched;
    }
    *graph = (haw_csr){0};
    if (most > few || most > INT_MAX) {
        return HAW_OK;
    }
    haw_triplets pairs;
    int *met = haw_arena_allocate(arena, (size_t)m->rows, sizeof(int));
    int *touched = haw_arena_allocate(arena, (size_t)m->rows, sizeof(int));
    HAW_TRY(haw_triplets_create(arena, (ptrdiff_t)most, false, &pairs));
    for (int i = 0; i < m->rows; ++i) {
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            haw_triplets_add(&pairs, i, m->column[k], 0);
            haw_triplets_add(&pairs, m->column[k], i, 0);
        }
    }
    for (int row = 0; row < ht->rows; row += d) {
        int count = 0;
        for (int k = ht->start[row]; k < ht->start[row + d]; ++k) {
            if (met[ht->column[k]] != row + 1) { /* once, whatever rows have it */
                met[ht->column[k]] = row + 1;
                touched[count++] = ht->column[k];
            }
        }
        for (int k = 0; k < count; ++k) {
            for (int l = 0; l < count; ++l) {
                haw_triplets_add(&pairs, touched[k], touched[l], 0);
            }
        }
    }
    return haw_triplets_compress(arena, &pairs, m->rows, m->rows, graph);
}

/* Lower band of (M + M^T) / 2 in the order of `place`. */
static void fill_band(const haw_csr *m, const int *place, haw_band *band)
{
    const ptrdiff_t lda = band->width + 1;
    for (int i = 0; i < m->rows; ++i) {
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            const int a = place[i];
            const int b = place[m->column[k]];
            const int first = a < b ? a : b;
            const int last = a < b ? b : a;
            band->value[first * lda + last - first] += m->value[k] * (a == b ? 1 : 0.5);
        }
    }
}

static haw_status factor_band(haw_arena *arena, haw_mobility *mobility, int width)
{
    const haw_csr *m = &mobility->problem->global->m;
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_band band;
    mobility->kind = HAW_MOBILITY_BAND;
    HAW_TRY(haw_factor_create_band(mobility->context, m->rows, width, 1, &mobility->factor));
    HAW_TRY(haw_band_create(arena, m->rows, width, 1, &band));
    fill_band(m, mobility->place, &band);
    HAW_TRY(haw_factor_band(mobility->factor, &band));
    haw_arena_rewind(arena, &mark);
    mobility->width = width;
    mobility->flops = 4.0 * m->rows * (width + 1.0);
    return HAW_OK;
}

/* Rows of the lower triangle by columns are rows of the upper one: a symmetric M is stored so. */
static haw_status factor_sparse(haw_arena *arena, haw_mobility *mobility)
{
    const haw_csr *m = &mobility->problem->global->m;
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_csr upper;
    mobility->kind = HAW_MOBILITY_SPARSE;
    HAW_TRY(haw_csr_create(arena, m->rows, m->rows, m->start[m->rows], true, &upper));
    int count = 0;
    for (int i = 0; i < m->rows; ++i) {
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            if (m->column[k] >= i) {
                upper.column[count] = m->column[k];
                upper.value[count++] = m->value[k];
            }
        }
        upper.start[i + 1] = count;
    }
    const haw_sparse matrix = {
        .n = m->rows, .start = upper.start, .row = upper.column, .value = upper.value};
    HAW_TRY(haw_sparse_factor_create(mobility->context, &matrix, &mobility->sparse));
    HAW_TRY(haw_sparse_factor_compute(mobility->sparse, &matrix));
    haw_arena_rewind(arena, &mark);
    mobility->flops = 4 * haw_sparse_factor_entries(mobility->sparse);
    return HAW_OK;
}

/* Half-band of the best order of the graph; -1 where no band is worthwhile. */
static haw_status find_band(haw_arena *arena, haw_mobility *mobility, int *width)
{
    const haw_global *global = mobility->problem->global;
    const haw_arena_mark mark = haw_arena_here(arena);
    haw_csr graph;
    *width = -1;
    HAW_TRY(create_graph(arena, mobility->problem, &graph));
    if (graph.rows > 0) {
        HAW_TRY(haw_csr_place(arena, &graph, mobility->place, width));
    }
    haw_arena_rewind(arena, &mark);
    const double n = global->m.rows;
    if (n * (*width + 1.0) > (double)BAND_FILL * global->m.start[global->m.rows]) {
        *width = -1;
    }
    return HAW_OK;
}

/* What is singular but for rounding may pass the Cholesky factorization. */
static haw_status check_margin(haw_mobility *mobility)
{
    const haw_csr *m = &mobility->problem->global->m;
    double *diagonal = mobility->work;
    for (int i = 0; i < m->rows; ++i) {
        const int row = mobility->kind == HAW_MOBILITY_BAND ? mobility->place[i] : i;
        for (int k = m->start[i]; k < m->start[i + 1]; ++k) {
            diagonal[row] = m->column[k] == i ? m->value[k] : diagonal[row];
        }
    }
    const double margin = mobility->kind == HAW_MOBILITY_BAND
                              ? haw_factor_margin(mobility->factor, diagonal)
                              : haw_sparse_factor_margin(mobility->sparse, diagonal);
    return margin > MARGIN_MIN ? HAW_OK
                               : haw_fail(mobility->context, HAW_ERR_SINGULAR,
                                          "mass matrix is singular to working precision");
}

static haw_status factor_symmetric(haw_arena *arena, haw_mobility *mobility)
{
    const size_t n = (size_t)mobility->problem->global->m.rows;
    int width = -1;
    mobility->place = haw_arena_allocate(arena, n, sizeof(int));
    mobility->ordered = haw_arena_allocate(arena, n, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(find_band(arena, mobility, &width));
    HAW_TRY(width >= 0 ? factor_band(arena, mobility, width) : factor_sparse(arena, mobility));
    return check_margin(mobility);
}

static haw_status factor_parts(haw_arena *arena, haw_mobility *mobility)
{
    const haw_global *global = mobility->problem->global;
    mobility->kind = HAW_MOBILITY_PARTS;
    HAW_TRY(haw_mobility_parts_factor(mobility->context, &global->m, &mobility->parts));
    HAW_TRY(haw_mobility_parts_push(arena, &global->ht, &mobility->parts, &mobility->push));
    mobility->flops = 2.0 * mobility->push.start[mobility->push.rows];
    return HAW_OK;
}

void haw_mobility_release(haw_mobility *mobility)
{
    if (mobility != NULL) {
        haw_factor_free(mobility->factor);
        haw_sparse_factor_free(mobility->sparse);
        haw_lu_release(mobility->lu);
        mobility->factor = NULL;
        mobility->sparse = NULL;
        mobility->lu = NULL;
    }
}

/* Symmetric positive definite if it can be so; what is not is left to LU. */
static haw_status factorize(haw_arena *arena, haw_mobility *mobility)
{
    const haw_global *global = mobility->problem->global;
    if (global->gt.rows > 0) {
        return factor_general(arena, mobility);
    }
    HAW_TRY(haw_mobility_divide(arena, global, &mobility->parts));
    if (mobility->parts.count > 0) {
        return factor_parts(arena, mobility);
    }
    if (!(haw_csr_asymmetry(&global->m) <= SYMMETRY)) {
        return factor_general(arena, mobility);
    }
    const haw_status status = factor_symmetric(arena, mobility);
    if (status != HAW_ERR_SINGULAR) {
        return status;
    }
    haw_mobility_release(mobility);
    return factor_general(arena, mobility);
}

haw_status haw_mobility_create(haw_arena *arena, const haw_problem *problem,
                               haw_mobility **mobility)
{
    const haw_global *global = problem->global;
    *mobility = NULL;
    if ((double)global->m.rows + global->ht.rows + global->gt.rows > INT_MAX) {
        return haw_fail(arena->context, HAW_ERR_INPUT,
                        "%d velocities with %d contact and %d bilateral rows are too many",
                        global->m.rows, global->ht.rows, global->gt.rows);
    }
    haw_mobility *made = haw_arena_allocate(arena, 1, sizeof *made);
    HAW_TRY(haw_arena_status(arena));
    made->context = arena->context;
    made->problem = problem;
    made->size = global->m.rows + global->gt.rows;
    made->work = haw_arena_allocate(arena, (size_t)made->size, sizeof(double));
    made->velocity = haw_arena_allocate(arena, (size_t)global->m.rows, sizeof(double));
    made->rest = haw_arena_allocate(arena, (size_t)made->size, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    const haw_status status = factorize(arena, made);
    if (status != HAW_OK) {
        haw_mobility_release(made);
        return status;
    }
    memcpy(made->rest, global->f, (size_t)global->m.rows * sizeof(double));
    for (int i = 0; i < global->gt.rows; ++i) {
        made->rest[global->m.rows + i] = -global->b[i];
    }
    haw_mobility_solve(made, made->rest); /* velocities without contact impulses */
    *mobility = made;
    return HAW_OK;
}

static void solve_band(haw_mobility *mobility, double *x)
{
    const int n = mobility->problem->global->m.rows;
    int first = n;
    for (int i = 0; i < n; ++i) {
        const int place = mobility->place[i];
        mobility->ordered[place] = x[i];
        first = x[i] != 0 && place < first ? place : first;
    }
    haw_factor_solve(mobility->factor, 1, first < n ? first : 0, mobility->ordered);
    for (int i = 0; i < n; ++i) {
        x[i] = mobility->ordered[mobility->place[i]];
    }
}

void haw_mobility_solve(haw_mobility *mobility, double *x)
{
    switch (mobility->kind) {
    case HAW_MOBILITY_PARTS:
        haw_mobility_parts_solve(&mobility->parts, x);
        break;
    case HAW_MOBILITY_BAND:
        solve_band(mobility, x);
        break;
    case HAW_MOBILITY_SPARSE:
        haw_sparse_factor_solve(mobility->sparse, 1, x);
        break;
    case HAW_MOBILITY_GENERAL:
        solve_general(mobility, x);
        break;
    }
}

/* Some rows of a matrix as a matrix of its own. */
static haw_csr slice(const haw_csr *matrix, int first, int last)
{
    haw_csr part = *matrix;
    part.start += first;
    part.rows = last - first;
    return part;
}

void haw_mobility_push(haw_mobility *mobility, int first, int last, const double *r, double *v)
{
    const haw_global *global = mobility->problem->global;
    if (mobility->kind == HAW_MOBILITY_PARTS) {
        const haw_csr push = slice(&mobility->push, first, last);
        haw_csr_add_transposed(&push, 1, r, v);
        return;
    }
    const haw_csr ht = slice(&global->ht, first, last);
    double *x = mobility->work;
    memset(x, 0, (size_t)mobility->size * sizeof *x);
    haw_csr_add_transposed(&ht, 1, r, x);
    haw_mobility_solve(mobility, x);
    for (int i = 0; i < global->m.rows; ++i) {
        v[i] += x[i];
    }
}

/* W_cc from the columns of M^-1 H_c, one solve for each. */
static void block_by_solves(haw_mobility *mobility, int c, double *block)
{
    const int d = mobility->problem->dimension;
    const haw_csr *ht = &mobility->problem->global->ht;
    double *x = mobility->work;
    for (int b = 0; b < d; ++b) {
        const haw_csr *columns = mobility->kind == HAW_MOBILITY_PARTS ? &mobility->push : ht;
        const int row = c * d + b;
        memset(x, 0, (size_t)mobility->size * sizeof *x);
        for (int k = columns->start[row]; k < columns->start[row + 1]; ++k) {
            x[columns->column[k]] = columns->value[k];
        }
        if (mobility->kind != HAW_MOBILITY_PARTS) {
            haw_mobility_solve(mobility, x);
        }
        for (int a = 0; a < d; ++a) {
            double sum = 0;
            for (int k = ht->start[c * d + a]; k < ht->start[c * d + a + 1]; ++k) {
                sum += ht->value[k] * x[ht->column[k]];
            }
            block[a * d + b] = sum;
        }
    }
}

/* h_a^T Z h_b with the entries of Z within its band. */
static double form(const haw_mobility *mobility, const double *z, int a, int b)
{
    const haw_csr *ht = &mobility->problem->global->ht;
    const ptrdiff_t lda = (ptrdiff_t)mobility->width + 1;
    double sum = 0;
    for (int k = ht->start[a]; k < ht->start[a + 1]; ++k) {
        const ptrdiff_t i = mobility->place[ht->column[k]];
        double row = 0;
        for (int l = ht->start[b]; l < ht->start[b + 1]; ++l) {
            const ptrdiff_t j = mobility->place[ht->column[l]];
            row += ht->value[l] * (i > j ? z[j * lda + i - j] : z[i * lda + j - i]);
        }
        sum += ht->value[k] * row;
    }
    return sum;
}

static void block_of_band(const haw_mobility *mobility, const double *z, int c, double *block)
{
    const int d = mobility->problem->dimension;
    for (int a = 0; a < d; ++a) {
        for (int b = 0; b <= a; ++b) {
            block[a * d + b] = block[b * d + a] = form(mobility, z, c * d + a, c * d + b);
        }
    }
}

static haw_status block_of_sparse(haw_mobility *mobility, int c, double *block)
{
    const int d = mobility->problem->dimension;
    const haw_csr *ht = &mobility->problem->global->ht;
    const haw_sparse_rows rows = {d, ht->start + (ptrdiff_t)c * d, ht->column, ht->value};
    return haw_sparse_factor_gram(mobility->sparse, &rows, block);
}

haw_status haw_mobility_blocks(haw_mobility *mobility, double *block)
{
    const int d = mobility->problem->dimension;
    const double *z =
        mobility->kind == HAW_MOBILITY_BAND ? haw_factor_inverse_band(mobility->factor) : NULL;
    haw_status status = HAW_OK;
    for (int c = 0; c < mobility->problem->contacts && status == HAW_OK; ++c) {
        double *here = block + (ptrdiff_t)c * d * d;
        if (z != NULL) {
            block_of_band(mobility, z, c, here);
        } else if (mobility->kind == HAW_MOBILITY_SPARSE) {
            status = block_of_sparse(mobility, c, here);
        } else {
            block_by_solves(mobility, c, here);
        }
    }
    return status;
}
