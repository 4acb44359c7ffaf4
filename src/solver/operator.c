/* SPDX-License-Identifier: BSD-3-Clause */
/* W, q and the blocks W_cc of either form of a contact problem. */
#include "solver/operator.h"

#include "base/status.h"
#include "solver/mobility.h"
#include "solver/solver.h"

#include <string.h>

static const double held = 1e-13; /* w_c below this fraction of the largest is what rounding left */

/* With bilateral rows a contact may lie between parts that cannot move: its W_cc is noise, no
 * impulse changes its velocity and no residual can be measured there. */
static haw_status check_held(haw_context *context, const haw_operator *op)
{
    const int n = op->problem->contacts, d = op->problem->dimension;
    double largest = 0.0;

    for (int c = 0; c < n; c++) {
        largest = haw_larger(largest, haw_operator_weight(op, d, c));
    }
    for (int c = 0; c < n; c++) {
        if (!(haw_operator_weight(op, d, c) > held * largest)) {
            return haw_fail(context, HAW_ERR_INPUT,
                            "contact %d: the bilateral constraints hold both sides of it: no "
                            "impulse moves it",
                            c);
        }
    }
    return HAW_OK;
}

static haw_status create_global(haw_arena *arena, const haw_problem *problem, haw_operator *op)
{
    const size_t d = (size_t)problem->dimension;
    const haw_csr *ht = &problem->global->ht;
    double *block = haw_arena_allocate(arena, (size_t)problem->contacts, d * d * sizeof(double));
    double *q = haw_arena_allocate(arena, (size_t)ht->rows, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(haw_mobility_create(arena, problem, &op->mobility));
    memcpy(q, problem->global->w, (size_t)ht->rows * sizeof(double));
    haw_csr_add(ht, 1, op->mobility->rest, q); /* q = H^T v + w without contact impulses */
    op->block = block;
    op->q = q;
    op->flops = op->mobility->flops + 2.0 * ht->start[ht->rows];
    if (op->mobility->kind != HAW_MOBILITY_PARTS) {
        op->flops += 2.0 * ht->start[ht->rows];
    }
    HAW_TRY(haw_mobility_blocks(op->mobility, block));
    return problem->global->gt.rows > 0 ? check_held(arena->context, op) : HAW_OK;
}

haw_status haw_operator_create(haw_arena *arena, const haw_problem *problem, haw_operator *op)
{
    *op = (haw_operator){.problem = problem};
    if (problem->global == NULL) {
        op->q = problem->q;
        op->flops =
            2.0 * problem->dimension * problem->dimension * problem->w.start[problem->contacts];
        return HAW_OK;
    }
    const haw_status status = create_global(arena, problem, op);
    if (status != HAW_OK) {
        haw_operator_release(op);
    }
    return status;
}

void haw_operator_release(haw_operator *op)
{
    haw_mobility_release(op->mobility);
    *op = (haw_operator){0};
}

/* u = W r + q by the rows of W. */
static HAW_INLINE void multiply_rows(int d, const haw_problem *problem, const double *q,
                                     const double *r, double *u)
{
    const haw_bsr *w = &problem->w;
    for (int c = 0; c < problem->contacts; ++c) {
        double *uc = u + (ptrdiff_t)c * d;
        for (int i = 0; i < d; ++i) {
            uc[i] = q != NULL ? q[(ptrdiff_t)c * d + i] : 0;
        }
        haw_bsr_add_rows(d, w, w->start[c], w->start[c + 1], r, uc);
    }
}

/* u = W r + q; q NULL: 0. */
static void multiply(const haw_operator *op, const double *q, const double *r, double *u)
{
    haw_mobility *mobility = op->mobility;
    if (mobility == NULL) {
        HAW_BY_DIMENSION(op->problem->dimension, multiply_rows, op->problem, q, r, u);
        return;
    }
    const haw_csr *ht = &op->problem->global->ht;
    for (int i = 0; i < ht->rows; ++i) {
        u[i] = q != NULL ? q[i] : 0;
    }
    memset(mobility->velocity, 0, (size_t)ht->columns * sizeof(double));
    haw_mobility_push(mobility, 0, ht->rows, r, mobility->velocity);
    haw_csr_add(ht, 1, mobility->velocity, u);
}

void haw_operator_velocity(const haw_operator *op, const double *r, double *u)
{
    multiply(op, op->q, r, u);
}

void haw_operator_multiply(const haw_operator *op, const double *r, double *u)
{
    multiply(op, NULL, r, u);
}

void haw_operator_state(const haw_operator *op, const double *r, double *v, double *l)
{
    haw_mobility *mobility = op->mobility;
    const haw_csr *ht = &op->problem->global->ht;
    const int n = ht->columns;
    double *x = mobility->work;
    memset(x, 0, (size_t)mobility->size * sizeof *x);
    haw_csr_add_transposed(ht, 1, r, x);
    haw_mobility_solve(mobility, x);
    for (int i = 0; i < n; ++i) {
        v[i] = mobility->rest[i] + x[i];
    }
    for (int i = n; l != NULL && i < mobility->size; ++i) {
        l[i - n] = mobility->rest[i] + x[i];
    }
}

void haw_operator_contact_velocity(const haw_operator *op, int c, const double *v, double *u)
{
    const haw_csr *ht = &op->problem->global->ht;
    const int d = op->problem->dimension;
    for (int a = 0; a < d; ++a) {
        const int row = c * d + a;
        double sum = op->problem->global->w[row];
        for (int k = ht->start[row]; k < ht->start[row + 1]; ++k) {
            sum += ht->value[k] * v[ht->column[k]];
        }
        u[a] = sum;
    }
}

bool haw_operator_contact_push(const haw_operator *op, int c, const double *before, const double *r,
                               double *v)
{
    const int d = op->problem->dimension;
    double dr[3];
    bool moved = false;
    for (int i = 0; i < d; ++i) {
        dr[i] = r[i] - before[i];
        moved = moved || dr[i] != 0;
    }
    if (moved) {
        haw_mobility_push(op->mobility, c * d, (c + 1) * d, dr, v);
    }
    return moved;
}
