/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/interior.h"

#include "solver/cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the tangential rows from 1 on. */
static double dot(int d, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 1; k < d; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

/* What the products should be, less what they are. */
static double normal_rest(const haw_interior *c)
{
    const double second = c->ds != NULL ? c->ds[0] * c->dz[0] : 0;
    return c->t - c->s[0] * c->z[0] - second;
}

static double bound_rest(const haw_interior *c)
{
    const double second =
        c->ds != NULL ? c->mu * c->ds[0] * c->dz[c->d] + dot(c->d, c->ds, c->dz) : 0;
    return 2 * c->t - c->mu * c->s[0] * c->z[c->d] - dot(c->d, c->s, c->z) - second;
}

static double tangential_rest(const haw_interior *c, int k)
{
    const double second = c->ds != NULL ? c->mu * c->ds[0] * c->dz[k] + c->dz[c->d] * c->ds[k] : 0;
    return -c->mu * c->s[0] * c->z[k] - c->z[c->d] * c->s[k] - second;
}

/* Without friction: s_T = 0. Else, l from the third equation in the fourth,
 *
 *     (l I - s_T y_T' / R) ds_T + (R I - s_T s_T' / R) dy_T + (y_T - l s_T / R) mu ds_N = rest,
 *
 * over R + l, and dy = du + alpha ds + u - y. */
void haw_interior_equations(const haw_interior *c, double *g, double *a, double *b)
{
    const int d = c->d;
    const double *s = c->s, *y = c->z, scale = s[0] + y[0];
    const double radius = c->mu * s[0], bound = c->z[d], unit = 1 / (radius + bound);
    const double bound_over = bound_rest(c) / radius;
    memset(a, 0, (size_t)(d * d) * sizeof *a);
    memset(b, 0, (size_t)(d * d) * sizeof *b);
    a[0] = s[0] / scale;
    b[0] = y[0] / scale;
    g[0] = a[0] * (c->u[0] - y[0]) - normal_rest(c) / scale;
    for (int i = 1; i < d; i++) {
        if (!(c->mu > 0)) {
            b[d * i + i] = 1;
            g[i] = s[i];
            continue;
        }
        g[i] = unit * (s[i] * bound_over - tangential_rest(c, i));
        b[d * i] = unit * c->mu * (y[i] - bound * s[i] / radius);
        for (int j = 1; j < d; j++) {
            a[d * i + j] = unit * ((i == j ? radius : 0) - s[i] * s[j] / radius);
            b[d * i + j] = unit * ((i == j ? bound : 0) - s[i] * y[j] / radius);
            g[i] += a[d * i + j] * (c->u[j] - y[j]);
        }
    }
}

void haw_interior_slack(const haw_interior *c, const double *ds, const double *du, double *dz)
{
    const int d = c->d;
    for (int k = 0; k < d; k++) {
        dz[k] = du[k] + c->alpha * ds[k] + c->u[k] - c->z[k];
    }
    dz[d] = 0;
    if (c->mu > 0) {
        const double turned = dot(d, c->s, dz) + dot(d, c->z, ds);
        dz[d] = (bound_rest(c) - c->z[d] * c->mu * ds[0] - turned) / (c->mu * c->s[0]);
    }
}

/* x_0^2 - |x_T|^2, x inside. */
static double inside_square(int d, double x0, const double *x)
{
    const double length = haw_tangent_norm(d, x);
    return fmax(x0 - length, DBL_EPSILON * DBL_EPSILON * x0) * (x0 + length);
}

/* The least t > 0 with x_0 + t dx_0 = |x_T + t dx_T|, x inside. */
static double find_room(int d, double x0, double dx0, const double *x, const double *dx)
{
    const double a = dx0 * dx0 - dot(d, dx, dx);
    const double b = x0 * dx0 - dot(d, x, dx);
    const double c = inside_square(d, x0, x);
    const double root = b * b - a * c, below = root >= 0 ? sqrt(root) - b : -1;
    return below > 0 ? c / below : HUGE_VAL;
}

double haw_interior_room(const haw_interior *c, const double *ds, const double *dz)
{
    const int d = c->d;
    double room =
        fmin(ds[0] < 0 ? -c->s[0] / ds[0] : HUGE_VAL, dz[0] < 0 ? -c->z[0] / dz[0] : HUGE_VAL);
    if (c->mu > 0) {
        room = fmin(room, find_room(d, c->mu * c->s[0], c->mu * ds[0], c->s, ds));
        room = fmin(room, find_room(d, c->z[d], dz[d], c->z, dz));
    }
    return room;
}

double haw_interior_gap(const haw_interior *c, double part, const double *ds, const double *dz)
{
    const int d = c->d;
    const double force = c->s[0] + part * ds[0];
    double gap = force * (c->z[0] + part * dz[0]) + c->mu * force * (c->z[d] + part * dz[d]);
    for (int k = 1; k < d; k++) {
        gap += (c->s[k] + part * ds[k]) * (c->z[k] + part * dz[k]);
    }
    return gap;
}

/* a' H b of the Hessian H of -log(x_0^2 - |x_T|^2). */
static double cone_product(int d, double x0, const double *x, const double a[2], const double *at,
                           const double *bt)
{
    const double square = inside_square(d, x0, x);
    const double xa = x0 * a[0] - dot(d, x, at), xb = x0 * a[1] - dot(d, x, bt);
    return 4 * (xa / square) * (xb / square) - 2 * (a[0] * a[1] - dot(d, at, bt)) / square;
}

double haw_interior_product(const haw_interior *c, const double *ds, const double *dz,
                            const double *es, const double *ez)
{
    const int d = c->d;
    double sum = ds[0] / c->s[0] * (es[0] / c->s[0]) + dz[0] / c->z[0] * (ez[0] / c->z[0]);
    if (c->mu > 0) {
        const double radius[] = {c->mu * ds[0], c->mu * es[0]}, bound[] = {dz[d], ez[d]};
        sum += cone_product(d, c->mu * c->s[0], c->s, radius, ds, es);
        sum += cone_product(d, c->z[d], c->z, bound, dz, ez);
    }
    return sum;
}
