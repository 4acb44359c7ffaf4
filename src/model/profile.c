/* SPDX-License-Identifier: BSD-3-Clause */
/* What results show of a cable: samples along the centreline and mean tensions. */
#include "model/rope.h"

#include <math.h>

/* Samples in the elements of ropes. */
enum { CONTACT_SAMPLES = 4, SPAN_SAMPLES = 16 };

/* The contact grid where there is one, so that contact forces land on samples. */
int haw_cable_samples(const haw_model *model, int cable)
{
    if (model->cable[cable].rope != NULL) {
        return CONTACT_SAMPLES;
    }
    for (int i = 0; i < model->pairs; i++) {
        if (model->pair[i].cable == cable && model->pair[i].points_per_element > 1) {
            return model->pair[i].points_per_element;
        }
    }
    return model->dimension == 3 || model->cable[cable].line.ops->hull > 2 ? 4 : 1;
}

static int rope_samples(const haw_rope *rope, int e)
{
    return rope->element[e].is_span ? SPAN_SAMPLES : CONTACT_SAMPLES;
}

int haw_cable_sample_count(const haw_model *model, int cable)
{
    const haw_rope *rope = model->cable[cable].rope;
    if (rope != NULL) {
        const int spans = rope->arcs + 1;
        return SPAN_SAMPLES * spans + CONTACT_SAMPLES * (rope->elements - spans) + 1;
    }
    return haw_cable_samples(model, cable) * model->cable[cable].line.elements + 1;
}

/*
 * Elements with bending stiffness interpolate the slope apart from the position, so that their
 * strain swings within an element; the points of Lobatto's rule (s = 0, 1/2, 1) are those to trust
 * (K. Ntarladima, M. Pieber, J. Gerstmayr, 2023), and between them strain and tension are linear.
 */
static void axial_state(const haw_line *line, int e, double s, const double *q, const double *u,
                        haw_axial *axial)
{
    line->ops->axial(line, e, s, q, u, axial);
    const double part = 2 * s - floor(2 * s);
    if (line->ops->force_rates == NULL || part == 0) {
        return;
    }
    haw_axial a, b;
    line->ops->axial(line, e, 0.5 * floor(2 * s), q, u, &a);
    line->ops->axial(line, e, 0.5 * floor(2 * s) + 0.5, q, u, &b);
    axial->strain = (1 - part) * a.strain + part * b.strain;
    axial->tension = (1 - part) * a.tension + part * b.tension;
}

/* Integral of N over the element by the rule of its own axial strains. */
static double rule_tension(const haw_line *line, int e, const double *q, const double *u)
{
    static const haw_quadrature lobatto = {
        .points = 3, .s = {0, 0.5, 1}, .weight = {1.0 / 6, 4.0 / 6, 1.0 / 6}};
    haw_quadrature gauss;
    const haw_quadrature *rule = &line->rule;
    if (line->ops->force_rates != NULL && line->scheme == HAW_SCHEME_C) {
        rule = &lobatto;
    } else if (line->ops->force_rates != NULL) {
        haw_quadrature_init(line->scheme == HAW_SCHEME_A ? 5 : 4, &gauss);
        rule = &gauss;
    }
    double sum = 0;
    for (int g = 0; g < rule->points; g++) {
        haw_axial axial;
        line->ops->axial(line, e, rule->s[g], q, u, &axial);
        sum += rule->weight[g] * axial.tension;
    }
    return sum;
}

static double element_tension(const haw_line *line, int e, const double *q, const double *u)
{
    if (line->slack || line->ops->force_rates != NULL) {
        return rule_tension(line, e, q, u);
    }
    return line->stiffness * (line->ops->length(line, e, q) / line->le - 1);
}

/* ---- cables in space ---- */

/* Mean by Simpson's rule: exact for strains up to cubic in s. */
static double beam_tension(const haw_beam *beam, int e, const double *q, const double *u)
{
    static const double weight[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    double sum = 0;
    for (int g = 0; g < 3; g++) {
        haw_space_strain strain;
        beam->ops->strain(beam, e, 0.5 * g, q, u, &strain);
        sum += weight[g] * strain.tension;
    }
    return sum;
}

static void beam_sample(const haw_beam *beam, int n, int k, const double *q, const double *u,
                        const haw_profile *profile)
{
    const int e = k < n * beam->elements ? k / n : beam->elements - 1;
    const double s = (double)(k - n * e) / n;
    haw_space_point point;
    haw_space_strain strain;
    beam->ops->point(beam, e, s, q, false, &point);
    beam->ops->strain(beam, e, s, q, u, &strain);
    profile->xi[k] = (e + s) * beam->le;
    profile->x[k] = point.x[0];
    profile->y[k] = point.x[1];
    if (profile->z != NULL) {
        profile->z[k] = point.x[2];
    }
    profile->tension[k] = strain.tension;
    profile->strain[k] = strain.strain[0];
    profile->curvature[k] = strain.curvature;
    profile->element_tension[k] = beam_tension(beam, e, q, u);
}

/* ---- ropes ---- */

/* A rope at one instant. */
typedef struct instant {
    const haw_model *model;
    const haw_cable *cable;
    const double *q, *u;
} instant;

/* Sample k at a part of element e. */
static void rope_sample(const instant *at, int e, double part, int k, const haw_profile *profile)
{
    const haw_rope *rope = at->cable->rope;
    const double s = (1 - part) * at->q[rope->label[e]] + part * at->q[rope->label[e + 1]];
    haw_rope_point point;
    rope->ops->axial(at->cable, e, s, at->q, at->u, &point);
    profile->xi[k] = s;
    profile->x[k] = point.x[0];
    profile->y[k] = point.x[1];
    profile->tension[k] = point.axial.tension;
    profile->strain[k] = point.axial.strain;
    profile->curvature[k] = point.axial.curvature;
}

static void rope_profile(const instant *at, const haw_profile *profile)
{
    const haw_rope *rope = at->cable->rope;
    int k = 0;
    for (int e = 0; e < rope->elements; e++) {
        const int n = rope_samples(rope, e), last = e == rope->elements - 1 ? 1 : 0;
        const double tension = rope->ops->tension(at->model, at->cable, e, at->q, at->u);
        for (int j = 0; j < n + last; j++, k++) {
            rope_sample(at, e, (double)j / n, k, profile);
            profile->element_tension[k] = tension;
        }
    }
}

/* ---- cables of the plane ---- */

/* Sample k of n to an element; the last of all is the end of the cable. */
static void sample(const haw_line *line, int n, int k, const double *q, const double *u,
                   const haw_profile *profile)
{
    const int e = k < n * line->elements ? k / n : line->elements - 1;
    const double s = (double)(k - n * e) / n;
    haw_axial axial;
    double x[2];
    line->ops->position(line, e, s, q, x, NULL);
    axial_state(line, e, s, q, u, &axial);
    profile->xi[k] = (e + s) * line->le;
    profile->x[k] = x[0];
    profile->y[k] = x[1];
    profile->tension[k] = axial.tension;
    profile->strain[k] = axial.strain;
    profile->curvature[k] = axial.curvature;
    profile->element_tension[k] = element_tension(line, e, q, u);
}

void haw_cable_profile_rates(const haw_model *model, int cable, const double *q, const double *u,
                             const haw_profile *profile)
{
    const haw_cable *c = &model->cable[cable];
    const double *own_q = q + c->first_q, *own_u = u != NULL ? u + c->first : NULL;
    const int n = haw_cable_samples(model, cable);
    if (c->rope != NULL) {
        rope_profile(&(instant){model, c, q, u}, profile);
        return;
    }
    for (int k = 0; k <= n * c->line.elements; k++) {
        if (model->dimension == 3) {
            beam_sample(&c->beam, n, k, own_q, own_u, profile);
        } else {
            sample(&c->line, n, k, own_q, own_u, profile);
        }
    }
}

void haw_cable_profile(const haw_model *model, int cable, const double *q,
                       const haw_profile *profile)
{
    haw_cable_profile_rates(model, cable, q, NULL, profile);
}

/* Elements of ropes differ in length. */
static double rope_tension(const haw_cable *cable, int first, int end, const double *q)
{
    const haw_rope *rope = cable->rope;
    double sum = 0;
    for (int e = first; e < end; e++) {
        sum += rope->ops->tension(rope->model, cable, e, q, NULL) *
               (q[rope->label[e + 1]] - q[rope->label[e]]);
    }
    return sum / (q[rope->label[end]] - q[rope->label[first]]);
}

double haw_cable_tension_range(const haw_cable *cable, int first, int end, const double *q)
{
    double sum = 0;
    if (cable->rope != NULL) {
        return rope_tension(cable, first, end, q);
    }
    for (int e = first; e < end; e++) {
        const double *own = q + cable->first_q;
        sum += cable->line.ops == NULL ? beam_tension(&cable->beam, e, own, NULL)
                                       : element_tension(&cable->line, e, own, NULL);
    }
    return sum / (end - first);
}

double haw_cable_tension_mean(const haw_cable *cable, const double *q)
{
    return haw_cable_tension_range(cable, 0, cable->line.elements, q);
}
