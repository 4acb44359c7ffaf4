/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One contact in space: a slipping contact has u_T = -lambda r_T with lambda > 0, hence
 * (S + lambda I) r_T = -s and one equation for lambda. It is taken in the form
 *
 *     g(lambda) = mu r_N / |r_T| - 1 = 0,   r_N = -(v_N + W_NT r_T)/W_NN,
 *
 * which is linear where S is isotropic and W_NT = 0, and almost linear elsewhere. g < 0 at
 * lambda = 0, where sticking is not admissible, and g grows without bound for large lambda: a root
 * always exists; Newton's method finds it, kept inside a bracket by bisection. Velocities over
 * W_NN stand for impulses here.
 */
#include "solver/local.h"

#include <float.h>
#include <stdbool.h>

void haw_local_init_2d(haw_local_2d *local, const double *block, double mu)
{
    const double plus = block[0] + mu * block[1], minus = block[0] - mu * block[1];
    const double coupled = block[2] * (block[1] / block[0]), schur = block[3] - coupled;
    const double rounding = 2.0 * DBL_EPSILON * fabs(coupled);

    *local = (haw_local_2d){.common = {mu, 0.5 * (block[0] + block[3])}};
    if (!(block[0] > 0.0)) { /* no problem of ours: stays at r = 0 */
        return;
    }
    /* no tangential mobility: any nonzero s drives r_T to an end of its interval; where S is a
     * difference of equals, s is too, and both are rounding */
    local->tt = schur > 0.0 ? 1.0 / schur : rounding > 0.0 ? 1.0 / rounding : DBL_MAX;
    local->nn = 1.0 / block[0];
    local->nt = block[1];
    local->tn_over_nn = block[2] / block[0];
    local->plus = plus > 0.0 ? 1.0 / plus : HUGE_VAL;
    local->minus = minus > 0.0 ? 1.0 / minus : HUGE_VAL;
}

/* An eigenvalue within rounding of zero counts as that rounding: the root stays bracketed. */
static double raise(double sigma, double rounding)
{
    return fabs(sigma) <= rounding ? fmax(rounding, 1.0e-150) : sigma;
}

/* S/W_NN and a bound of the rounding in each of its entries. */
static void schur_3d(const haw_local_3d *l, const double *block, double schur[4],
                     double rounding[4])
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double direct = block[3 * (i + 1) + j + 1] * l->nn;
            const double coupled = l->column[i] * l->row[j];

            schur[2 * i + j] = direct - coupled;
            rounding[2 * i + j] = 4.0 * DBL_EPSILON * (fabs(direct) + fabs(coupled));
        }
    }
}

/* x <- P^T x */
static void turn(const haw_local_3d *l, double x[2])
{
    const double first = l->cosine * x[0] - l->sine * x[1];

    x[1] = l->sine * x[0] + l->cosine * x[1];
    x[0] = first;
}

void haw_local_init_3d(haw_local_3d *l, const double *block, double mu)
{
    double schur[4], e[4], tangent = 0.0;

    *l = (haw_local_3d){.common = {mu, (block[0] + block[4] + block[8]) / 3.0}, .cosine = 1.0};
    if (!(block[0] > 0.0)) { /* no problem of ours: stays at r = 0 */
        return;
    }
    l->nn = 1.0 / block[0];
    for (int i = 0; i < 2; i++) {
        l->row[i] = block[i + 1] * l->nn;
        l->column[i] = block[3 * (i + 1)] * l->nn;
    }
    schur_3d(l, block, schur, e);
    const double b = 0.5 * (schur[1] + schur[2]);

    if (b != 0.0) { /* Jacobi's rotation (Golub, Van Loan: Matrix Computations, 8.5.2) */
        const double zeta = (schur[3] - schur[0]) / (2.0 * b);

        tangent = copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
        l->cosine = 1.0 / sqrt(1.0 + tangent * tangent);
        l->sine = tangent * l->cosine;
    }
    const double cc = l->cosine * l->cosine, ss = l->sine * l->sine;
    const double cs = fabs(l->cosine * l->sine) * (e[1] + e[2]);

    l->skew = 0.5 * (schur[1] - schur[2]);
    l->sigma[0] = raise(schur[0] - tangent * b, cc * e[0] + cs + ss * e[3]);
    l->sigma[1] = raise(schur[3] + tangent * b, ss * e[0] + cs + cc * e[3]);
    turn(l, l->row);
    turn(l, l->column);
}

/* r at some lambda, times W_NN, in the turned tangents. */
typedef struct slip {
    double vn, s[2];
    double n, x, y, t; /* r_N, r_T and |r_T| */
} slip;

static void slip_at(const haw_local_3d *l, double lambda, slip *p)
{
    const double a = l->sigma[0] + lambda, d = l->sigma[1] + lambda, k = l->skew;
    const double over = -1.0 / (a * d + k * k);

    p->x = over * (d * p->s[0] - k * p->s[1]);
    p->y = over * (a * p->s[1] + k * p->s[0]);
    p->t = sqrt(p->x * p->x + p->y * p->y);
    p->n = -p->vn - l->row[0] * p->x - l->row[1] * p->y;
}

/* dg/dlambda, from r_T' = -(S + lambda I)^-1 r_T. */
static double slip_slope(const haw_local_3d *l, double lambda, const slip *p)
{
    const double a = l->sigma[0] + lambda, d = l->sigma[1] + lambda, k = l->skew;
    const double over = -1.0 / (a * d + k * k);
    const double dx = over * (d * p->x - k * p->y), dy = over * (a * p->y + k * p->x);
    const double dn = -l->row[0] * dx - l->row[1] * dy, dt = (p->x * dx + p->y * dy) / p->t;

    return l->common.mu * (dn - p->n * (dt / p->t)) / p->t;
}

/* A point between lo and hi where Newton's is of no use; hi may be infinite, lo 0. */
static double between(double lo, double hi, double lambda)
{
    if (hi > DBL_MAX) {
        return 4.0 * lambda;
    }
    if (!(lo > 0.0)) {
        return hi / 1024.0;
    }
    return hi > 4.0 * lo ? sqrt(lo) * sqrt(hi) : 0.5 * (lo + hi);
}

/* Root of g in (lo, infinity); leaves the impulse in p. */
static void slip_root(const haw_local_3d *l, slip *p)
{
    const double least = fmin(l->sigma[0], l->sigma[1]);
    const double size = sqrt(p->s[0] * p->s[0] + p->s[1] * p->s[1]);
    const double isotropic = -size / (l->common.mu * p->vn) - 0.5 * (l->sigma[0] + l->sigma[1]);
    double lo = fmax(0.0, -least), hi = HUGE_VAL;
    double lambda = fmax(isotropic, 2.0 * lo);

    if (!(lambda > lo && lambda <= DBL_MAX)) {
        lambda = fabs(l->sigma[0]) + fabs(l->sigma[1]);
    }
    for (int i = 0; i < 200; i++) {
        slip_at(l, lambda, p);
        const double g = l->common.mu * (p->n / p->t) - 1.0;

        if (fabs(g) <= 4.0 * DBL_EPSILON) {
            return;
        }
        if (g > 0.0) {
            hi = lambda;
        } else {
            lo = lambda;
        }
        double next = lambda - g / slip_slope(l, lambda, p);

        if (!(next > lo && next < hi)) {
            next = between(lo, hi, lambda);
        }
        if (fabs(next - lambda) <= DBL_EPSILON * lambda) {
            return;
        }
        lambda = next;
    }
}

/* Put a slipping impulse, known to rounding, on the cone: r_N may be a small difference where mu
 * is large and follows r_T then, else r_T follows it. Where no root was found, only u_N = 0. */
static void place_on_cone(const haw_local_3d *l, slip *p)
{
    if (!(p->n > 0.0 && p->t <= DBL_MAX)) {
        p->n = -p->vn;
        p->x = 0.0;
        p->y = 0.0;
    } else if (l->common.mu > 1.0) {
        p->n = p->t / l->common.mu;
    } else {
        p->x *= l->common.mu * p->n / p->t;
        p->y *= l->common.mu * p->n / p->t;
    }
}

void haw_local_solve_3d(const haw_local_3d *l, const double v[3], double r[3])
{
    const double size = fmax(-v[0], fmax(fabs(v[1]), fabs(v[2])));

    r[0] = 0.0;
    r[1] = 0.0;
    r[2] = 0.0;
    if (v[0] >= 0.0) {
        return;
    }
    if (l->common.mu == 0.0) {
        r[0] = -v[0] * l->nn;
        return;
    }
    /* squares must stay within the range of doubles */
    const bool extreme = size < 1.0e-100 || size > 1.0e100;
    const double factor = extreme ? 1.0 / size : 1.0;
    slip p = {.vn = v[0] * factor, .s = {v[1] * factor, v[2] * factor}};

    turn(l, p.s);
    p.s[0] -= l->column[0] * p.vn;
    p.s[1] -= l->column[1] * p.vn;
    slip_at(l, 0.0, &p);
    if (!(p.n >= 0.0 && p.t <= l->common.mu * p.n)) {
        slip_root(l, &p);
        place_on_cone(l, &p);
    }
    const double unit = extreme ? l->nn * size : l->nn;

    r[0] = p.n * unit;
    r[1] = (l->cosine * p.x + l->sine * p.y) * unit;
    r[2] = (l->cosine * p.y - l->sine * p.x) * unit;
}

void haw_local_init(int d, haw_local *local, const double *block, double mu)
{
    if (d == 2) {
        haw_local_init_2d((haw_local_2d *)local, block, mu);
    } else {
        haw_local_init_3d((haw_local_3d *)local, block, mu);
    }
}
