/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strain, curvature and twist of the spatial modal span, over x = r' and y = r'' in the triad, with
 * t = x / |x|: kappa = x cross y / |x|^3 and a moment M do the virtual work
 *
 *     M.d(kappa) = dx.[(y cross M) / |x|^3 - 3 (kappa.M) t / |x|] + dy.(M cross x) / |x|^3.
 *
 * Rates are those of components in the triad, which does not turn with the rope about e1.
 */
#include "element/alem_space_kernel.h"

/* Strain and curvature at a place, and rates. */
typedef struct measure {
    double x[3][3];       /* r', r'', r''' */
    double inverse, t[3]; /* 1 / |x|, x / |x| */
    double strain, kappa[3];
    double strain_rate, kappa_rate[3];
} measure;

static measure measure_of(const space_span *span, const alem_place *place)
{
    measure at = {.inverse = 0.0};
    double dx[3], dy[3], turn[2][3];
    alem_slopes(&span->modes, place, at.x);
    alem_slope_rates(&span->modes, place, at.x, dx, dy);
    const double size = vec3_norm(at.x[0]), inverse = 1.0 / size, cube = inverse / (size * size);
    at.inverse = inverse;
    at.strain = size - 1.0;
    at.strain_rate = vec3_dot(at.x[0], dx) * inverse;
    vec3_cross(at.x[0], at.x[1], at.kappa);
    vec3_cross(dx, at.x[1], turn[0]);
    vec3_cross(at.x[0], dy, turn[1]);
    for (int i = 0; i < 3; i++) {
        at.t[i] = at.x[0][i] * inverse;
        at.kappa[i] *= cube;
        at.kappa_rate[i] =
            (turn[0][i] + turn[1][i]) * cube - 3.0 * at.kappa[i] * at.strain_rate * inverse;
    }
    return at;
}

/* Work of a span on the strain, and on twists: theta' = (theta2 - theta1) / L. */
typedef struct work {
    alem_work modes;
    double twist; /* L int M_t deta / L */
} work;

static inline void add_stress(const space_span *span, const alem_place *place, measure *at,
                              double tension, const double moment[3], alem_work *sum)
{
    const double cube = at->inverse * at->inverse * at->inverse;
    const double along = tension - 3.0 * vec3_dot(at->kappa, moment) * at->inverse;
    double n[3], m[3];
    vec3_cross(at->x[1], moment, n);
    vec3_cross(moment, at->x[0], m);
    for (int i = 0; i < 3; i++) {
        n[i] = n[i] * cube + along * at->t[i];
        m[i] *= cube;
    }
    alem_add_stress(&span->modes, place, at->x, n, m, sum);
}

static void add_place(const haw_alem_space_section *section, const space_span *span,
                      const alem_place *place, work *elastic, work *damping)
{
    const double twist = (span->end[1] - span->end[0]) * span->modes.inverse;
    const double rate =
        (span->rate[1] - span->rate[0] - twist * span->modes.swell) * span->modes.inverse;
    measure at = measure_of(span, place);
    double moment[3] = {0.0}, viscous[3] = {0.0};
    vec3_add(section->bending, at.kappa, moment);
    vec3_add(section->damping_curvature, at.kappa_rate, viscous);
    add_stress(span, place, &at, section->stiffness * at.strain + section->coupling * twist, moment,
               &elastic->modes);
    add_stress(span, place, &at, section->damping_strain * at.strain_rate, viscous,
               &damping->modes);
    elastic->twist += place->weight * (section->torsion * twist + section->coupling * at.strain);
    damping->twist += place->weight * section->damping_twist * rate;
}

/* At a fixed label d(theta') = theta' ds1 / L, -theta' ds2 / L. */
static void scatter(const space_span *span, const work *sum, double *f)
{
    const double slope = (span->end[1] - span->end[0]) * span->modes.inverse;
    for (int i = 0; i < 3; i++) {
        f[i] += sum->modes.length * span->e[0][i];
        f[3 + i] -= sum->modes.length * span->e[0][i];
        for (int k = 0; k < span->modes.modes[i]; k++) {
            f[span->first[i] + k] -= sum->modes.amplitude[i][k];
        }
    }
    for (int e = 0; e < 2; e++) {
        const double sign = e == 0 ? 1.0 : -1.0;
        f[span->twist + e] += sign * sum->twist;
        f[span->labels + e] -= sum->modes.label[e] + sign * slope * sum->twist;
    }
}

void haw_alem_space_force(const haw_alem_space *kind, const haw_alem_space_section *section,
                          const double *q, const double *u, double *f, double *d)
{
    const space_span span = space_span_of(kind, q, u);
    const alem_rule *rule = space_rule(kind);
    work elastic = {.twist = 0.0}, damping = {.twist = 0.0};
    space_inertia weight = {.turn = {0.0}};
    double gravity[3];
    space_local(&span, section->gravity, gravity);
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss at = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &at);
        add_place(section, &span, &place, &elastic, &damping);
        space_add_inertia(&span, &place, gravity, 0.0, &weight);
    }
    scatter(&span, &elastic, f);
    scatter(&span, &damping, d);
    haw_alem_space_scatter(&span, &weight, section->density * span.modes.le, f);
}

void haw_alem_space_energy(const haw_alem_space *kind, const haw_alem_space_section *section,
                           const double *q, double energy[2])
{
    const space_span span = space_span_of(kind, q, NULL);
    const alem_rule *rule = space_rule(kind);
    const double twist = (span.end[1] - span.end[0]) * span.modes.inverse;
    double sum = 0.0, centre[3] = {0.0}, mean[3];
    for (int g = 0; g < rule->points; g++) {
        const alem_gauss gauss = alem_gauss_at(rule, g);
        const alem_place place = alem_place_of(&span.modes, &gauss);
        const measure at = measure_of(&span, &place);
        sum += gauss.weight *
               (section->stiffness * at.strain * at.strain +
                section->bending * vec3_dot(at.kappa, at.kappa) +
                twist * (section->torsion * twist + 2.0 * section->coupling * at.strain));
        vec3_add(gauss.weight, place.w[0], centre);
    }
    space_global(&span, centre, mean);
    energy[0] += 0.5 * span.modes.le * sum;
    for (int i = 0; i < 3; i++) {
        energy[1] -= section->density * span.modes.le * section->gravity[i] *
                     (mean[i] + 0.5 * (q[i] + q[3 + i]));
    }
}
