/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The velocities of a global problem under impulses: [v; l] = K^-1 [f + H r; -b] with
 * K = [M -G; G^T 0], factorized in the form that suits its structure. Bilateral impulses are
 * l = S l' with powers of two S on the diagonal that give G S the size of M, whatever the units.
 */
#ifndef HAWSER_SOLVER_MOBILITY_H
#define HAWSER_SOLVER_MOBILITY_H

#include "linalg/factor.h"
#include "linalg/factor_sparse.h"
#include "linalg/lu.h"
#include "solver/operator.h"

typedef enum haw_mobility_kind {
    HAW_MOBILITY_PARTS,  /* M falls into small independent parts: dense LU of each */
    HAW_MOBILITY_BAND,   /* M symmetric positive definite: banded Cholesky */
    HAW_MOBILITY_SPARSE, /* M symmetric positive definite: sparse Cholesky */
    HAW_MOBILITY_GENERAL /* bilateral rows, or M of any other kind: LU of K */
} haw_mobility_kind;

/* Dense LU of the diagonal blocks that M falls into. */
typedef struct haw_mobility_parts {
    int count;
    int *part;         /* [nv] number of the part of a velocity */
    int *start;        /* [count + 1] into `member` */
    int *member;       /* [nv] velocities by parts, ascending in each */
    ptrdiff_t *offset; /* [count] of a part's factors in `value` */
    double *value;     /* LU by columns */
    double *scale;     /* [nv] of the rows, powers of two */
    int *pivot;        /* [nv] of the part's rows, from its start on */
    double *x;         /* [largest part] */
} haw_mobility_parts;

struct haw_mobility {
    haw_context *context;
    const haw_problem *problem;
    haw_mobility_kind kind;
    int size; /* nv + p */
    haw_mobility_parts parts;
    haw_csr push;       /* PARTS: row k is M^-1 times column k of H */
    haw_factor *factor; /* BAND */
    int width;          /* BAND: half bandwidth */
    int *place;         /* [nv] BAND: place of a velocity in the order of the band */
    haw_sparse_factor *sparse;
    double *scale; /* [p] GENERAL: S */
    haw_csr kkt;   /* GENERAL: [M -G S; S G^T 0] */
    haw_lu *lu;
    double *work;     /* [size] right-hand side and solution */
    double *velocity; /* [nv] of a product */
    double *ordered;  /* [nv] BAND: the same in the order of the band */
    double *rest;     /* [size] K^-1 [f; -b] */
    double flops;     /* of one solve, or of applying `push` */
};

/**
 * Order and factorize. Memory from the arena, haw_mobility_release before it is reset.
 * @return ERR_NOMEM; ERR_SINGULAR: the velocities are not determined
 */
HAW_NODISCARD haw_status haw_mobility_create(haw_arena *arena, const haw_problem *problem,
                                             haw_mobility **mobility);
void haw_mobility_release(haw_mobility *mobility);

/** x = K^-1 x in place. @param x [nv + p] */
void haw_mobility_solve(haw_mobility *mobility, double *x);

/** v += M^-1 H r for the impulses r [last - first] of the contact rows first ... last - 1. */
void haw_mobility_push(haw_mobility *mobility, int first, int last, const double *r, double *v);

/** Diagonal blocks W_cc. @param block [n d d] out */
HAW_NODISCARD haw_status haw_mobility_blocks(haw_mobility *mobility, double *block);

/* ---- M in small independent parts, in mobility_dense.c ---- */

/** Divide M if its parts are small; `count` stays 0 if they are not. */
HAW_NODISCARD haw_status haw_mobility_divide(haw_arena *arena, const haw_global *global,
                                             haw_mobility_parts *parts);
HAW_NODISCARD haw_status haw_mobility_parts_factor(haw_context *context, const haw_csr *m,
                                                   haw_mobility_parts *parts);
void haw_mobility_parts_solve(const haw_mobility_parts *parts, double *x);

/** Rows M^-1 H_k of every contact row k. */
HAW_NODISCARD haw_status haw_mobility_parts_push(haw_arena *arena, const haw_csr *ht,
                                                 const haw_mobility_parts *parts, haw_csr *push);

#endif
