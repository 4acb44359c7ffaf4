/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds behind haw_lu, one row each; for the folder's own files only. */
#ifndef HAWSER_LINALG_LU_KINDS_H
#define HAWSER_LINALG_LU_KINDS_H

#include "linalg/lu.h"

#include <float.h>
#include <klu.h>

/* A pivot no larger than this, times the largest entry of its column before the elimination, is
 * what rounding leaves of nothing; rows are scaled to a largest entry in [1/2, 1). */
#define HAW_LU_PIVOT_MIN (64 * DBL_EPSILON)

/*
 * Pivots of the sparse kinds, within this factor of the largest entry of their column. With
 * UMFPACK's defaults (0.1, and 0.001 for the diagonal) the entries of a chain of 3000 random 3 x 3
 * blocks grow by 1e28; with 1/2 nothing grows, for about a tenth more time. Where the diagonal
 * serves for pivots, any such bound leaves it now and then for the sake of a factor, and every
 * exchange fills in: a pile's matrix of 24 600 rows takes KLU 1.42 s with 1/2, 0.74 s with 1/10,
 * 0.09 s with 1/1000, UMFPACK 0.62, 0.22, 0.15 s. There light pivots are tried first, and judged by
 * what solves with them lose (lu_refine.c): in piles less than with 1/10.
 */
#define HAW_LU_PIVOT_TOLERANCE    0.5
#define HAW_LU_DIAGONAL_TOLERANCE 0.1
#define HAW_LU_LIGHT_TOLERANCE    1e-6

/*
 * Predicted seconds of one factorization, fitted to measurements on one core of a recent server
 * processor with one thread of OpenBLAS (n = 6 to 6000, half-bands 3 to 150, full matrices up to
 * n = 1000, bordered and random sparse ones); only their ratios matter. KLU's is by the entries of
 * its factors; UMFPACK spends much of its time on each entry of the matrix, and of its factors
 * where their number is known.
 */
static inline double haw_lu_seconds_dense(double n)
{
    return 0.1e-6 + n * n * (2.8e-9 + n * 0.02e-9);
}

static inline double haw_lu_seconds_band(double n, double width)
{
    return n * (20e-9 + width * 3e-9 + width * width * 0.37e-9);
}

static inline double haw_lu_seconds_klu(double entries, double flops)
{
    return 5e-6 + entries * 15e-9 + flops * 0.3e-9;
}

static inline double haw_lu_seconds_umfpack(double entries, double flops)
{
    return 5e-6 + entries * 38e-9 + flops * 0.1e-9;
}

/* P A = L U by rows with kl = ku = width: U has up to 2 width entries beside the diagonal. */
typedef struct haw_lu_band {
    int width;
    int *place;       /* [n] new place of each row and column */
    double *ordered;  /* [n] right-hand side in the order of the rows */
    int stride;       /* width, rounded up to whole vectors */
    double *lower;    /* [n stride] multipliers of step k at lower[k stride], then zeros */
    double *upper;    /* [n (2 width + 1)] rows of U, packed; the diagonal inverted */
    ptrdiff_t *start; /* [n + 1] of the rows in `upper` */
    int *pivot;       /* [n] row exchanged with row k */
    double flops;     /* of the last factorization */

    /* Window of the width + 1 rows at work; its columns are counted from `base`. */
    double *window;           /* [width + 1][length] */
    double **row;             /* [n] where the row at this place is in the window */
    int *end;                 /* [n] first column behind the non-zeros of that row */
    double **target, *factor; /* [width] rows to be changed by a step, multipliers */
    double *spare;            /* slot of the window without a row */
    int length, base;
} haw_lu_band;

/* The matrix, then its factors, by columns. */
typedef struct haw_lu_dense {
    double *value; /* [n n] */
    int *pivot;    /* [n] */
} haw_lu_dense;

/* The objects of the sparse kinds; the pattern is that of the columns of the transposed matrix. */
typedef struct haw_lu_klu {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double entries, flops; /* expected */
} haw_lu_klu;

typedef struct haw_lu_umfpack {
    void *symbolic, *numeric;
    double *right;      /* [n] */
    int *index;         /* [n] */
    double control[20]; /* UMFPACK_CONTROL */
} haw_lu_umfpack;

/* The factors of a sparse kind: P R A' Q = L U of the transposed scaled matrix A', whose row row[k]
 * and column column[k] are the k-th. */
typedef struct haw_lu_triangles {
    haw_csr lower; /* L by its columns, or its rows; the diagonal of ones included */
    haw_csr upper; /* U by its columns */
    bool lower_is_by_rows;
    int *row, *column; /* [n] */
    double *scale;     /* [n] of R, in the order of the rows of L */
} haw_lu_triangles;

/* What is looked up of them. */
typedef struct haw_lu_factors {
    haw_csr lower, upper; /* columns of L, rows of U; the diagonal first */
    int *row, *column;    /* [n] places of the rows and columns of A' */
} haw_lu_factors;

/* Entries of the inverse of L U (lu_inverse.c). */
typedef struct haw_lu_inverse haw_lu_inverse;

/**
 * Where the factors have entries, transposed, and at all pairs of the columns of the rows wanted;
 * NULL where pivots are so far from the diagonal that too much would fill in.
 */
HAW_NODISCARD haw_status haw_lu_inverse_create(haw_arena *arena, const haw_lu_factors *factors,
                                               const haw_csr *wanted, haw_lu_inverse **inverse);

/** NULL: not known. @param row, column  of L U */
const double *haw_lu_inverse_entry(const haw_lu_inverse *z, int row, int column);

typedef struct haw_lu_ops {
    /** Order or analyse, and the seconds that a factorization should take; what it takes at least,
     * and nothing done, where that is no less than `best`. Holds nothing after a failure. */
    haw_status (*analyse)(haw_arena *arena, haw_lu *lu, double best, double *seconds);
    /** Memory of factorizations, once the kind is chosen. */
    haw_status (*reserve)(haw_arena *arena, haw_lu *lu);
    /** Of the given values, whose row scales are known. */
    haw_status (*factor)(haw_lu *lu);
    void (*solve)(haw_lu *lu, double *x);
    /** What is held outside of the arena; NULL: nothing. */
    void (*release)(haw_lu *lu);
    /** The factors of the last factorization. @param has  out: false where they are no two
     * triangles (NULL: never) */
    haw_status (*extract)(haw_lu *lu, haw_arena *arena, haw_lu_triangles *triangles, bool *has);
} haw_lu_ops;

extern const haw_lu_ops haw_lu_dense_ops, haw_lu_band_ops, haw_lu_klu_ops, haw_lu_umfpack_ops;

struct haw_lu {
    haw_context *context;
    const haw_csr *pattern;     /* NULL: a full matrix */
    const haw_csr_order *order; /* NULL: a sparse kind's own */
    const haw_lu_ops *ops;
    bool is_ready; /* the last factorization succeeded */
    int n;
    double tolerance;             /* of the pivots of the sparse kinds */
    double light;                 /* the one tried before, 0: none (lu_refine.c) */
    int refinements;              /* steps of refinement of a solve with the last factors */
    bool is_kept;                 /* the factors are those of a matrix before, which is near */
    double *right, *rest, *probe; /* [n] of refinement */

    /* The matrix of one factorization by rows at their new places: row i has the entries start[i]
     * ... start[i + 1] - 1, entry k is scale[i] given[source[k]] in the new column column[k];
     * source NULL: scale[i] given[k]. start NULL: no pattern, the dense kind has the matrix
     * already. */
    const int *start, *column, *source;
    const double *given;
    double *scale; /* [n] powers of two */
    double *size;  /* [n] largest entries of the scaled columns, once asked for */
    bool is_sized;

    double *value;                    /* scaled entries, of the sparse kinds */
    double *work;                     /* [n] the same */
    double factor_flops, solve_flops; /* of the last factorization, or expected */
    haw_lu_band band;
    haw_lu_dense dense;
    haw_lu_klu klu;
    haw_lu_umfpack umfpack;
};

/** Entry k of the scaled row i. */
static inline double haw_lu_entry(const haw_lu *lu, int i, int k)
{
    return lu->scale[i] * lu->given[lu->source != NULL ? lu->source[k] : k];
}

/** Largest entry of a column of the scaled matrix. */
double haw_lu_column_size(haw_lu *lu, int column);

/** Factors of a sparse kind by light pivots, if solves with them can be trusted, else by firm ones.
 */
haw_status haw_lu_factor_lightly(haw_lu *lu);

/** Whether the factors at hand, of a matrix of this pattern before, serve the values given: solves
 * with a few steps of refinement lose no more than with factors of their own.
 * @param x  [n] b, then where they serve x of A x = b, by which they are judged; NULL: by some b */
bool haw_lu_keeps(haw_lu *lu, double *x);

/** x of A x = b, better by lu->refinements steps with the same factors, or with kept ones by as
 * many as it takes. @param x  [n] b, then x */
void haw_lu_refine(haw_lu *lu, double *x);

/** OK for a negative row, else the message that the matrix is singular there. */
haw_status haw_lu_refuse(const haw_lu *lu, int row);

/**
 * Scale the rows of a full matrix that is in place already.
 * @return the first row without a finite non-zero largest entry, or -1
 */
int haw_lu_dense_scale(haw_lu *lu);

/** Value and work of a sparse kind. */
haw_status haw_lu_reserve_sparse(haw_arena *arena, haw_lu *lu);

/** Room for the factors of an extraction. */
haw_status haw_lu_triangles_create(haw_arena *arena, int n, int lower, int upper,
                                   haw_lu_triangles *triangles);

/** The scaled entries into lu->value. */
void haw_lu_scale_values(haw_lu *lu);

/** x <- scale x */
static inline void haw_lu_scale_right(const haw_lu *lu, double *x)
{
    for (int i = 0; i < lu->n; ++i) {
        x[i] = lu->scale[i] * x[i];
    }
}

/** The pivots of a sparse factorization against the largest entries of their rows: pivot[k] is of
 * the row order[k], whose entries were multiplied by the scales of their columns before. */
bool haw_lu_pivots_are_usable(const haw_lu *lu, const int *order, const double *pivot,
                              const double *scale);

#endif
