/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/smoothing.h"

#include "solver/cone.h"

#include <math.h>
#include <string.h>

/* max_e(x, y) = max(x, y) + excess and its derivative by x; the one by y is 1 minus that. */
typedef struct maximum {
    double value, excess, slope;
} maximum;

static inline maximum smooth_max(double x, double y, double e)
{
    const double gap = x - y, root = sqrt(gap * gap + 4.0 * e * e);
    const double larger = gap > 0.0 ? x : y;

    if (!(root > 0.0)) {
        return (maximum){larger, 0.0, 0.0};
    }
    const double excess = 2.0 * e * e / (root + fabs(gap)); /* (root - |gap|)/2 */

    return (maximum){larger + excess, excess, 0.5 * (1.0 + gap / root)};
}

/* g_T = (s_T - h x)/c with h = R/max_e(R, |x|), x = s_T - c u_T, n = x/|x| */
typedef struct tangent {
    double x[2], n[2];
    double h, rest;  /* rest = 1 - h */
    double h_a, h_x; /* derivatives of h by a and by |x| */
} tangent;

/* Rounding of the friction disk over that of the normal law: a little of it even where mu is 0. */
static const double disk_min = 1e-3;

static tangent tangent_of(const haw_smoothing *k, maximum normal, const double *s, const double *u)
{
    double x[3] = {0.0};

    for (int i = 1; i < k->d; i++) {
        x[i] = s[i] - k->c * u[i];
    }
    const double length = haw_tangent_norm(k->d, x);
    const double radius = k->mu * normal.value, e = k->c * k->e * fmax(k->mu, disk_min);
    const maximum m = smooth_max(radius, length, e);
    tangent t = {.x = {x[1], x[2]}, .rest = 1.0};

    if (length > 0.0) {
        t.n[0] = x[1] / length;
        t.n[1] = x[2] / length;
    }
    if (m.value > 0.0) {
        t.h = radius / m.value;
        t.rest = (fmax(length - radius, 0.0) + m.excess) / m.value;
        t.h_a = (1.0 - t.h * m.slope) / m.value * k->mu * normal.slope;
        t.h_x = -t.h * (1.0 - m.slope) / m.value;
    }
    return t;
}

static void derive(const haw_smoothing *k, double slope, const tangent *t, double *a, double *b)
{
    const int d = k->d;

    memset(a, 0, (size_t)(d * d) * sizeof *a);
    memset(b, 0, (size_t)(d * d) * sizeof *b);
    a[0] = slope;
    b[0] = (1.0 - slope) / k->c;
    for (int i = 1; i < d; i++) {
        a[d * i] = t->x[i - 1] * t->h_a;
        b[d * i] = -a[d * i] / k->c;
        for (int j = 1; j < d; j++) {
            const double bend = t->x[i - 1] * t->h_x * t->n[j - 1];

            a[d * i + j] = (i == j ? t->h : 0.0) + bend;
            b[d * i + j] = ((i == j ? t->rest : 0.0) - bend) / k->c;
        }
    }
}

void haw_smoothing_residual(const haw_smoothing *smoothing, const double *s, const double *u,
                            double *g, double *a, double *b)
{
    const double c = smoothing->c, gap = s[0] - c * u[0];
    const maximum normal = smooth_max(gap, 0.0, c * smoothing->e);
    const tangent t = tangent_of(smoothing, normal, s, u);

    g[0] = gap > 0.0 ? u[0] - normal.excess / c : (s[0] - normal.excess) / c;
    for (int i = 1; i < smoothing->d; i++) {
        g[i] = t.h * u[i] + t.rest * s[i] / c;
    }
    if (a != NULL) {
        derive(smoothing, normal.slope, &t, a, b);
    }
}
