/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strain and curvature of the modal span. In its frame r' = (l + U_eta, V_eta) / L: they see l, the
 * amplitudes and the labels alone, and the spin of the frame does no work. At a fixed label
 * d(r') = -(1 - eta) r'' ds1 + r' ds1 / L and d(r'') = -(1 - eta) r''' ds1 + 2 r'' ds1 / L.
 */
#include "element/alem_span.h"

enum { MODES = HAW_ALE_MODES };

void haw_alem_span_energy(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
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
    alem_mean_of(&span, w);
    alem_to_global(&span, w, centre);
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
        const ale_stress viscous =
            ale_stress_of(&measure, section->damping_strain * ale_strain_rate(&measure, dx),
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
    alem_mean_of(span, w);
    alem_to_global(span, w, centre);
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

void haw_alem_span_force(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
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

void haw_alem_span_axial(const haw_ale_kind *kind, const haw_ale_section *section, double s,
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

double haw_alem_span_tension_mean(const haw_ale_kind *kind, const haw_ale_section *section,
                                  const double *q, const double *u)
{
    const alem_rule *rule = alem_rule_for(kind->modes);
    const int labels = kind->dofs - 2;
    double sum = 0.0;
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const double s = q[labels] + at.eta * (q[labels + 1] - q[labels]);
        haw_ale_axial axial;
        haw_alem_span_axial(kind, section, s, q, u, &axial);
        sum += at.weight * axial.tension;
    }
    return sum;
}
