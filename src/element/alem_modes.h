/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What planar and spatial modal spans share: in the frame of the span r - r1 - eta d = (U, V, ..),
 * each a sum of sin k pi eta, and r' = (l + U_eta, V_eta, ..) / L. At a fixed label, with
 * e = d(eta)/dt = -[(1 - eta) s1' + eta s2'] / L,
 *
 *     d(r')/dt  = [(l', 0, ..) + sum a' (sin)_eta]  / L   -   r'  L'/L + e L r'',
 *     d(r'')/dt = sum a' (sin)_eta eta / L^2              - 2 r'' L'/L + e L r''',
 *
 * and the same with d(eta) = -(1 - eta) ds1 / L, dL = -ds1 for the work on a label.
 */
#ifndef HAWSER_ELEMENT_ALEM_MODES_H
#define HAWSER_ELEMENT_ALEM_MODES_H

#include "element/ale.h"
#include "element/alem_gauss.h"

#include <math.h>
#include <string.h>

#define ALEM_PI 3.14159265358979323846

/* Rates of a span at rest. */
static const double alem_rest[2 * HAW_ALE_DOFS] = {0.0};

/* Amplitudes and lengths, d = r2 - r1, |d| = l, L = s2 - s1, and their rates. */
typedef struct alem_modes {
    int parts; /* components of r: 2 or 3 */
    int modes[3];
    const double *a[3], *rate[3];
    double le, inverse;                 /* L, 1 / L */
    double length;                      /* l */
    double label[2], swell, stretching; /* s1', s2', L', l' */
} alem_modes;

/* A place: shape functions, their derivatives to eta, (U, V, ..) and its derivatives. */
typedef struct alem_place {
    double eta, weight;
    double sine[HAW_ALE_MODES], slope[HAW_ALE_MODES], square[HAW_ALE_MODES]; /* (k pi)^2 */
    double w[4][3];
} alem_place;

static inline int alem_most(const int *modes, int parts)
{
    int most = 0;
    for (int i = 0; i < parts; i++) {
        most = modes[i] > most ? modes[i] : most;
    }
    return most;
}

static inline alem_place alem_place_of(const alem_modes *span, const alem_gauss *at)
{
    const int most = alem_most(span->modes, span->parts);
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
    for (int i = 0; i < span->parts; i++) {
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

static inline alem_place alem_place_at(const alem_modes *span, double eta)
{
    const alem_gauss at = {eta, 0.0, sin(ALEM_PI * eta), cos(ALEM_PI * eta)};
    return alem_place_of(span, &at);
}

static inline double alem_sum(int modes, const double *c, const double *f)
{
    double sum = 0.0;
    for (int k = 0; k < modes; k++) {
        sum += c[k] * f[k];
    }
    return sum;
}

/** d(eta)/dt at a fixed label. */
static inline double alem_drift(const alem_modes *span, double eta)
{
    return -((1.0 - eta) * span->label[0] + eta * span->label[1]) * span->inverse;
}

/** Mean of sin((k + 1) pi eta). */
static inline double alem_mean(int k)
{
    return k % 2 == 0 ? 2.0 / ((k + 1) * ALEM_PI) : 0.0;
}

/* ---- strain ---- */

/** r', r'', r''' in the frame of the span. */
static inline void alem_slopes(const alem_modes *span, const alem_place *place, double x[3][3])
{
    const double inverse = span->inverse, square = inverse * inverse;
    for (int i = 0; i < span->parts; i++) {
        x[0][i] = ((i == 0 ? span->length : 0.0) + place->w[1][i]) * inverse;
        x[1][i] = place->w[2][i] * square;
        x[2][i] = place->w[3][i] * square * inverse;
    }
}

/** Rates of r' and r'' at a fixed label, without the spin of the frame. */
static inline void alem_slope_rates(const alem_modes *span, const alem_place *place, double x[3][3],
                                    double *dx, double *dy)
{
    const double inverse = span->inverse, swell = span->swell * inverse;
    const double flow = alem_drift(span, place->eta) * span->le;
    for (int i = 0; i < span->parts; i++) {
        double slope = i == 0 ? span->stretching : 0.0, bend = 0.0;
        for (int k = 0; k < span->modes[i]; k++) {
            slope += span->rate[i][k] * place->slope[k];
            bend -= span->rate[i][k] * place->square[k] * place->sine[k];
        }
        dx[i] = slope * inverse - swell * x[0][i] + flow * x[1][i];
        dy[i] = bend * inverse * inverse - 2.0 * swell * x[1][i] + flow * x[2][i];
    }
}

/* Work on l, amplitudes and labels. */
typedef struct alem_work {
    double length, amplitude[3][HAW_ALE_MODES], label[2];
} alem_work;

/** Of the conjugates n, m of r', r'' at a place. */
static inline void alem_add_stress(const alem_modes *span, const alem_place *place, double x[3][3],
                                   const double *n, const double *m, alem_work *sum)
{
    const double inverse = span->inverse, weight = place->weight * span->le;
    double swell = 0.0, flow = 0.0;
    sum->length += weight * inverse * n[0];
    for (int i = 0; i < span->parts; i++) {
        const double slope = weight * inverse * n[i], bend = weight * inverse * inverse * m[i];
        swell += (n[i] * x[0][i] + 2.0 * m[i] * x[1][i]) * inverse * weight;
        flow += (n[i] * x[1][i] + m[i] * x[2][i]) * weight;
        for (int k = 0; k < span->modes[i]; k++) {
            sum->amplitude[i][k] +=
                slope * place->slope[k] - bend * place->square[k] * place->sine[k];
        }
    }
    sum->label[0] += swell - (1.0 - place->eta) * flow;
    sum->label[1] -= swell + place->eta * flow;
}

/* ---- inertia ---- */

/* Second rates of labels and amplitudes; zero: the convective part alone. */
typedef struct alem_second {
    double label[2];
    const double *amplitude[3];
} alem_second;

/* Rates of eta and (U, V, ..) at a fixed label. */
typedef struct alem_flow {
    double drift, push; /* of eta */
    double first[3], twice[3];
} alem_flow;

static inline alem_flow alem_flow_of(const alem_modes *span, const alem_place *place,
                                     const alem_second *rates)
{
    const double eta = place->eta, drift = alem_drift(span, eta), inverse = span->inverse;
    const double push = -2.0 * drift * span->swell * inverse -
                        ((1.0 - eta) * rates->label[0] + eta * rates->label[1]) * inverse;
    alem_flow flow = {.drift = drift, .push = push};
    for (int i = 0; i < span->parts; i++) {
        const double *rate = span->rate[i];
        flow.first[i] = alem_sum(span->modes[i], rate, place->sine) + place->w[1][i] * drift;
        flow.twice[i] = 2.0 * drift * alem_sum(span->modes[i], rate, place->slope) +
                        place->w[2][i] * drift * drift + place->w[1][i] * push +
                        alem_sum(span->modes[i], rates->amplitude[i], place->sine);
    }
    return flow;
}

/* Integrals over eta of A, eta A, r' A and the modes' of an acceleration A in the frame. */
typedef struct alem_inertia {
    double whole[3], moment[3], label[2], amplitude[3][HAW_ALE_MODES];
} alem_inertia;

static inline void alem_add_inertia(const alem_modes *span, const alem_place *place,
                                    const double *a, alem_inertia *sum)
{
    const double eta = place->eta;
    double along = 0.0;
    for (int i = 0; i < span->parts; i++) {
        const double share = place->weight * a[i];
        along += share * ((i == 0 ? span->length : 0.0) + place->w[1][i]) * span->inverse;
        sum->whole[i] += share;
        sum->moment[i] += eta * share;
        for (int k = 0; k < span->modes[i]; k++) {
            sum->amplitude[i][k] += place->sine[k] * share;
        }
    }
    sum->label[0] -= (1.0 - eta) * along;
    sum->label[1] -= eta * along;
}

#endif
