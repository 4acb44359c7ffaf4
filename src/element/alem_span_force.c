/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strain and curvature of the modal span see l, the amplitudes and the labels alone, and the spin
 * of the frame does no work.
 */
#include "element/alem_span.h"

void haw_alem_span_energy(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                          double energy[2])
{
    const alem_span span = alem_span_of(kind, q, NULL);
    const alem_rule *rule = alem_span_rule(kind);
    double sum = 0.0, w[2], centre[2];
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        double x[3][3];
        ale_measure measure;
        alem_slopes(&span.modes, &place, x);
        ale_stretch(x[0], &measure);
        ale_bend(x[0], x[1], &measure);
        sum += at.weight * (section->stiffness * measure.strain * measure.strain +
                            section->bending * measure.curvature * measure.curvature);
    }
    alem_mean_of(&span.modes, w);
    alem_to_global(&span, w, centre);
    energy[0] += 0.5 * span.modes.le * sum;
    for (int i = 0; i < 2; i++) {
        energy[1] -= section->density * span.modes.le * section->gravity[i] *
                     (centre[i] + 0.5 * (q[i] + q[2 + i]));
    }
}

static inline void add_place(const haw_ale_section *section, const alem_span *span,
                             const alem_place *place, alem_work *elastic, alem_work *damping)
{
    const bool bends = ale_bends(section);
    double x[3][3], dx[2], dy[2];
    ale_measure measure;
    alem_slopes(&span->modes, place, x);
    ale_stretch(x[0], &measure);
    ale_bend(x[0], x[1], &measure);
    const ale_stress stress = ale_stress_of(&measure, section->stiffness * measure.strain,
                                            section->bending * measure.curvature, bends);
    alem_add_stress(&span->modes, place, x, stress.n, stress.m, elastic);
    if (ale_damps(section)) {
        alem_slope_rates(&span->modes, place, x, dx, dy);
        const ale_stress viscous =
            ale_stress_of(&measure, section->damping_strain * ale_strain_rate(&measure, dx),
                          section->damping_curvature * ale_curvature_rate(&measure, dx, dy), bends);
        alem_add_stress(&span->modes, place, x, viscous.n, viscous.m, damping);
    }
}

static void scatter(const alem_span *span, const alem_work *sum, double *f)
{
    for (int i = 0; i < 2; i++) {
        f[i] += sum->length * span->e1[i];
        f[2 + i] -= sum->length * span->e1[i];
        f[span->labels + i] -= sum->label[i];
        for (int k = 0; k < span->modes.modes[i]; k++) {
            f[span->first[i] + k] -= sum->amplitude[i][k];
        }
    }
}

/* int rho J' g ds, that on the labels by parts: -int (1 - eta) r' ds = r1 - mean of r. */
static void add_weight(const haw_ale_section *section, const alem_span *span, const double *q,
                       double *f)
{
    const double *gravity = section->gravity, whole = section->density * span->modes.le;
    const double g[2] = {alem_dot(span->e1, gravity), alem_dot(span->e2, gravity)};
    double w[2], centre[2];
    alem_mean_of(&span->modes, w);
    alem_to_global(span, w, centre);
    const double turn = whole * (w[0] * g[1] - w[1] * g[0]) / span->modes.length;
    for (int i = 0; i < 2; i++) {
        const double half = 0.5 * (q[2 + i] - q[i]), pull = section->density * gravity[i];
        f[i] += 0.5 * whole * gravity[i] - turn * span->e2[i];
        f[2 + i] += 0.5 * whole * gravity[i] + turn * span->e2[i];
        f[span->labels] -= pull * (half + centre[i]);
        f[span->labels + 1] -= pull * (half - centre[i]);
        for (int k = 0; k < span->modes.modes[i]; k++) {
            f[span->first[i] + k] += whole * g[i] * alem_mean(k);
        }
    }
}

void haw_alem_span_force(const haw_ale_kind *kind, const haw_ale_section *section, const double *q,
                         const double *u, double *f, double *d)
{
    const alem_span span = alem_span_of(kind, q, u);
    const alem_rule *rule = alem_span_rule(kind);
    alem_work elastic = {.length = 0.0}, damping = {.length = 0.0};
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
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
    const alem_place place = alem_place_at(&span.modes, (s - q[span.labels]) * span.modes.inverse);
    double x[3][3], dx[2], dy[2];
    alem_slopes(&span.modes, &place, x);
    if (u != NULL) {
        alem_slope_rates(&span.modes, &place, x, dx, dy);
    }
    haw_ale_axial_of(section, x[0], x[1], u != NULL ? dx : NULL, axial);
}

double haw_alem_span_tension_mean(const haw_ale_kind *kind, const haw_ale_section *section,
                                  const double *q, const double *u)
{
    const alem_rule *rule = alem_span_rule(kind);
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
