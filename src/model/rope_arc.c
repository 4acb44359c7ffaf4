/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes of the kind arc1d: lines and sheaves of the present course, what is asked of an element.
 *
 * With the vector d from one centre to the next and delta = turn2 R2 - turn1 R1 (reeving.c),
 *
 *     d = l e + delta n,   l^2 = d.d - delta^2,   e = (l d - delta (left normal of d)) / d.d,
 *
 * and in increments  d(turn) = n . dd / l,   dl = e . dd + delta d(turn).
 */
#include "model/rope_arc.h"

#include "model/reeving.h"

#include <math.h>

/* ---- lines ---- */

/* Place of a circle, its lever turn R, and its dofs. */
static const double *circle(const haw_rope *rope, int i, const double *q, double *lever, int *dof)
{
    const bool is_sheave = i >= 0 && i < rope->arcs;
    const haw_rope_arc *arc = is_sheave ? &rope->arc[i] : NULL;
    *lever = is_sheave ? arc->turn * arc->radius : 0;
    *dof = is_sheave ? rope->model->body[arc->body].first : rope->end_dof[i < 0 ? 0 : 1];
    return q + *dof;
}

void haw_arc_line_find(const haw_rope *rope, int i, const double *q, haw_arc_line *line)
{
    const double *from = circle(rope, i - 1, q, &line->lever[0], &line->dof[0]);
    const double *to = circle(rope, i, q, &line->lever[1], &line->dof[1]);
    const double d[2] = {to[0] - from[0], to[1] - from[1]};
    const double delta = line->lever[1] - line->lever[0];
    const double square = d[0] * d[0] + d[1] * d[1];
    const double length = sqrt(square - delta * delta);
    const double inverse = 1 / square;
    double *e = line->along, *n = line->left;
    e[0] = (length * d[0] + delta * d[1]) * inverse;
    e[1] = (length * d[1] - delta * d[0]) * inverse;
    n[0] = -e[1];
    n[1] = e[0];
    for (int k = 0; k < 2; k++) {
        line->end[0][k] = from[k] - line->lever[0] * n[k];
        line->end[1][k] = to[k] - line->lever[1] * n[k];
    }
    line->length = length;
    line->delta = delta;
}

haw_arc_motion haw_arc_line_move(const haw_arc_line *line, const double *u, const double *a)
{
    const double *e = line->along, *n = line->left, l = line->length;
    const double *from = u + line->dof[0], *to = u + line->dof[1];
    const double v[2] = {to[0] - from[0], to[1] - from[1]};
    const double across = n[0] * v[0] + n[1] * v[1], along = e[0] * v[0] + e[1] * v[1];
    haw_arc_motion motion = {.turn = {across / l, 0}};
    motion.length = along + line->delta * motion.turn[0];
    if (a != NULL) {
        const double *a1 = a + line->dof[0], *a2 = a + line->dof[1];
        const double sum = n[0] * (a2[0] - a1[0]) + n[1] * (a2[1] - a1[1]);
        motion.turn[1] = (sum - motion.turn[0] * (along + motion.length)) / l;
    }
    return motion;
}

void haw_arc_line_curve(const haw_arc_line *line, double h[4])
{
    const double *e = line->along, *n = line->left, l = line->length;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            h[2 * i + j] = -(n[i] * e[j] + e[i] * n[j] + line->delta / l * n[i] * n[j]) / (l * l);
        }
    }
}

void haw_arc_pull_ends(const haw_arc_line *line, const double before[2], const double after[2],
                       haw_arc_pull *pull)
{
    for (int k = 0; k < 2; k++) {
        pull->centre[0][k] += before[k];
        pull->centre[1][k] += after[k];
        pull->turn += line->along[k] * (line->lever[0] * before[k] + line->lever[1] * after[k]);
    }
}

void haw_arc_pull_scatter(const haw_arc_line *line, const haw_arc_pull *pull, double *f)
{
    const double across = (pull->turn + line->delta * pull->length) / line->length;
    for (int k = 0; k < 2; k++) {
        const double force = pull->length * line->along[k] + across * line->left[k];
        f[line->dof[0] + k] += pull->centre[0][k] - force;
        f[line->dof[1] + k] += pull->centre[1][k] + force;
    }
}

/* ---- sheaves ---- */

/* b = EA / (k_n R^2); 0 where the rope cannot sink. */
static double softness(const haw_model *model, const haw_rope *rope, const haw_rope_arc *arc)
{
    const haw_pair *pair = arc->pair >= 0 ? &model->pair[arc->pair] : NULL;
    if (pair == NULL || pair->compliance.normal == NULL) {
        return 0;
    }
    const double stiffness = pair->compliance.n.stiffness * arc->radius * arc->radius;
    return stiffness > 0 ? rope->section.stiffness * pair->spacing / stiffness : 0;
}

static double present_angle(const haw_rope_arc *arc, const haw_arc_line *line, double drawn)
{
    const double angle = haw_reeving_angle(arc->turn, line->along);
    return drawn + remainder(angle - drawn, 2 * acos(-1.0));
}

void haw_arc_sheave_find(const haw_model *model, const haw_rope *rope, int i,
                         const haw_arc_line line[2], haw_arc_sheave *sheave)
{
    const haw_rope_arc *arc = &rope->arc[i];
    const double bed = softness(model, rope, arc), part = 1 / (1 + bed);
    sheave->drawn = arc;
    sheave->cells = arc->elements;
    sheave->kind = rope->element[arc->first_element].dofs;
    sheave->first = rope->label[arc->first_element];
    sheave->angle[0] = arc->in;
    sheave->angle[1] = arc->out;
    if (sheave->kind == HAW_ARC_GENERAL) {
        sheave->angle[0] = present_angle(arc, &line[0], arc->in);
        sheave->angle[1] = present_angle(arc, &line[1], arc->out);
    }
    sheave->cell = arc->turn * arc->radius * (sheave->angle[1] - sheave->angle[0]) / sheave->cells;
    sheave->stiffness = rope->section.stiffness;
    sheave->bed = bed;
    /* T = EA (e + tau e') of the rope, e = (A / EA) eps: A (eps + tau (A / EA) eps') if slow */
    sheave->damping = rope->section.damping_strain * part * part;
}

/* ---- one element ---- */

/* Lines at an element: of a span its own; of a cell those before and behind its sheave, where they
 * turn. */
static void find_lines(const haw_rope *rope, int e, const double *q, haw_arc_line line[2])
{
    const haw_rope_element *element = &rope->element[e];
    if (element->is_span) {
        haw_arc_line_find(rope, element->arc + 1, q, &line[0]);
    } else if (element->dofs == HAW_ARC_GENERAL) {
        haw_arc_line_find(rope, element->arc, q, &line[0]);
        haw_arc_line_find(rope, element->arc + 1, q, &line[1]);
    }
}

static double span_tension(const haw_rope *rope, const haw_arc_line *line, int e, const double *q,
                           const double *u)
{
    const int *s = rope->element[e].dof;
    const double ds = q[s[1]] - q[s[0]], strain = (line->length - ds) / ds;
    double tension = rope->section.stiffness * strain;
    if (u != NULL) {
        const double rate = haw_arc_line_move(line, u, NULL).length;
        tension += rope->section.damping_strain * (rate - (1 + strain) * (u[s[1]] - u[s[0]])) / ds;
    }
    return tension;
}

static double cell_rate(const haw_arc_sheave *sheave, const haw_arc_line line[2], const double *u)
{
    if (u == NULL || sheave->kind != HAW_ARC_GENERAL) {
        return 0;
    }
    const haw_arc_motion in = haw_arc_line_move(&line[0], u, NULL);
    const haw_arc_motion out = haw_arc_line_move(&line[1], u, NULL);
    return haw_arc_cell_rate(sheave, &in, &out);
}

static double arc_tension(const haw_model *model, const haw_cable *cable, int e, const double *q,
                          const double *u)
{
    const haw_rope *rope = cable->rope;
    haw_arc_line line[2] = {{.length = 1}, {.length = 1}}; /* where nothing asks for them */
    haw_arc_sheave sheave;
    find_lines(rope, e, q, line);
    if (rope->element[e].is_span) {
        return span_tension(rope, line, e, q, u);
    }
    haw_arc_sheave_find(model, rope, rope->element[e].arc, line, &sheave);
    return haw_arc_cell_tension(&sheave, e - sheave.drawn->first_element,
                                cell_rate(&sheave, line, u), q, u);
}

double haw_arc_tension_beside(const haw_arc_sheave *sheave, int k, int side, double rate,
                              const double *q, const double *u)
{
    const int last = sheave->cells - 1;
    if (k + side >= 0 && k + side <= last) {
        return haw_arc_cell_tension(sheave, k + side, rate, q, u);
    }
    const int far = k - 2 * side;
    const double own = haw_arc_cell_tension(sheave, k, rate, q, u);
    const double next = haw_arc_cell_tension(sheave, k - side, rate, q, u);
    if (far < 0 || far > last) {
        return 2 * own - next;
    }
    return 3 * (own - next) + haw_arc_cell_tension(sheave, far, rate, q, u);
}

static double tension_at(const haw_arc_sheave *sheave, int k, double part, double rate,
                         const double *q, const double *u)
{
    const double own = haw_arc_cell_tension(sheave, k, rate, q, u);
    const double other = haw_arc_tension_beside(sheave, k, part < 0.5 ? -1 : 1, rate, q, u);
    return own + fabs(part - 0.5) * (other - own);
}

/* Tension of a hanging span grows from its mean with the weight below. */
static void span_axial(const haw_rope *rope, const haw_arc_line *line, double part, double mean,
                       haw_rope_point *point)
{
    double tension = mean, *x = point->x;
    for (int k = 0; k < 2; k++) {
        const double middle = 0.5 * (line->end[0][k] + line->end[1][k]);
        x[k] = line->end[0][k] + part * (line->end[1][k] - line->end[0][k]);
        tension += rope->section.density * rope->section.gravity[k] * (middle - x[k]);
    }
    point->axial = (haw_ale_axial){
        .strain = tension / rope->section.stiffness, .tension = tension, .curvature = 0};
}

static void arc_axial(const haw_cable *cable, int e, double s, const double *q, const double *u,
                      haw_rope_point *point)
{
    const haw_rope *rope = cable->rope;
    const double *label[2] = {q + rope->label[e], q + rope->label[e + 1]};
    const double part = (s - *label[0]) / (*label[1] - *label[0]);
    haw_arc_line line[2] = {{.length = 1}, {.length = 1}}; /* where nothing asks for them */
    haw_arc_sheave sheave;
    find_lines(rope, e, q, line);
    if (rope->element[e].is_span) {
        span_axial(rope, line, part, span_tension(rope, line, e, q, u), point);
        return;
    }
    haw_arc_sheave_find(rope->model, rope, rope->element[e].arc, line, &sheave);
    const haw_rope_arc *arc = sheave.drawn;
    const int k = e - arc->first_element;
    const double *centre = q + rope->model->body[arc->body].first_q;
    const double angle =
        sheave.angle[0] + (sheave.angle[1] - sheave.angle[0]) * (k + part) / sheave.cells;
    const double tension = tension_at(&sheave, k, part, cell_rate(&sheave, line, u), q, u);
    point->x[0] = centre[0] + arc->radius * cos(angle);
    point->x[1] = centre[1] + arc->radius * sin(angle);
    point->axial = (haw_ale_axial){.strain = tension / rope->section.stiffness,
                                   .tension = tension,
                                   .curvature = arc->turn / arc->radius};
}

const haw_rope_ops haw_rope_arc1d = {
    .row.name = "arc1d",
    .row.summary = "rope as a line: labels of fixed places on the arcs, the bed condensed",
    .row.source = "theory of bristles, statics and rotation (doc/theory/ropes.md)",
    .layout = haw_arc_layout,
    .start = haw_arc_start,
    .energy = haw_arc_energy,
    .kinetic = haw_arc_kinetic,
    .force = haw_arc_force,
    .inertia = haw_arc_inertia,
    .tangent = haw_arc_tangent,
    .axial = arc_axial,
    .tension = arc_tension,
};
