/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modal span of a rope: with L = s2 - s1, eta = (s - s1) / L, d = r2 - r1 = l e1 and e2 = e1 turned
 * by +90 degrees,
 *
 *     r = r1 + eta d + U e1 + V e2,   U = sum a_k sin k pi eta,   V = sum b_k sin k pi eta.
 *
 * Label columns of J are -(1 - eta) r' and -eta r'. With e = d(eta)/dt at a fixed label and the spin
 * omega = e2.d'/l of the frame, dots for U', U.. at a fixed label, the acceleration is
 *
 *     (1 - eta) r1.. + eta r2.. in the sense of its columns + 2 e d' + e.. d
 *     + e1 (U.. - omega^2 U - omega. V - 2 omega V') + e2 (V.. - omega^2 V + omega. U + 2 omega U'),
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

static inline void to_global(const alem_span *span, const double local[2], double x[2])
{
    x[0] = span->e1[0] * local[0] + span->e2[0] * local[1];
    x[1] = span->e1[1] * local[0] + span->e2[1] * local[1];
}

/* ---- motion of a place, in the frame of the span ---- */

static inline void velocity(const alem_span *span, const alem_place *place, const double *u,
                            double v[2])
{
    const double eta = place->eta, drift = alem_drift(span, eta);
    const double u0[2] = {alem_dot(span->e1, u), alem_dot(span->e2, u)};
    for (int i = 0; i < 2; i++) {
        v[i] = u0[i] + alem_sum(span->modes[i], span->rate[i], place->sine) +
               place->w[1][i] * drift;
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

static inline void acceleration(const alem_span *span, const alem_place *place,
                                const second *rates, double out[2])
{
    const double eta = place->eta, drift = alem_drift(span, eta), spin = span->turning;
    const double push = -2.0 * drift * span->swell * span->inverse -
                        ((1.0 - eta) * rates->label[0] + eta * rates->label[1]) * span->inverse;
    const double twist = rates->turning - 2.0 * spin * span->stretching / span->length;
    double first[2], twice[2];
    for (int i = 0; i < 2; i++) {
        const double *slope = place->slope;
        const double *amplitude = rates->amplitude + (i == 0 ? 0 : span->modes[0]);
        first[i] =
            alem_sum(span->modes[i], span->rate[i], place->sine) + place->w[1][i] * drift;
        twice[i] = 2.0 * drift * alem_sum(span->modes[i], span->rate[i], slope) +
                   place->w[2][i] * drift * drift + place->w[1][i] * push;
        if (rates->amplitude != NULL) {
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
    to_global(span, turned, across);
    to_global(span, x, slope);
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

static alem_place place_at(const alem_span *span, double eta)
{
    const alem_gauss at = {eta, 0.0, sin(ALEM_PI * eta), cos(ALEM_PI * eta)};
    return alem_place_of(span, &at);
}

static void point(const haw_ale_kind *kind, double s, const double *q, const double *u, int want,
                  haw_ale_point *point)
{
    const bool moves = want & (HAW_ALE_MOTION | HAW_ALE_GAMMA);
    const alem_span span = alem_span_of(kind, q, moves ? u : NULL);
    const alem_place place = place_at(&span, (s - q[span.labels]) * span.inverse);
    double x[3][2], local[2], other[2];
    alem_slopes(&span, &place, x);
    to_global(&span, place.w[0], local);
    to_global(&span, x[0], point->slope);
    for (int i = 0; i < 2; i++) {
        point->x[i] = (1.0 - place.eta) * q[i] + place.eta * q[2 + i] + local[i];
    }
    if (want & HAW_ALE_MOTION) {
        velocity(&span, &place, u, local);
        to_global(&span, local, point->v);
        alem_slope_rates(&span, &place, x, local, other);
        local[0] -= span.turning * x[0][1];
        local[1] += span.turning * x[0][0];
        to_global(&span, local, point->slope_rate);
    }
    if (want & HAW_ALE_JACOBIAN) {
        jacobian(&span, &place, x[0], point->j);
    }
    if (want & HAW_ALE_GAMMA) {
        const second none = {.amplitude = NULL};
        acceleration(&span, &place, &none, local);
        to_global(&span, local, point->gamma);
    }
    if (want & HAW_ALE_BEND) {
        to_global(&span, x[1], point->bend);
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
    to_global(&span, sum.whole, whole);
    to_global(&span, last, end);
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

void haw_alem_span_mass(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
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

/* ---- strain and curvature ---- */

/* Mean of U e1 + V e2 in the frame. */
static inline void mean(const alem_span *span, double w[2])
{
    for (int i = 0; i < 2; i++) {
        w[i] = 0.0;
        for (int k = 0; k < span->modes[i]; k++) {
            w[i] += span->a[i][k] * alem_mean(k);
        }
    }
}

static void energy(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                   double energy[2])
{
    const alem_span span = alem_span_of(kind, q, NULL);
    const alem_rule *rule = alem_rule_for(kind->modes);
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
    mean(&span, w);
    to_global(&span, w, centre);
    energy[0] += 0.5 * span.le * sum;
    for (int i = 0; i < 2; i++) {
        energy[1] -= section->density * span.le * section->gravity[i] *
                     (centre[i] + 0.5 * (q[i] + q[2 + i]));
    }
}

/* Work on l, amplitudes and labels. */
typedef struct work {
    double length, amplitude[2][MODES], label[2];
} work;

static inline void add_stress(const alem_span *span, const alem_place *place, double x[3][2],
                              const ale_stress *stress, work *sum)
{
    const double inverse = span->inverse, weight = place->weight * span->le;
    const double swell =
        (alem_dot(stress->n, x[0]) + 2.0 * alem_dot(stress->m, x[1])) * inverse * weight;
    const double flow = (alem_dot(stress->n, x[1]) + alem_dot(stress->m, x[2])) * weight;
    sum->length += weight * inverse * stress->n[0];
    sum->label[0] += swell - (1.0 - place->eta) * flow;
    sum->label[1] -= swell + place->eta * flow;
    for (int i = 0; i < 2; i++) {
        const double n = weight * inverse * stress->n[i];
        const double m = weight * inverse * inverse * stress->m[i];
        for (int k = 0; k < span->modes[i]; k++) {
            sum->amplitude[i][k] += n * place->slope[k] - m * place->square[k] * place->sine[k];
        }
    }
}

static inline void add_place(const haw_ale_section *section, const alem_span *span,
                             const alem_place *place, work *elastic, work *damping)
{
    const bool bends = ale_bends(section);
    double x[3][2], dx[2], dy[2];
    ale_measure measure;
    alem_slopes(span, place, x);
    ale_stretch(x[0], &measure);
    ale_bend(x[0], x[1], &measure);
    const ale_stress stress = ale_stress_of(&measure, section->stiffness * measure.strain,
                                            section->bending * measure.curvature, bends);
    add_stress(span, place, x, &stress, elastic);
    if (ale_damps(section)) {
        alem_slope_rates(span, place, x, dx, dy);
        const ale_stress viscous = ale_stress_of(
            &measure, section->damping_strain * ale_strain_rate(&measure, dx),
            section->damping_curvature * ale_curvature_rate(&measure, dx, dy), bends);
        add_stress(span, place, x, &viscous, damping);
    }
}

static void scatter(const alem_span *span, const work *sum, double *f)
{
    for (int i = 0; i < 2; i++) {
        double *to = f + ALEM_ENDS + (i == 0 ? 0 : span->modes[0]);
        f[i] += sum->length * span->e1[i];
        f[2 + i] -= sum->length * span->e1[i];
        f[span->labels + i] -= sum->label[i];
        for (int k = 0; k < span->modes[i]; k++) {
            to[k] -= sum->amplitude[i][k];
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
    mean(span, w);
    to_global(span, w, centre);
    const double turn = whole * (w[0] * g[1] - w[1] * g[0]) / span->length;
    for (int i = 0; i < 2; i++) {
        const double half = 0.5 * (q[2 + i] - q[i]), pull = section->density * gravity[i];
        double *to = f + ALEM_ENDS + (i == 0 ? 0 : span->modes[0]);
        f[i] += 0.5 * whole * gravity[i] - turn * span->e2[i];
        f[2 + i] += 0.5 * whole * gravity[i] + turn * span->e2[i];
        f[span->labels] -= pull * (half + centre[i]);
        f[span->labels + 1] -= pull * (half - centre[i]);
        for (int k = 0; k < span->modes[i]; k++) {
            to[k] += whole * g[i] * alem_mean(k);
        }
    }
}

static void force(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                  const double *u, double *f, double *d)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_rule_for(kind->modes);
    work elastic = {.length = 0.0}, damping = {.length = 0.0};
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
