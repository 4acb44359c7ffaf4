/* SPDX-License-Identifier: BSD-3-Clause */
/* What forces and tangent of the planar modal span share; see alem_span.c. */
#ifndef HAWSER_ELEMENT_ALEM_SPAN_H
#define HAWSER_ELEMENT_ALEM_SPAN_H

#include "element/ale_kernel.h"
#include "element/alem_modes.h"

/* Unknowns of the strain: l, a_k, b_k. */
enum { ALEM_REDUCED = 1 + 2 * HAW_ALE_MODES, ALEM_ENDS = 4 };

/* The span: d = r2 - r1 = l e1, and the spin omega of its frame. */
typedef struct alem_span {
    alem_modes modes;
    int labels;   /* index of s1 in q */
    int first[2]; /* of a and b */
    double e1[2], e2[2];
    double turning;
} alem_span;

static inline double alem_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/** u NULL: at rest. */
static inline alem_span alem_span_of(const haw_ale_kind *kind, const double *q, const double *u)
{
    const double *v = u != NULL ? u : alem_rest;
    const int axial = kind->modes[0], labels = ALEM_ENDS + axial + kind->modes[1];
    const double d[2] = {q[2] - q[0], q[3] - q[1]}, rate[2] = {v[2] - v[0], v[3] - v[1]};
    const double length = sqrt(alem_dot(d, d)), le = q[labels + 1] - q[labels];
    alem_span span = {.labels = labels, .first = {ALEM_ENDS, ALEM_ENDS + axial}};
    span.e1[0] = span.e2[1] = d[0] / length;
    span.e1[1] = d[1] / length;
    span.e2[0] = -span.e1[1];
    span.turning = alem_dot(span.e2, rate) / length;
    span.modes = (alem_modes){
        .parts = 2,
        .modes = {axial, kind->modes[1]},
        .a = {q + span.first[0], q + span.first[1]},
        .rate = {v + span.first[0], v + span.first[1]},
        .le = le,
        .inverse = 1.0 / le,
        .length = length,
        .label = {v[labels], v[labels + 1]},
        .swell = v[labels + 1] - v[labels],
        .stretching = alem_dot(span.e1, rate),
    };
    return span;
}

static inline const alem_rule *alem_span_rule(const haw_ale_kind *kind)
{
    return alem_rule_for(alem_most(kind->modes, 2));
}

static inline void alem_to_global(const alem_span *span, const double *local, double x[2])
{
    x[0] = span->e1[0] * local[0] + span->e2[0] * local[1];
    x[1] = span->e1[1] * local[0] + span->e2[1] * local[1];
}

/** Mean of (U, V). */
static inline void alem_mean_of(const alem_modes *span, double w[2])
{
    for (int i = 0; i < 2; i++) {
        w[i] = 0.0;
        for (int k = 0; k < span->modes[i]; k++) {
            w[i] += span->a[i][k] * alem_mean(k);
        }
    }
}

/* ---- rows of haw_ale_ops, in alem_span_force.c and alem_span_tangent.c ---- */

void haw_alem_span_energy(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                          double energy[2]);
void haw_alem_span_force(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                         const double *u, double *f, double *d);
void haw_alem_span_axial(const haw_ale_kind *kind, const haw_ale_section *section, double s,
                         const double *q, const double *u, haw_ale_axial *axial);
double haw_alem_span_tension_mean(const haw_ale_kind *kind, const haw_ale_section *section,
                                  const double *q, const double *u);
void haw_alem_span_tangent(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u, const double factor[2], double *k);

#endif
