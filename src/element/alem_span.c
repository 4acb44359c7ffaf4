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

static int dofs(const int modes[2])
{
    return ALEM_ENDS + 2 + modes[0] + modes[1];
}

/* ---- motion of a place, in the frame of the span ---- */

static inline void velocity(const alem_span *span, const alem_place *place, const double *u,
                            double v[2])
{
    const alem_modes *modes = &span->modes;
    const double eta = place->eta, drift = alem_drift(modes, eta), spin = span->turning;
    const double u0[2] = {alem_dot(span->e1, u), alem_dot(span->e2, u)};
    for (int i = 0; i < 2; i++) {
        v[i] =
            u0[i] + alem_sum(modes->modes[i], modes->rate[i], place->sine) + place->w[1][i] * drift;
    }
    v[0] += eta * modes->stretching + drift * modes->length - spin * place->w[0][1];
    v[1] += eta * spin * modes->length + spin * place->w[0][0];
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
    rates.turning = (rates.ends[1][1] - rates.ends[0][1]) / span->modes.length;
    return rates;
}

static inline void acceleration(const alem_span *span, const alem_place *place, const second *rates,
                                double out[2])
{
    const double length = span->modes.length, stretching = span->modes.stretching;
    const double eta = place->eta, spin = span->turning, *w = place->w[0];
    const double twist = rates->turning - 2.0 * spin * stretching / length;
    const alem_flow flow = alem_flow_of(&span->modes, place, &rates->modes);
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
    const double length = span->modes.length, *w = place->w[0];
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
            for (int k = 0; k < span->modes.modes[part]; k++) {
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
    const alem_place place = alem_place_at(&span.modes, (s - q[span.labels]) * span.modes.inverse);
    double x[3][3], local[2], other[2];
    alem_slopes(&span.modes, &place, x);
    alem_to_global(&span, place.w[0], local);
    alem_to_global(&span, x[0], point->slope);
    for (int i = 0; i < 2; i++) {
        point->x[i] = (1.0 - place.eta) * q[i] + place.eta * q[2 + i] + local[i];
    }
    if (want & HAW_ALE_MOTION) {
        velocity(&span, &place, u, local);
        alem_to_global(&span, local, point->v);
        alem_slope_rates(&span.modes, &place, x, local, other);
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
    const alem_rule *rule = alem_span_rule(kind);
    double sum = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        double v[2];
        velocity(&span, &place, u, v);
        sum += at.weight * alem_dot(v, v);
    }
    return 0.5 * section->density * span.modes.le * sum;
}

static void inertia(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                    const double *u, const double *a, double *y)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_span_rule(kind);
    const second rates = second_of(&span, a);
    alem_inertia sum = {.label = {0.0}};
    double turn = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        double acc[2];
        acceleration(&span, &place, &rates, acc);
        alem_add_inertia(&span.modes, &place, acc, &sum);
        turn += at.weight * (place.w[0][0] * acc[1] - place.w[0][1] * acc[0]);
    }
    const double factor = section->density * span.modes.le, arm = turn / span.modes.length;
    const double last[2] = {sum.moment[0], sum.moment[1] + arm};
    double whole[2], end[2];
    alem_to_global(&span, sum.whole, whole);
    alem_to_global(&span, last, end);
    for (int i = 0; i < 2; i++) {
        y[i] += factor * (whole[i] - end[i]);
        y[2 + i] += factor * end[i];
        y[span.labels + i] += factor * sum.label[i];
        for (int k = 0; k < span.modes.modes[i]; k++) {
            y[span.first[i] + k] += factor * sum.amplitude[i][k];
        }
    }
}

static void mass(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                 double *m)
{
    const alem_span span = alem_span_of(kind, q, NULL);
    const alem_rule *rule = alem_span_rule(kind);
    const int n = span.labels + 2;
    memset(m, 0, (size_t)(n * n) * sizeof *m);
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        const double factor = section->density * span.modes.le * at.weight;
        double x[3][3], j[2][HAW_ALE_DOFS];
        alem_slopes(&span.modes, &place, x);
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
