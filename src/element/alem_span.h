/* SPDX-License-Identifier: BSD-3-Clause */
/* What forces and tangent of the modal span share; see alem_span.c. */
#ifndef HAWSER_ELEMENT_ALEM_SPAN_H
#define HAWSER_ELEMENT_ALEM_SPAN_H

#include "element/ale_kernel.h"
#include "element/alem_gauss.h"

#include <string.h>

#define ALEM_PI 3.14159265358979323846

/* Unknowns of the strain: l, a_k, b_k; then s1, s2. */
enum { ALEM_REDUCED = 1 + 2 * HAW_ALE_MODES, ALEM_ENDS = 4 };

/* The span: d = r2 - r1 = l e1, L = s2 - s1, and its rates if it moves. */
typedef struct alem_span {
    int modes[2], labels;  /* index of s1 in q */
    const double *a[2];    /* axial and transverse amplitudes, in q */
    const double *rate[2]; /* theirs, in u; NULL at rest */
    double le, inverse;    /* L, 1 / L */
    double length;         /* l */
    double e1[2], e2[2];
    double label[2], swell;     /* s1', s2', L' */
    double stretching, turning; /* l', omega */
} alem_span;

/* A place: shape functions sin and their derivatives to eta, and W = (U, V) with its derivatives.
 */
typedef struct alem_place {
    double eta, weight;
    double sine[HAW_ALE_MODES], slope[HAW_ALE_MODES], square[HAW_ALE_MODES]; /* (k pi)^2 */
    double w[4][2];
} alem_place;

static inline double alem_dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/** u NULL: at rest. */
static inline alem_span alem_span_of(const haw_ale_kind *kind, const double *q, const double *u)
{
    alem_span span = {.modes = {kind->modes[0], kind->modes[1]}};
    const double d[2] = {q[2] - q[0], q[3] - q[1]};
    span.labels = ALEM_ENDS + span.modes[0] + span.modes[1];
    span.a[0] = q + ALEM_ENDS;
    span.a[1] = q + ALEM_ENDS + span.modes[0];
    span.le = q[span.labels + 1] - q[span.labels];
    span.inverse = 1.0 / span.le;
    span.length = sqrt(alem_dot(d, d));
    span.e1[0] = span.e2[1] = d[0] / span.length;
    span.e1[1] = d[1] / span.length;
    span.e2[0] = -span.e1[1];
    if (u != NULL) {
        const double rate[2] = {u[2] - u[0], u[3] - u[1]};
        span.rate[0] = u + ALEM_ENDS;
        span.rate[1] = u + ALEM_ENDS + span.modes[0];
        span.label[0] = u[span.labels];
        span.label[1] = u[span.labels + 1];
        span.swell = span.label[1] - span.label[0];
        span.stretching = alem_dot(span.e1, rate);
        span.turning = alem_dot(span.e2, rate) / span.length;
    }
    return span;
}

static inline alem_place alem_place_of(const alem_span *span, const alem_gauss *at)
{
    const int most = span->modes[0] > span->modes[1] ? span->modes[0] : span->modes[1];
    alem_place place = {.eta = at->eta, .weight = at->weight};
    double sine = 0.0, cosine = 1.0;
    for (int k = 0; k < most; k++) {
        const double next = sine * at->cosine + cosine * at->sine, wave = (k + 1) * ALEM_PI;
        cosine = cosine * at->cosine - sine * at->sine;
        sine = next;
        place.sine[k] = sine;
        place.slope[k] = wave * cosine;
        place.square[k] = wave * wave;
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < span->modes[i]; k++) {
            const double value = span->a[i][k] * place.sine[k];
            const double slope = span->a[i][k] * place.slope[k];
            place.w[0][i] += value;
            place.w[1][i] += slope;
            place.w[2][i] -= place.square[k] * value;
            place.w[3][i] -= place.square[k] * slope;
        }
    }
    return place;
}

static inline alem_place alem_place_at(const alem_span *span, double eta)
{
    const alem_gauss at = {eta, 0.0, sin(ALEM_PI * eta), cos(ALEM_PI * eta)};
    return alem_place_of(span, &at);
}

static inline void alem_to_global(const alem_span *span, const double local[2], double x[2])
{
    x[0] = span->e1[0] * local[0] + span->e2[0] * local[1];
    x[1] = span->e1[1] * local[0] + span->e2[1] * local[1];
}

/** sum_k c_k f_k of amplitudes' rates. */
static inline double alem_sum(int modes, const double *c, const double *f)
{
    double sum = 0.0;
    for (int k = 0; k < modes; k++) {
        sum += c[k] * f[k];
    }
    return sum;
}

/** d(eta)/dt at a fixed label. */
static inline double alem_drift(const alem_span *span, double eta)
{
    return -((1.0 - eta) * span->label[0] + eta * span->label[1]) * span->inverse;
}

/** r', r'', r''' in the frame of the span. */
static inline void alem_slopes(const alem_span *span, const alem_place *place, double x[3][2])
{
    const double inverse = span->inverse, square = inverse * inverse;
    for (int i = 0; i < 2; i++) {
        x[0][i] = ((i == 0 ? span->length : 0.0) + place->w[1][i]) * inverse;
        x[1][i] = place->w[2][i] * square;
        x[2][i] = place->w[3][i] * square * inverse;
    }
}

/** Rates of r' and r'' at a fixed label, without the spin of the frame. */
static inline void alem_slope_rates(const alem_span *span, const alem_place *place, double x[3][2],
                                    double dx[2], double dy[2])
{
    const double inverse = span->inverse, swell = span->swell * inverse;
    const double flow = alem_drift(span, place->eta) * span->le;
    for (int i = 0; i < 2; i++) {
        double slope = i == 0 ? span->stretching : 0.0, bend = 0.0;
        for (int k = 0; k < span->modes[i]; k++) {
            slope += span->rate[i][k] * place->slope[k];
            bend -= span->rate[i][k] * place->square[k] * place->sine[k];
        }
        dx[i] = slope * inverse - swell * x[0][i] + flow * x[1][i];
        dy[i] = bend * inverse * inverse - 2.0 * swell * x[1][i] + flow * x[2][i];
    }
}

/** Mean of sin((k + 1) pi eta). */
static inline double alem_mean(int k)
{
    return k % 2 == 0 ? 2.0 / ((k + 1) * ALEM_PI) : 0.0;
}

/** Mean of U e1 + V e2 in the frame. */
static inline void alem_mean_of(const alem_span *span, double w[2])
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
                           const double *q, const double *u, double mass, double rate, double *k);

#endif
