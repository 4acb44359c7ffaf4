/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modal span of a rope: with L = s2 - s1, eta = (s - s1) / L, d = r2 - r1 = l e1 and e2 = e1 turned
 * by +90 degrees,
 *
 *     r = r1 + eta d + U e1 + V e2,   U = sum a_k sin k pi eta,   V = sum b_k sin k pi eta.
 *
 * Label columns of J are -(1 - eta) r' and -eta r'. With e = d(eta)/dt at a fixed label and the
 * spin omega = e2.d'/l of the frame, dots for U', U.. at a fixed label, the acceleration is
 *
 *     (1 - eta) r1.. + eta r2.. in the sense of its columns + 2 e d' + e.. d
 *     + e1 (U.. - omega^2 U - omega. V - 2 omega V')
 *     + e2 (V.. - omega^2 V + omega. U + 2 omega U'),
 *
 *     e.. = -2 e L'/L - [(1 - eta) s1.. + eta s2..] / L,   omega. = -2 omega l'/l + e2.d../l.
 *
 * In the frame of the span r' = (l + U_eta, V_eta) / L, and at a fixed label
 *
 *     d(r')/dt  = [(l', 0) + sum a' (sin)_eta]  / L   -   r'  L'/L + e L r'',
 *     d(r'')/dt = sum a' (sin)_eta eta / L^2              - 2 r'' L'/L + e L r''',
 *
 * with e = -[(1 - eta) s1' + eta s2'] / L; likewise with d(eta) = -(1 - eta) ds1 / L, dL = -ds1 for
 * the work on a label. Strain and curvature see l, a, b, s1, s2 alone: the spin of the frame does
 * no work.
 */
#include "element/ale_kernel.h"
#include "element/alem_gauss.h"

#include <math.h>
#include <string.h>

#define ALEM_PI 3.14159265358979323846

/* Rates of a span at rest. */
static const double alem_rest[2 * HAW_ALE_DOFS] = {0.0};

/* The span, its amplitudes and lengths, and their rates. */
typedef struct alem_span {
    int labels;       /* index of s1 in q */
    int first[2];     /* of a and b */
    const int *modes; /* [2] */
    const double *a[2], *rate[2];
    double le, inverse;                 /* L, 1 / L */
    double length;                      /* l */
    double label[2], swell, stretching; /* s1', s2', L', l' */
    double e1[2], e2[2];
    double turning; /* omega */
} alem_span;

/* A place: shape functions, their derivatives to eta, (U, V) and its derivatives. */
typedef struct alem_place {
    double eta, weight;
    double sine[HAW_ALE_MODES], slope[HAW_ALE_MODES], square[HAW_ALE_MODES]; /* (k pi)^2 */
    double w[4][2];
} alem_place;

static inline int alem_most(const int modes[2])
{
    return modes[0] > modes[1] ? modes[0] : modes[1];
}

static inline alem_place alem_place_of(const alem_span *span, const alem_gauss *at)
{
    const int most = alem_most(span->modes);
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

/** Mean of sin((k + 1) pi eta). */
static inline double alem_mean(int k)
{
    return k % 2 == 0 ? 2.0 / ((k + 1) * ALEM_PI) : 0.0;
}

/* ---- strain ---- */

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
                                    double *dx, double *dy)
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

/* Work on l, amplitudes and labels. */
typedef struct alem_work {
    double length, amplitude[2][HAW_ALE_MODES], label[2];
} alem_work;

/** Of the conjugates n, m of r', r'' at a place. */
static inline void alem_add_stress(const alem_span *span, const alem_place *place, double x[3][2],
                                   const double *n, const double *m, alem_work *sum)
{
    const double inverse = span->inverse, weight = place->weight * span->le;
    double swell = 0.0, flow = 0.0;
    sum->length += weight * inverse * n[0];
    for (int i = 0; i < 2; i++) {
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
    const double *amplitude[2];
} alem_second;

/* Rates of eta and (U, V) at a fixed label. */
typedef struct alem_flow {
    double drift, push; /* of eta */
    double first[2], twice[2];
} alem_flow;

static inline alem_flow alem_flow_of(const alem_span *span, const alem_place *place,
                                     const alem_second *rates)
{
    const double eta = place->eta, drift = alem_drift(span, eta), inverse = span->inverse;
    const double push = -2.0 * drift * span->swell * inverse -
                        ((1.0 - eta) * rates->label[0] + eta * rates->label[1]) * inverse;
    alem_flow flow = {.drift = drift, .push = push};
    for (int i = 0; i < 2; i++) {
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
    double whole[2], moment[2], label[2], amplitude[2][HAW_ALE_MODES];
} alem_inertia;

static inline void alem_add_inertia(const alem_span *span, const alem_place *place, const double *a,
                                    alem_inertia *sum)
{
    const double eta = place->eta;
    double along = 0.0;
    for (int i = 0; i < 2; i++) {
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

/* Unknowns of the strain: l, a_k, b_k. */
enum { ALEM_REDUCED = 1 + 2 * HAW_ALE_MODES, ALEM_ENDS = 4 };

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
    alem_span span = {
        .labels = labels,
        .first = {ALEM_ENDS, ALEM_ENDS + axial},
        .modes = kind->modes,
        .a = {q + ALEM_ENDS, q + ALEM_ENDS + axial},
        .rate = {v + ALEM_ENDS, v + ALEM_ENDS + axial},
        .le = le,
        .inverse = 1.0 / le,
        .length = length,
        .label = {v[labels], v[labels + 1]},
        .swell = v[labels + 1] - v[labels],
    };
    span.e1[0] = span.e2[1] = d[0] / length;
    span.e1[1] = d[1] / length;
    span.e2[0] = -span.e1[1];
    span.turning = alem_dot(span.e2, rate) / length;
    span.stretching = alem_dot(span.e1, rate);
    return span;
}

static inline void alem_to_global(const alem_span *span, const double *local, double x[2])
{
    x[0] = span->e1[0] * local[0] + span->e2[0] * local[1];
    x[1] = span->e1[1] * local[0] + span->e2[1] * local[1];
}

/** Mean of (U, V). */
static inline void alem_mean_of(const alem_span *span, double w[2])
{
    for (int i = 0; i < 2; i++) {
        w[i] = 0.0;
        for (int k = 0; k < span->modes[i]; k++) {
            w[i] += span->a[i][k] * alem_mean(k);
        }
    }
}

static int dofs(const int modes[2])
{
    return ALEM_ENDS + 2 + modes[0] + modes[1];
}

/* ---- motion of a place, in the frame of the span ---- */

static inline void velocity(const alem_span *span, const alem_place *place, const double *u,
                            double v[2])
{
    const double eta = place->eta, drift = alem_drift(span, eta), spin = span->turning;
    const double u0[2] = {alem_dot(span->e1, u), alem_dot(span->e2, u)};
    for (int i = 0; i < 2; i++) {
        v[i] =
            u0[i] + alem_sum(span->modes[i], span->rate[i], place->sine) + place->w[1][i] * drift;
    }
    v[0] += eta * span->stretching + drift * span->length - spin * place->w[0][1];
    v[1] += eta * spin * span->length + spin * place->w[0][0];
}

/* Second rates of the span's own quantities; zero: the convective part alone. */
typedef struct second {
    double ends[2][2]; /* of r1, r2, in the frame */
    double turning;    /* e2.d.. / l */
    alem_second modes;
} second;

static const second none = {.modes = {.amplitude = {alem_rest, alem_rest}}};

static second second_of(const alem_span *span, const double *a)
{
    second rates = {.modes = {.label = {a[span->labels], a[span->labels + 1]},
                              .amplitude = {a + span->first[0], a + span->first[1]}}};
    for (int e = 0; e < 2; e++) {
        rates.ends[e][0] = alem_dot(span->e1, a + 2 * e);
        rates.ends[e][1] = alem_dot(span->e2, a + 2 * e);
    }
    rates.turning = (rates.ends[1][1] - rates.ends[0][1]) / span->length;
    return rates;
}

static inline void acceleration(const alem_span *span, const alem_place *place, const second *rates,
                                double out[2])
{
    const double length = span->length, stretching = span->stretching;
    const double eta = place->eta, spin = span->turning, *w = place->w[0];
    const double twist = rates->turning - 2.0 * spin * stretching / length;
    const alem_flow flow = alem_flow_of(span, place, &rates->modes);
    for (int i = 0; i < 2; i++) {
        out[i] = (1.0 - eta) * rates->ends[0][i] + eta * rates->ends[1][i] + flow.twice[i] -
                 spin * spin * w[i];
    }
    out[0] += 2.0 * stretching * flow.drift + length * flow.push - twist * w[1] -
              2.0 * spin * flow.first[1];
    out[1] += 2.0 * spin * length * flow.drift + twist * w[0] + 2.0 * spin * flow.first[0];
}

/* ---- a point ---- */

/* J: columns of r1, r2, amplitudes, labels. x: r' in the frame of the span. */
static void jacobian(const alem_span *span, const alem_place *place, const double x[2],
                     double j[2][HAW_ALE_DOFS])
{
    const double eta = place->eta, *e1 = span->e1, *e2 = span->e2;
    const double length = span->length, *w = place->w[0];
    const double turned[2] = {-w[1] / length, w[0] / length};
    double across[2], slope[2];
    alem_to_global(span, turned, across);
    alem_to_global(span, x, slope);
    for (int i = 0; i < 2; i++) {
        for (int l = 0; l < 2; l++) {
            const double one = i == l ? 1.0 : 0.0, turn = across[i] * e2[l];
            j[i][l] = (1.0 - eta) * one - turn;
            j[i][2 + l] = eta * one + turn;
        }
        for (int part = 0; part < 2; part++) {
            const double axis = part == 0 ? e1[i] : e2[i];
            for (int k = 0; k < span->modes[part]; k++) {
                j[i][span->first[part] + k] = axis * place->sine[k];
            }
        }
        j[i][span->labels] = -(1.0 - eta) * slope[i];
        j[i][span->labels + 1] = -eta * slope[i];
    }
}

static void point(const haw_ale_kind *kind, double s, const double *q, const double *u, int want,
                  haw_ale_point *point)
{
    const bool moves = want & (HAW_ALE_MOTION | HAW_ALE_GAMMA);
    const alem_span span = alem_span_of(kind, q, moves ? u : NULL);
    const alem_place place = alem_place_at(&span, (s - q[span.labels]) * span.inverse);
    double x[3][2], local[2], other[2];
    alem_slopes(&span, &place, x);
    alem_to_global(&span, place.w[0], local);
    alem_to_global(&span, x[0], point->slope);
    for (int i = 0; i < 2; i++) {
        point->x[i] = (1.0 - place.eta) * q[i] + place.eta * q[2 + i] + local[i];
    }
    if (want & HAW_ALE_MOTION) {
        velocity(&span, &place, u, local);
        alem_to_global(&span, local, point->v);
        alem_slope_rates(&span, &place, x, local, other);
        local[0] -= span.turning * x[0][1];
        local[1] += span.turning * x[0][0];
        alem_to_global(&span, local, point->slope_rate);
    }
    if (want & HAW_ALE_JACOBIAN) {
        jacobian(&span, &place, x[0], point->j);
    }
    if (want & HAW_ALE_GAMMA) {
        acceleration(&span, &place, &none, local);
        alem_to_global(&span, local, point->gamma);
    }
    if (want & HAW_ALE_BEND) {
        alem_to_global(&span, x[1], point->bend);
    }
}

/* ---- inertia ---- */

static double kinetic(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                      const double *u)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    double sum = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &at);
        double v[2];
        velocity(&span, &place, u, v);
        sum += at.weight * alem_dot(v, v);
    }
    return 0.5 * section->density * span.le * sum;
}

static void inertia(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double *a, double *y)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    const second rates = second_of(&span, a);
    alem_inertia sum = {.label = {0.0}};
    double turn = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &at);
        double acc[2];
        acceleration(&span, &place, &rates, acc);
        alem_add_inertia(&span, &place, acc, &sum);
        turn += at.weight * (place.w[0][0] * acc[1] - place.w[0][1] * acc[0]);
    }
    const double factor = section->density * span.le, arm = turn / span.length;
    const double last[2] = {sum.moment[0], sum.moment[1] + arm};
    double whole[2], end[2];
    alem_to_global(&span, sum.whole, whole);
    alem_to_global(&span, last, end);
    for (int i = 0; i < 2; i++) {
        y[i] += factor * (whole[i] - end[i]);
        y[2 + i] += factor * end[i];
        y[span.labels + i] += factor * sum.label[i];
        for (int k = 0; k < span.modes[i]; k++) {
            y[span.first[i] + k] += factor * sum.amplitude[i][k];
        }
    }
}

static void mass(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                 double *m)
{
    const alem_span span = alem_span_of(kind, q, NULL);
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    const int n = span.labels + 2;
    memset(m, 0, (size_t)(n * n) * sizeof *m);
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &at);
        const double factor = section->density * span.le * at.weight;
        double x[3][2], j[2][HAW_ALE_DOFS];
        alem_slopes(&span, &place, x);
        jacobian(&span, &place, x[0], j);
        for (int row = 0; row < n; row++) {
            const double left[2] = {factor * j[0][row], factor * j[1][row]};
            for (int column = row; column < n; column++) {
                m[n * row + column] += left[0] * j[0][column] + left[1] * j[1][column];
            }
        }
    }
    for (int i = 0; i < n * n; i++) {
        if (i / n > i % n) {
            m[i] = m[n * (i % n) + i / n];
        }
    }
}

/* ---- forces ---- */

static void energy(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                   double energy[2])
{
    const alem_span span = alem_span_of(kind, q, NULL);
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    double sum = 0.0, w[2], centre[2];
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &at);
        double x[3][2];
        ale_measure measure;
        alem_slopes(&span, &place, x);
        ale_stretch(x[0], &measure);
        ale_bend(x[0], x[1], &measure);
        sum += at.weight * (section->stiffness * measure.strain * measure.strain +
                            section->bending * measure.curvature * measure.curvature);
    }
    alem_mean_of(&span, w);
    alem_to_global(&span, w, centre);
    energy[0] += 0.5 * span.le * sum;
    for (int i = 0; i < 2; i++) {
        energy[1] -= section->density * span.le * section->gravity[i] *
                     (centre[i] + 0.5 * (q[i] + q[2 + i]));
    }
}

static inline void add_place(const haw_ale_section *section, const alem_span *span,
                             const alem_place *place, alem_work *elastic, alem_work *damping)
{
    const bool bends = ale_bends(section);
    double x[3][2], dx[2], dy[2];
    ale_measure measure;
    alem_slopes(span, place, x);
    ale_stretch(x[0], &measure);
    ale_bend(x[0], x[1], &measure);
    const ale_stress stress = ale_stress_of(&measure, section->stiffness * measure.strain,
                                            section->bending * measure.curvature, bends);
    alem_add_stress(span, place, x, stress.n, stress.m, elastic);
    if (ale_damps(section)) {
        alem_slope_rates(span, place, x, dx, dy);
        const ale_stress viscous =
            ale_stress_of(&measure, section->damping_strain * ale_strain_rate(&measure, dx),
                          section->damping_curvature * ale_curvature_rate(&measure, dx, dy), bends);
        alem_add_stress(span, place, x, viscous.n, viscous.m, damping);
    }
}

static void scatter(const alem_span *span, const alem_work *sum, double *f)
{
    for (int i = 0; i < 2; i++) {
        f[i] += sum->length * span->e1[i];
        f[2 + i] -= sum->length * span->e1[i];
        f[span->labels + i] -= sum->label[i];
        for (int k = 0; k < span->modes[i]; k++) {
            f[span->first[i] + k] -= sum->amplitude[i][k];
        }
    }
}

/* int rho J' g ds, that on the labels by parts: -int (1 - eta) r' ds = r1 - mean of r. */
static void add_weight(const haw_ale_section *section, const alem_span *span, const double *q,
                       double *f)
{
    const double *gravity = section->gravity, whole = section->density * span->le;
    const double g[2] = {alem_dot(span->e1, gravity), alem_dot(span->e2, gravity)};
    double w[2], centre[2];
    alem_mean_of(span, w);
    alem_to_global(span, w, centre);
    const double turn = whole * (w[0] * g[1] - w[1] * g[0]) / span->length;
    for (int i = 0; i < 2; i++) {
        const double half = 0.5 * (q[2 + i] - q[i]), pull = section->density * gravity[i];
        f[i] += 0.5 * whole * gravity[i] - turn * span->e2[i];
        f[2 + i] += 0.5 * whole * gravity[i] + turn * span->e2[i];
        f[span->labels] -= pull * (half + centre[i]);
        f[span->labels + 1] -= pull * (half - centre[i]);
        for (int k = 0; k < span->modes[i]; k++) {
            f[span->first[i] + k] += whole * g[i] * alem_mean(k);
        }
    }
}

static void force(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                  const double *u, double *f, double *d)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    alem_work elastic = {.length = 0.0}, damping = {.length = 0.0};
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &at);
        add_place(section, &span, &place, &elastic, &damping);
    }
    scatter(&span, &elastic, f);
    add_weight(section, &span, q, f);
    if (ale_damps(section)) {
        scatter(&span, &damping, d);
    }
}

static void axial(const haw_ale_kind *kind, const haw_ale_section *section, double s,
                  const double *q, const double *u, haw_ale_axial *axial)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_place place = alem_place_at(&span, (s - q[span.labels]) * span.inverse);
    double x[3][2], dx[2], dy[2];
    alem_slopes(&span, &place, x);
    if (u != NULL) {
        alem_slope_rates(&span, &place, x, dx, dy);
    }
    haw_ale_axial_of(section, x[0], x[1], u != NULL ? dx : NULL, axial);
}

static double tension_mean(const haw_ale_kind *kind, const haw_ale_section *section,
                           const double *q, const double *u)
{
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    const int labels = kind->dofs - 2;
    double sum = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const double s = q[labels] + at.eta * (q[labels + 1] - q[labels]);
        haw_ale_axial place;
        axial(kind, section, s, q, u, &place);
        sum += at.weight * place.tension;
    }
    return sum;
}

/* ---- tangent ---- */

/*
 * First over y = (l, a_k, b_k): with the columns B_j of (r', r'') in the
 * frame, the modulus (S, D) of a place and T_j the derivatives of the rates at a fixed label,
 *
 *     K_ij = L sum w B_i' (S B_j + D T_j),   C_il = L sum w B_i' D B_l.
 *
 * With F the work on l and d = r2 - r1, the force -F e1 on d gives e1 (K_ll e1 + omega C_ll e2)'
 * + F e2 e2' / l, as dl = e1.dd and d(l') = omega e2.dd + e1.dd'.
 */

typedef struct reduced {
    int n;
    double k[ALEM_REDUCED][ALEM_REDUCED]; /* lower rows only need i, j < n */
    double rate[ALEM_REDUCED];            /* C_il */
    double work;                          /* F */
} reduced;

/* Column of one unknown: its component, and its part of r', r'', r'''. */
typedef struct column {
    int component;
    double x, y, z;
} column;

static int columns(const alem_span *span, const alem_place *place, column out[ALEM_REDUCED])
{
    const double inverse = span->inverse, square = inverse * inverse;
    int n = 0;
    out[n++] = (column){0, inverse, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < span->modes[i]; k++) {
            const double slope = place->slope[k] * inverse, wave = place->square[k] * square;
            out[n++] = (column){i, slope, -wave * place->sine[k], -wave * slope};
        }
    }
    return n;
}

static inline void add_modulus(const haw_ale_section *section, const alem_span *span,
                               const alem_place *place, double rate, reduced *sum)
{
    const double swell = span->swell * span->inverse, weight = place->weight * span->le;
    const double flow = alem_drift(span, place->eta) * span->le;
    double x[3][2];
    ale_slopes slopes;
    column b[ALEM_REDUCED];
    ale_modulus modulus;
    alem_slopes(span, place, x);
    alem_slope_rates(span, place, x, slopes.dx, slopes.dy);
    memcpy(slopes.x, x[0], sizeof slopes.x);
    memcpy(slopes.y, x[1], sizeof slopes.y);
    haw_ale_modulus(section, &slopes, rate, &modulus);
    sum->n = columns(span, place, b);
    sum->work += weight * span->inverse * modulus.stress.n[0];
    for (int j = 0; j < sum->n; j++) {
        const int l = b[j].component;
        const double tx = flow * b[j].y - swell * b[j].x;
        const double ty = flow * b[j].z - 2.0 * swell * b[j].y;
        double v[4];
        for (int r = 0; r < 4; r++) {
            const double *s = modulus.s[r] + l, *d = modulus.d[r] + l;
            v[r] = weight * (s[0] * b[j].x + s[2] * b[j].y + d[0] * tx + d[2] * ty);
        }
        for (int i = 0; i < sum->n; i++) {
            const int row = b[i].component;
            sum->k[i][j] += b[i].x * v[row] + b[i].y * v[2 + row];
        }
        sum->rate[j] +=
            weight * span->inverse * (b[j].x * modulus.d[l][0] + b[j].y * modulus.d[2 + l][0]);
    }
}

/* Row and column of d, from those of l and the turn of its direction. */
typedef struct ends {
    double dd[2][2], row[2][ALEM_REDUCED], column[ALEM_REDUCED][2]; /* d with amplitudes */
} ends;

static void ends_of(const alem_span *span, const reduced *sum, ends *to)
{
    const double *e1 = span->e1, *e2 = span->e2;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            to->dd[i][j] = e1[i] * (sum->k[0][0] * e1[j] + span->turning * sum->rate[0] * e2[j]) +
                           sum->work * e2[i] * e2[j] / span->length;
        }
        for (int k = 1; k < sum->n; k++) {
            to->row[i][k] = e1[i] * sum->k[0][k];
            to->column[k][i] = sum->k[k][0] * e1[i] + span->turning * sum->rate[k] * e2[i];
        }
    }
}

/* Gravity turns with the span: its work is -P, P = rho L (g.e1 mean U + g.e2 mean V). */
static void add_weight_tangent(const haw_ale_section *section, const alem_span *span, ends *to)
{
    const double whole = section->density * span->le / span->length;
    const double g[2] = {alem_dot(span->e1, section->gravity),
                         alem_dot(span->e2, section->gravity)};
    double w[2];
    alem_mean_of(span, w);
    const double power = whole * (w[0] * g[0] + w[1] * g[1]) / span->length;
    const double turn = whole * (w[0] * g[1] - w[1] * g[0]) / span->length;
    const double *e1 = span->e1, *e2 = span->e2;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            to->dd[i][j] += power * e2[i] * e2[j] + turn * (e1[i] * e2[j] + e2[i] * e1[j]);
        }
        for (int part = 0, k = 1; part < 2; part++) {
            const double pull = part == 0 ? g[1] : -g[0];
            for (int l = 0; l < span->modes[part]; l++, k++) {
                const double term = whole * alem_mean(l) * pull * e2[i];
                to->row[i][k] -= term;
                to->column[k][i] -= term;
            }
        }
    }
}

/* k += the tangent over r1, r2, amplitudes: d = r2 - r1. */
static void scatter_tangent(const reduced *sum, const ends *at, int n, double *k)
{
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            k[n * i + j] += at->dd[i][j];
            k[n * i + 2 + j] -= at->dd[i][j];
            k[n * (2 + i) + j] -= at->dd[i][j];
            k[n * (2 + i) + 2 + j] += at->dd[i][j];
        }
        for (int l = 1; l < sum->n; l++) {
            const int at_l = ALEM_ENDS - 1 + l;
            k[n * i + at_l] -= at->row[i][l];
            k[n * (2 + i) + at_l] += at->row[i][l];
            k[n * at_l + i] -= at->column[l][i];
            k[n * at_l + 2 + i] += at->column[l][i];
        }
    }
    for (int i = 1; i < sum->n; i++) {
        for (int j = 1; j < sum->n; j++) {
            k[n * (ALEM_ENDS - 1 + i) + ALEM_ENDS - 1 + j] += sum->k[i][j];
        }
    }
}

static void tangent(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double factor[2], double *k)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_rule_for(alem_most(kind->modes));
    const int n = kind->dofs;
    reduced sum = {.work = 0.0};
    ends at;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss gauss = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &gauss);
        add_modulus(section, &span, &place, factor[1], &sum);
    }
    mass(kind, section, q, k);
    for (int i = 0; i < n * n; i++) { /* without rows and columns of the labels */
        k[i] = i / n < n - 2 && i % n < n - 2 ? factor[0] * k[i] : 0.0;
    }
    ends_of(&span, &sum, &at);
    add_weight_tangent(section, &span, &at);
    scatter_tangent(&sum, &at, n, k);
}

const haw_ale_ops haw_alem_span = {
    .name = "alem-span",
    .dofs = dofs,
    .point = point,
    .energy = energy,
    .kinetic = kinetic,
    .force = force,
    .inertia = inertia,
    .mass = mass,
    .tangent = tangent,
    .axial = axial,
    .tension_mean = tension_mean,
};
