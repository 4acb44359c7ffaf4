/* SPDX-License-Identifier: BSD-3-Clause */
/* Frame of the spatial span and its places; see alem_space.c. */
#ifndef HAWSER_ELEMENT_ALEM_SPACE_KERNEL_H
#define HAWSER_ELEMENT_ALEM_SPACE_KERNEL_H

#include "base/lie.h"
#include "element/alem_modes.h"
#include "element/alem_space.h"

enum { SPACE_ENDS = 6 };

typedef struct space_span {
    alem_modes modes;
    int first[3];           /* of a, b, c in q */
    int twist, labels;      /* of theta1, s1 */
    double e[3][3];         /* e1, e2, e3 */
    double k[2];            /* spin about e1: k2 alpha + k3 beta */
    double omega[3];        /* of the triad, in the triad */
    double end[2], rate[2]; /* twists and their rates */
} space_span;

/** Triad of d from the reference, and k. @return |d| */
static inline double space_triad(const double reference[9], const double d[3], double e[3][3],
                                 double k[2])
{
    double m[3], local[3][3];
    const double length = vec3_norm(d);
    mat3_apply_t(reference, d, m);
    for (int i = 0; i < 3; i++) {
        m[i] /= length;
    }
    const double share = 1.0 / (1.0 + m[0]), mixed = -m[1] * m[2] * share;
    memcpy(local[0], m, sizeof m);
    memcpy(local[1], (const double[3]){-m[1], 1.0 - m[1] * m[1] * share, mixed}, sizeof m);
    memcpy(local[2], (const double[3]){-m[2], mixed, 1.0 - m[2] * m[2] * share}, sizeof m);
    for (int i = 0; i < 3; i++) {
        mat3_apply(reference, local[i], e[i]);
    }
    k[0] = m[2] * share;
    k[1] = -m[1] * share;
    return length;
}

/** Components in the triad. */
static inline void space_local(const space_span *span, const double x[3], double local[3])
{
    for (int i = 0; i < 3; i++) {
        local[i] = vec3_dot(span->e[i], x);
    }
}

static inline void space_global(const space_span *span, const double local[3], double x[3])
{
    for (int i = 0; i < 3; i++) {
        x[i] = span->e[0][i] * local[0] + span->e[1][i] * local[1] + span->e[2][i] * local[2];
    }
}

/** u NULL: at rest. */
static inline space_span space_span_of(const haw_alem_space *kind, const double *q, const double *u)
{
    const double *v = u != NULL ? u : alem_rest;
    const double d[3] = {q[3] - q[0], q[4] - q[1], q[5] - q[2]};
    const double moving[3] = {v[3] - v[0], v[4] - v[1], v[5] - v[2]};
    double rate[3];
    space_span span = {.modes = {.parts = 3}};
    alem_modes *modes = &span.modes;
    modes->length = space_triad(kind->triad, d, span.e, span.k);
    for (int i = 0, at = SPACE_ENDS; i < 3; i++) {
        modes->modes[i] = kind->modes[i];
        modes->a[i] = q + at;
        modes->rate[i] = v + at;
        span.first[i] = at;
        at += kind->modes[i];
        span.twist = at;
    }
    span.labels = span.twist + 2;
    for (int i = 0; i < 2; i++) {
        span.end[i] = q[span.twist + i];
        span.rate[i] = v[span.twist + i];
        modes->label[i] = v[span.labels + i];
    }
    modes->le = q[span.labels + 1] - q[span.labels];
    modes->inverse = 1.0 / modes->le;
    modes->swell = modes->label[1] - modes->label[0];
    space_local(&span, moving, rate);
    modes->stretching = rate[0];
    span.omega[0] = (span.k[0] * rate[1] + span.k[1] * rate[2]) / modes->length;
    span.omega[1] = -rate[2] / modes->length;
    span.omega[2] = rate[1] / modes->length;
    return span;
}

static inline const alem_rule *space_rule(const haw_alem_space *kind)
{
    return alem_rule_for(alem_most(kind->modes, 3));
}

/* Integrals of J^T A over a span, A accelerations of places and twists per length. */
typedef struct space_inertia {
    alem_inertia modes;
    double turn[3];  /* of rho x A */
    double twist[2]; /* of (1 - eta) and eta times that of the twist */
} space_inertia;

/** sum += density a, rotary twist at a place. */
static inline void space_add_inertia(const space_span *span, const alem_place *place,
                                     const double a[3], double twist, space_inertia *sum)
{
    double moment[3];
    alem_add_inertia(&span->modes, place, a, &sum->modes);
    vec3_cross(place->w[0], a, moment);
    vec3_add(place->weight, moment, sum->turn);
    sum->twist[0] += place->weight * (1.0 - place->eta) * twist;
    sum->twist[1] += place->weight * place->eta * twist;
}

/** In alem_space.c: y += factor times the sums as forces. */
void haw_alem_space_scatter(const space_span *span, const space_inertia *sum, double factor,
                            double *y);

#endif
