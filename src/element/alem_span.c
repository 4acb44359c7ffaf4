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
 *     + e1 (U.. - omega^2 U - omega. V - 2 omega V') + e2 (V.. - omega^2 V + omega. U + 2 omega
 * U'),
 *
 *     e.. = -2 e L'/L - [(1 - eta) s1.. + eta s2..] / L,   omega. = -2 omega l'/l + e2.d../l.
 *
 * Strain and curvature see l, a, b, s1, s2 alone.
 */
#include "element/alem_span.h"

enum { MODES = HAW_ALE_MODES };

static int dofs(const int modes[2])
{
    return ALEM_ENDS + 2 + modes[0] + modes[1];
}

/* ---- motion of a place, in the frame of the span ---- */

static inline void velocity(const alem_span *span, const alem_place *place, const double *u,
                            double v[2])
{
    const double eta = place->eta, drift = alem_drift(span, eta);
    const double u0[2] = {alem_dot(span->e1, u), alem_dot(span->e2, u)};
    for (int i = 0; i < 2; i++) {
        v[i] =
            u0[i] + alem_sum(span->modes[i], span->rate[i], place->sine) + place->w[1][i] * drift;
    }
    v[0] += eta * span->stretching + drift * span->length - span->turning * place->w[0][1];
    v[1] += eta * span->turning * span->length + span->turning * place->w[0][0];
}

/* Second rates of the span's own quantities; zero: the convective part alone. */
typedef struct second {
    double ends[2][2];       /* of r1, r2, in the frame */
    double turning;          /* e2.d.. / l */
    double label[2];         /* of s1, s2 */
    const double *amplitude; /* of a and b, NULL: none */
} second;

static second second_of(const alem_span *span, const double *a)
{
    second rates = {.label = {a[span->labels], a[span->labels + 1]}, .amplitude = a + ALEM_ENDS};
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
    const double eta = place->eta, drift = alem_drift(span, eta), spin = span->turning;
    const double push = -2.0 * drift * span->swell * span->inverse -
                        ((1.0 - eta) * rates->label[0] + eta * rates->label[1]) * span->inverse;
    const double twist = rates->turning - 2.0 * spin * span->stretching / span->length;
    double first[2], twice[2];
    for (int i = 0; i < 2; i++) {
        const double *slope = place->slope;
        first[i] = alem_sum(span->modes[i], span->rate[i], place->sine) + place->w[1][i] * drift;
        twice[i] = 2.0 * drift * alem_sum(span->modes[i], span->rate[i], slope) +
                   place->w[2][i] * drift * drift + place->w[1][i] * push;
        if (rates->amplitude != NULL) {
            const double *amplitude = rates->amplitude + (i == 0 ? 0 : span->modes[0]);
            twice[i] += alem_sum(span->modes[i], amplitude, place->sine);
        }
        out[i] = (1.0 - eta) * rates->ends[0][i] + eta * rates->ends[1][i] + twice[i] -
                 spin * spin * place->w[0][i];
    }
    out[0] += 2.0 * span->stretching * drift + span->length * push - twist * place->w[0][1] -
              2.0 * spin * first[1];
    out[1] += 2.0 * spin * span->length * drift + twist * place->w[0][0] + 2.0 * spin * first[0];
}

/* ---- a point ---- */

/* J: columns of r1, r2, amplitudes, labels. x: r' in the frame of the span. */
static void jacobian(const alem_span *span, const alem_place *place, const double x[2],
                     double j[2][HAW_ALE_DOFS])
{
    const double eta = place->eta, *e1 = span->e1, *e2 = span->e2;
    const double turned[2] = {-place->w[0][1] / span->length, place->w[0][0] / span->length};
    double across[2], slope[2];
    alem_to_global(span, turned, across);
    alem_to_global(span, x, slope);
    for (int i = 0; i < 2; i++) {
        for (int l = 0; l < 2; l++) {
            const double one = i == l ? 1.0 : 0.0, turn = across[i] * e2[l];
            j[i][l] = (1.0 - eta) * one - turn;
            j[i][2 + l] = eta * one + turn;
        }
        for (int k = 0; k < span->modes[0]; k++) {
            j[i][ALEM_ENDS + k] = e1[i] * place->sine[k];
        }
        for (int k = 0; k < span->modes[1]; k++) {
            j[i][ALEM_ENDS + span->modes[0] + k] = e2[i] * place->sine[k];
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
        const second none = {.amplitude = NULL};
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
    const alem_rule *rule = alem_rule_for(kind->modes);
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

/* y += factor J' A, in sums over the places: of A, eta A, its moment, r' A. */
typedef struct inertia_sum {
    double whole[2], moment[2], turn, label[2], amplitude[2][MODES];
} inertia_sum;

static inline void add_inertia(const alem_span *span, const alem_place *place, const double a[2],
                               inertia_sum *sum)
{
    const double eta = place->eta, weight = place->weight;
    const double x[2] = {span->length + place->w[1][0], place->w[1][1]};
    const double along = weight * alem_dot(x, a) * span->inverse;
    for (int i = 0; i < 2; i++) {
        const double share = weight * a[i];
        sum->whole[i] += share;
        sum->moment[i] += eta * share;
        for (int k = 0; k < span->modes[i]; k++) {
            sum->amplitude[i][k] += place->sine[k] * share;
        }
    }
    sum->turn += weight * (place->w[0][0] * a[1] - place->w[0][1] * a[0]);
    sum->label[0] -= (1.0 - eta) * along;
    sum->label[1] -= eta * along;
}

static void inertia(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double *a, double *y)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_rule_for(kind->modes);
    const second rates = second_of(&span, a);
    inertia_sum sum = {.turn = 0.0};
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span, &at);
        double acc[2];
        acceleration(&span, &place, &rates, acc);
        add_inertia(&span, &place, acc, &sum);
    }
    const double factor = section->density * span.le, arm = sum.turn / span.length;
    const double last[2] = {sum.moment[0], sum.moment[1] + arm};
    double whole[2], end[2];
    alem_to_global(&span, sum.whole, whole);
    alem_to_global(&span, last, end);
    for (int i = 0; i < 2; i++) {
        y[i] += factor * (whole[i] - end[i]);
        y[2 + i] += factor * end[i];
        y[span.labels + i] += factor * sum.label[i];
        double *to = y + ALEM_ENDS + (i == 0 ? 0 : span.modes[0]);
        for (int k = 0; k < span.modes[i]; k++) {
            to[k] += factor * sum.amplitude[i][k];
        }
    }
}

static void mass(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                 double *m)
{
    const alem_span span = alem_span_of(kind, q, NULL);
    const alem_rule *rule = alem_rule_for(kind->modes);
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

const haw_ale_ops haw_alem_span = {
    .name = "alem-span",
    .summary = "planar free span with axial and transverse modes, end labels that move",
    .source = "J. L. Escalona, Multibody Syst. Dyn. 2024",
    .dofs = dofs,
    .point = point,
    .energy = haw_alem_span_energy,
    .kinetic = kinetic,
    .force = haw_alem_span_force,
    .inertia = inertia,
    .mass = mass,
    .tangent = haw_alem_span_tangent,
    .axial = haw_alem_span_axial,
    .tension_mean = haw_alem_span_tension_mean,
};
