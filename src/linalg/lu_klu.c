/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse LU by KLU (T. A. Davis, E. Palamadai Natarajan, ACM Trans. Math. Softw. 37 (2010) 36), int
 * interface: one entry at a time where UMFPACK makes dense blocks, which is the faster way where
 * hardly anything fills in. KLU takes columns: it is given the transposed matrix and solves with
 * its transpose. Its memory comes from SuiteSparse's process-wide allocator, not from the context.
 *
 * Measured on nets of cables with springs between them (reference BLAS), factorization in ms by the
 * band, UMFPACK and KLU: 10 cables of 50 nodes of 4 unknowns 1.3, 2.0, 0.7; 20 cables of 50 nodes
 * 8.4, 7.4, 2.1; 30 of 100 68, 18, 5.4. klu_refactor would take half of that, but with the pivots
 * of another matrix: a run would depend on more than its state.
 */
#include "linalg/lu_kinds.h"

static haw_status fail(haw_context *context, int code)
{
    if (code == KLU_OUT_OF_MEMORY) {
        return haw_fail(context, HAW_ERR_NOMEM, "KLU is out of memory");
    }
    if (code == KLU_SINGULAR) {
        return haw_fail(context, HAW_ERR_SINGULAR, "matrix is singular to working precision");
    }
    return haw_fail(context, HAW_ERR_ARG, "KLU rejects the matrix (status %d)", code);
}

static haw_status analyse(haw_arena *arena, haw_lu *lu, double best, double *seconds)
{
    haw_lu_klu *klu = &lu->klu;
    *seconds = haw_lu_seconds_klu(lu->pattern->start[lu->n], 0);
    if (*seconds >= best) {
        return HAW_OK;
    }
    (void)klu_defaults(&klu->common);
    int *start = lu->pattern->start, *column = lu->pattern->column;
    if (lu->order != NULL) {
        int *order = lu->order->order;
        klu->symbolic = klu_analyze_given(lu->n, start, column, order, order, &klu->common);
    } else {
        klu->symbolic = klu_analyze(lu->n, start, column, &klu->common);
    }
    if (klu->symbolic == NULL) {
        return fail(arena->context, klu->common.status);
    }
    const klu_symbolic *s = klu->symbolic;
    klu->entries = lu->order != NULL ? lu->order->entries : s->lnz + s->unz;
    klu->flops = lu->order != NULL ? lu->order->flops : s->est_flops;
    *seconds = haw_lu_seconds_klu(klu->entries, klu->flops);
    return HAW_OK;
}

static haw_status reserve(haw_arena *arena, haw_lu *lu)
{
    lu->factor_flops = lu->klu.flops;
    lu->solve_flops = 2 * lu->klu.entries;
    return haw_lu_reserve_sparse(arena, lu);
}

/* KLU divides what it takes for rows by their largest entries, in the order of the pivots. */
static bool pivots_are_usable(haw_lu *lu)
{
    const klu_numeric *numeric = lu->klu.numeric;
    for (int k = 0; k < lu->n; ++k) {
        lu->work[numeric->Pnum[k]] = 1 / numeric->Rs[k];
    }
    return haw_lu_pivots_are_usable(lu, lu->klu.symbolic->Q, numeric->Udiag, lu->work);
}

static haw_status factor(haw_lu *lu)
{
    haw_lu_klu *klu = &lu->klu;
    haw_lu_scale_values(lu);
    klu->common.tol = lu->tolerance;
    (void)klu_free_numeric(&klu->numeric, &klu->common);
    haw_context_sparse(lu->context)->klu_factorizations++;
    klu->numeric =
        klu_factor(lu->pattern->start, lu->pattern->column, lu->value, klu->symbolic, &klu->common);
    if (klu->numeric == NULL || klu->common.status != KLU_OK) {
        return fail(lu->context, klu->common.status);
    }
    lu->solve_flops = 2 * ((double)klu->numeric->lnz + klu->numeric->unz);
    return pivots_are_usable(lu) ? HAW_OK : fail(lu->context, KLU_SINGULAR);
}

static void solve(haw_lu *lu, double *x)
{
    haw_lu_scale_right(lu, x);
    haw_context_sparse(lu->context)->klu_solves++;
    (void)klu_tsolve(lu->klu.symbolic, lu->klu.numeric, lu->n, 1, x, &lu->klu.common);
}

/* Of one block, or of several that nothing couples: what does is no part of the triangles. */
static haw_status extract(haw_lu *lu, haw_arena *arena, haw_lu_triangles *t, bool *has)
{
    haw_lu_klu *klu = &lu->klu;
    const klu_numeric *numeric = klu->numeric;
    *has = numeric->nzoff == 0;
    if (!*has) {
        return HAW_OK;
    }
    HAW_TRY(haw_lu_triangles_create(arena, lu->n, numeric->lnz, numeric->unz, t));
    *has = klu_extract(klu->numeric, klu->symbolic, t->lower.start, t->lower.column, t->lower.value,
                       t->upper.start, t->upper.column, t->upper.value, NULL, NULL, NULL, t->row,
                       t->column, t->scale, NULL, &klu->common) != 0;
    for (int k = 0; k < lu->n && *has; ++k) {
        t->scale[k] = 1 / t->scale[k];
    }
    return HAW_OK;
}

static void release(haw_lu *lu)
{
    (void)klu_free_numeric(&lu->klu.numeric, &lu->klu.common);
    (void)klu_free_symbolic(&lu->klu.symbolic, &lu->klu.common);
}

const haw_lu_ops haw_lu_klu_ops = {.analyse = analyse,
                                   .reserve = reserve,
                                   .factor = factor,
                                   .solve = solve,
                                   .release = release,
                                   .extract = extract};
