/* SPDX-License-Identifier: BSD-3-Clause */
#include "solver/newton_residual.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The tangential argument x of one contact: its direction n = x/|x| and k = mu max(a, 0)/|x|. */
typedef struct tangent {
    double k, n[2];
} tangent;

static haw_contact_state classify(int d, double mu, double c, const double *s, const double *u,
                                  tangent *t)
{
    const double a = s[0] - c * u[0];
    const double x[2] = {s[1] - c * u[1], d == 3 ? s[2] - c * u[2] : 0.0};
    const double length = d == 3 ? sqrt(x[0] * x[0] + x[1] * x[1]) : fabs(x[0]);

    *t = (tangent){0};
    if (!(a > 0.0)) {
        return HAW_CONTACT_OPEN;
    }
    if (length <= mu * a && mu > 0.0) {
        return HAW_CONTACT_STICK;
    }
    if (length > 0.0) { /* else mu = 0 and the disk is a point: g_T = s_T/c */
        t->k = mu * a / length;
        t->n[0] = x[0] / length;
        t->n[1] = x[1] / length;
    }
    return HAW_CONTACT_SLIP;
}

static void residual(int d, double c, const double *s, const double *u, haw_contact_state state,
                     const tangent *t, double *g)
{
    g[0] = state == HAW_CONTACT_OPEN ? s[0] / c : u[0];
    for (int i = 1; i < d; i++) {
        switch (state) {
        case HAW_CONTACT_OPEN:
            g[i] = s[i] / c;
            break;
        case HAW_CONTACT_STICK:
            g[i] = u[i];
            break;
        case HAW_CONTACT_SLIP:
            g[i] = (s[i] - t->k * (s[i] - c * u[i])) / c;
            break;
        }
    }
}

haw_contact_state haw_newton_residual(int d, double mu, double c, const double *s, const double *u,
                                      double *g)
{
    tangent t;
    const haw_contact_state state = classify(d, mu, c, s, u, &t);

    residual(d, c, s, u, state, &t, g);
    return state;
}

/* c dg_T = ds_T - P (ds_T - c du_T) - mu n (ds_N - c du_N) with P = k (I - n n^T). */
static void slip_rows(int d, double mu, double c, const tangent *t, double *a, double *b)
{
    for (int i = 1; i < d; i++) {
        b[d * i] = -mu * t->n[i - 1] / c;
        a[d * i] = mu * t->n[i - 1];
        for (int j = 1; j < d; j++) {
            const double unit = i == j ? 1.0 : 0.0;
            const double p = t->k * (unit - t->n[i - 1] * t->n[j - 1]);

            b[d * i + j] = (unit - p) / c;
            a[d * i + j] = p;
        }
    }
}

haw_contact_state haw_newton_jacobian(int d, double mu, double c, const double *s, const double *u,
                                      double *g, double *a, double *b)
{
    tangent t;
    const haw_contact_state state = classify(d, mu, c, s, u, &t);

    residual(d, c, s, u, state, &t, g);
    memset(a, 0, (size_t)(d * d) * sizeof *a);
    memset(b, 0, (size_t)(d * d) * sizeof *b);
    for (int i = 0; i < d; i++) {
        const bool impulse = state == HAW_CONTACT_OPEN;

        a[d * i + i] = impulse ? 0.0 : 1.0;
        b[d * i + i] = impulse ? 1.0 / c : 0.0;
    }
    if (state == HAW_CONTACT_SLIP) {
        slip_rows(d, mu, c, &t, a, b);
    }
    return state;
}
