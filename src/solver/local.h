/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frictional contact problem of one contact, u = W r + v, solved exactly.
 *
 * For v_N >= 0 it opens: r = 0. Otherwise u_N = 0 gives r_N = -(v_N + W_NT r_T)/W_NN and leaves
 * u_T = s + S r_T with the Schur complement S = W_TT - W_TN W_NT / W_NN, s = v_T - W_TN v_N / W_NN.
 * In the plane r_T runs over an interval [lo, hi] around 0 on which u_T grows with r_T, so the
 * answer is the sticking value -s/S clamped to it. An end of the interval is at infinity where
 * W_NN +- mu W_NT <= 0 (friction jams the contact). For W positive definite this is unique
 * whenever v_N < 0.
 */
#ifndef HAWSER_SOLVER_LOCAL_H
#define HAWSER_SOLVER_LOCAL_H

#include <math.h>
#include <stddef.h>

/* What a contact of the plane and one in space begin with. */
typedef struct haw_local {
    double mu, mean; /* friction, trace(W_cc)/d */
} haw_local;

typedef struct haw_local_2d {
    haw_local common;
    double nn, nt, tn_over_nn; /* 1/W_NN, W_NT, W_TN/W_NN */
    double tt;                 /* 1/S */
    double plus, minus;        /* 1/(W_NN +- mu W_NT), infinite if not positive */
} haw_local_2d;

/** @param block  [4] W_cc, row-major */
void haw_local_init_2d(haw_local_2d *local, const double *block, double mu);

static inline void haw_local_solve_2d(const haw_local_2d *l, const double v[2], double r[2])
{
    if (v[0] >= 0.0) {
        r[0] = 0.0;
        r[1] = 0.0;
        return;
    }
    const double stick = -(v[1] - l->tn_over_nn * v[0]) * l->tt;
    const double plus = -v[0] * l->plus, minus = -v[0] * l->minus, mu = l->common.mu;

    if (stick > mu * plus) {
        r[0] = plus;
        r[1] = mu * plus;
    } else if (stick < -mu * minus) {
        r[0] = minus;
        r[1] = -mu * minus;
    } else {
        r[0] = -(v[0] + l->nt * stick) * l->nn;
        r[1] = stick;
    }
}

/*
 * In space, over W_NN, with the tangents turned so that the symmetric part of S is diagonal:
 * S/W_NN = [sigma_1, skew; -skew, sigma_2].
 */
typedef struct haw_local_3d {
    haw_local common;
    double nn;                /* 1/W_NN */
    double row[2], column[2]; /* W_NT/W_NN, W_TN/W_NN */
    double sigma[2], skew;
    double cosine, sine; /* of the turn of the tangents */
} haw_local_3d;

/** @param block  [9] W_cc, row-major; any, W_NN > 0 */
void haw_local_init_3d(haw_local_3d *l, const double *block, double mu);

/** The answer lies in the cone and is finite for finite v, also where no solution exists. */
void haw_local_solve_3d(const haw_local_3d *l, const double v[3], double r[3]);

/* ---- of d rows ---- */

static inline size_t haw_local_size(int d)
{
    static const size_t size[] = {[2] = sizeof(haw_local_2d), [3] = sizeof(haw_local_3d)};
    return size[d];
}

/** @param local  out [haw_local_size(d) bytes] */
void haw_local_init(int d, haw_local *local, const double *block, double mu);

static inline void haw_local_solve(int d, const haw_local *local, const double *v, double *r)
{
    if (d == 2) {
        haw_local_solve_2d((const haw_local_2d *)local, v, r);
    } else {
        haw_local_solve_3d((const haw_local_3d *)local, v, r);
    }
}

#endif
