/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One contact in space: a slipping contact has u_T = -lambda r_T with lambda > 0, hence
 * (S + lambda I) r_T = -s and the scalar equation
 *
 *     phi(lambda) = |r_T| - mu r_N = 0,   r_N = -(v_N + W_NT r_T)/W_NN.
 *
 * phi > 0 at lambda = 0 (sticking is not admissible) and phi -> mu v_N/W_NN < 0 for large lambda:
 * a root always exists; Newton's method finds it, kept inside a bracket by bisection.
 */
#include "solver/local.h"

#include <float.h>
#include <stdbool.h>

void haw_local_init_2d(haw_local_2d *local, const double *block, double mu)
{
    const double plus = block[0] + mu * block[1], minus = block[0] - mu * block[1];
    const double schur = block[3] - block[2] * (block[1] / block[0]);

    *local = (haw_local_2d){.mu = mu, .mean = 0.5 * (block[0] + block[3])};
    if (!(block[0] > 0.0)) { /* no problem of ours: stays at r = 0 */
        return;
    }
    /* no tangential mobility: any nonzero s drives r_T to an end of its interval */
    local->tt = schur > 0.0 ? 1.0 / schur : DBL_MAX;
    local->nn = 1.0 / block[0];
    local->nt = block[1];
    local->tn_over_nn = block[2] / block[0];
    local->plus = plus > 0.0 ? 1.0 / plus : HUGE_VAL;
    local->minus = minus > 0.0 ? 1.0 / minus : HUGE_VAL;
}

typedef struct slip {
    const double *block; /* 3 x 3 */
    double sine, cosine; /* of the friction angle: phi is scaled by 1/sqrt(1 + mu^2) */
    double schur[4], s[2], vn;
    double r[3]; /* at the last lambda */
} slip;

static void slip_init(slip *p, const double *block, double mu, const double v[3])
{
    p->block = block;
    p->cosine = 1.0 / hypot(1.0, mu);
    p->sine = mu > 1.0 ? 1.0 / hypot(1.0, 1.0 / mu) : mu * p->cosine;
    p->vn = v[0];
    for (int i = 0; i < 2; i++) {
        const double factor = block[3 * (i + 1)] / block[0];

        p->s[i] = v[i + 1] - factor * v[0];
        p->schur[2 * i] = block[3 * (i + 1) + 1] - factor * block[1];
        p->schur[2 * i + 1] = block[3 * (i + 1) + 2] - factor * block[2];
    }
}

/* phi at lambda and its derivative; r_T' = -(S + lambda I)^-1 r_T. */
static double slip_phi(slip *p, double lambda, double *derivative)
{
    const double a = p->schur[0] + lambda, d = p->schur[3] + lambda;
    const double b = p->schur[1], c = p->schur[2], det = a * d - b * c;
    const double x = -(d * p->s[0] - b * p->s[1]) / det, y = -(a * p->s[1] - c * p->s[0]) / det;
    const double dx = -(d * x - b * y) / det, dy = -(a * y - c * x) / det;
    const double t = sqrt(x * x + y * y), *w = p->block;

    p->r[0] = -(p->vn + w[1] * x + w[2] * y) / w[0];
    p->r[1] = x;
    p->r[2] = y;
    *derivative = p->cosine * (t > 0.0 ? (x * dx + y * dy) / t : 0.0) +
                  p->sine * (w[1] * dx + w[2] * dy) / w[0];
    return p->cosine * t - p->sine * p->r[0];
}

/* Root of phi in (0, infinity); leaves the impulse in p->r. */
static void slip_root(slip *p)
{
    double lo = 0.0, hi = fabs(p->block[4]) + fabs(p->block[8]), slope;

    for (int i = 0; i < 1000 && slip_phi(p, hi, &slope) > 0.0; i++) {
        lo = hi;
        hi *= 4.0;
    }
    double lambda = 0.5 * (lo + hi);

    for (int i = 0; i < 200; i++) {
        const double phi = slip_phi(p, lambda, &slope);

        if (phi > 0.0) {
            lo = lambda;
        } else {
            hi = lambda;
        }
        double next = lambda - phi / slope;

        if (!(next > lo && next < hi)) {
            next = 0.5 * (lo + hi);
        }
        if (phi == 0.0 || fabs(next - lambda) <= 4.0 * DBL_EPSILON * lambda) {
            return;
        }
        lambda = next;
    }
}

/* Sticking impulse W r = -v by the Schur complement. @return true if it lies in the cone */
static bool stick(slip *p, double mu)
{
    double slope;

    (void)slip_phi(p, 0.0, &slope);
    const double t = sqrt(p->r[1] * p->r[1] + p->r[2] * p->r[2]);

    return p->r[0] >= 0.0 && t <= mu * p->r[0];
}

void haw_local_solve_3d(const double *block, double mu, const double v[3], double r[3])
{
    slip p;

    r[0] = 0.0;
    r[1] = 0.0;
    r[2] = 0.0;
    if (v[0] >= 0.0 || !(block[0] > 0.0)) {
        return;
    }
    slip_init(&p, block, mu, v);
    if (mu == 0.0) {
        r[0] = -v[0] / block[0];
        return;
    }
    if (!stick(&p, mu)) {
        slip_root(&p);
        /* the root is known to rounding: end on the cone, not beside it */
        const double t = sqrt(p.r[1] * p.r[1] + p.r[2] * p.r[2]);
        const double scale = t > mu * p.r[0] ? mu * p.r[0] / t : 1.0;

        p.r[1] *= scale;
        p.r[2] *= scale;
    }
    for (int i = 0; i < 3; i++) {
        r[i] = p.r[i];
    }
}
