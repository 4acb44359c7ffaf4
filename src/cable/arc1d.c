/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes of the kind arc1d: lines and sheaves of the present course, answers for an element.
 *
 * With the vector d from one centre to the next and delta = turn2 R2 - turn1 R1 (reeving.c),
 *
 *     d = l e + delta n,   l^2 = d.d - delta^2,   e = (l d - delta (left normal of d)) / d.d,
 *
 * and in increments  d(turn) = n . dd / l,   dl = e . dd + delta d(turn).
 */
#include "cable/arc1d.h"

#include <math.h>
#include <string.h>

/* ---- lines ---- */

void haw_arc_line_find(const haw_rope *rope, int i, const double *q, haw_arc_line *line)
{
    for (int k = 0; k < 2; k++) {
        const haw_rope_arc *arc = &rope->arc[i - 1 + k];
        line->lever[k] = arc->turn * arc->radius;
        line->dof[k] = arc->dof;
    }
    const double *from = q + line->dof[0], *to = q + line->dof[1];
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

void haw_arc_sheave_find(const haw_rope *rope, int i, const haw_arc_line line[2],
                         haw_arc_sheave *sheave)
{
    const haw_rope_arc *arc = &rope->arc[i];
    const double bed = arc->softness, part = 1 / (1 + bed);
    sheave->drawn = arc;
    sheave->cells = arc->elements;
    sheave->kind = rope->element[arc->first_element].dofs;
    sheave->first = rope->label[arc->first_element];
    sheave->angle[0] = arc->in;
    sheave->angle[1] = arc->out;
    if (sheave->kind == HAW_ARC_GENERAL) {
        sheave->angle[0] = haw_reeving_angle_near(arc->turn, line[0].along, arc->in);
        sheave->angle[1] = haw_reeving_angle_near(arc->turn, line[1].along, arc->out);
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

static double arc_tension(const haw_cable *cable, int e, const double *q, const double *u)
{
    const haw_rope *rope = cable->rope;
    haw_arc_line line[2] = {{.length = 1}, {.length = 1}}; /* of cells that do not read them */
    haw_arc_sheave sheave;
    find_lines(rope, e, q, line);
    if (rope->element[e].is_span) {
        return span_tension(rope, line, e, q, u);
    }
    haw_arc_sheave_find(rope, rope->element[e].arc, line, &sheave);
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

/* Angle of the normal at part `part` of cell e. */
static double cell_angle(const haw_arc_sheave *sheave, int e, double part)
{
    const int k = e - sheave->drawn->first_element;
    return sheave->angle[0] + (sheave->angle[1] - sheave->angle[0]) * (k + part) / sheave->cells;
}

static double part_of(const haw_rope *rope, int e, double s, const double *q)
{
    const double *label[2] = {q + rope->label[e], q + rope->label[e + 1]};
    return (s - *label[0]) / (*label[1] - *label[0]);
}

static void place_on_line(const haw_arc_line *line, double part, double x[3])
{
    x[0] = line->end[0][0] + part * (line->end[1][0] - line->end[0][0]);
    x[1] = line->end[0][1] + part * (line->end[1][1] - line->end[0][1]);
    x[2] = 0;
}

static void place_on_sheave(const haw_arc_sheave *sheave, int e, double part, const double *q,
                            double x[3])
{
    const haw_rope_arc *arc = sheave->drawn;
    const double angle = cell_angle(sheave, e, part);
    x[0] = q[arc->dof] + arc->radius * cos(angle);
    x[1] = q[arc->dof + 1] + arc->radius * sin(angle);
    x[2] = 0;
}

static void arc_state(const haw_cable *cable, int e, double s, const double *q, const double *u,
                      haw_sample *to)
{
    const haw_rope *rope = cable->rope;
    const double part = part_of(rope, e, s, q);
    haw_arc_line line[2] = {{.length = 1}, {.length = 1}}; /* of cells that do not read them */
    haw_arc_sheave sheave;
    find_lines(rope, e, q, line);
    *to = (haw_sample){.label = s};
    if (rope->element[e].is_span) {
        place_on_line(line, part, to->x);
        /* the tension of a hanging span grows from its mean with the weight below */
        to->tension = span_tension(rope, line, e, q, u);
        for (int k = 0; k < 2; k++) {
            const double middle = 0.5 * (line->end[0][k] + line->end[1][k]);
            to->tension += rope->section.density * rope->section.gravity[k] * (middle - to->x[k]);
        }
        to->curvature = 0;
    } else {
        haw_arc_sheave_find(rope, rope->element[e].arc, line, &sheave);
        const haw_rope_arc *arc = sheave.drawn;
        place_on_sheave(&sheave, e, part, q, to->x);
        const int cell = e - arc->first_element, side = part < 0.5 ? -1 : 1;
        const double rate = cell_rate(&sheave, line, u);
        const double own = haw_arc_cell_tension(&sheave, cell, rate, q, u);
        const double other = haw_arc_tension_beside(&sheave, cell, side, rate, q, u);
        to->tension = own + fabs(part - 0.5) * (other - own);
        to->curvature = arc->turn / arc->radius;
    }
    to->strain = to->tension / rope->section.stiffness;
}

/* ---- material points ---- */

/* j += x over the increment of one degree of freedom. */
static void add_column(haw_cable_point *to, int a, const double x[2])
{
    to->j[0][a] += x[0];
    to->j[1][a] += x[1];
}

/* The columns of the centres of a line's two circles: those of its turn times `lever`. */
static void add_turn(haw_cable_point *to, const haw_arc_line *line, const int at[2],
                     const double lever[2])
{
    for (int k = 0; k < 4; k++) {
        const double turn = (k < 2 ? -1 : 1) * line->left[k % 2] / line->length;
        const double x[2] = {lever[0] * turn, lever[1] * turn};
        add_column(to, at[k / 2] + k % 2, x);
    }
}

/* @param along  dx / d(part) */
static void add_labels(haw_cable_point *to, double part, double ds, const double along[2])
{
    const double x[2][2] = {{(part - 1) / ds * along[0], (part - 1) / ds * along[1]},
                            {-part / ds * along[0], -part / ds * along[1]}};
    add_column(to, 0, x[0]);
    add_column(to, 1, x[1]);
}

static void span_point(const haw_arc_line *line, double part, double ds, haw_cable_point *to)
{
    static const int at[2] = {2, 4};
    const double share[2] = {1 - part, part};
    double lever[2] = {0, 0}, along[2];
    for (int k = 0; k < 2; k++) {
        along[k] = line->end[1][k] - line->end[0][k];
        for (int end = 0; end < 2; end++) { /* a tangent point turns by lever e d(turn) */
            to->j[k][at[end] + k] += share[end];
            lever[k] += share[end] * line->lever[end] * line->along[k];
        }
    }
    add_labels(to, part, ds, along);
    add_turn(to, line, at, lever);
}

static void cell_point(const haw_arc_sheave *sheave, const haw_arc_line line[2], int e, double part,
                       double ds, haw_cable_point *to)
{
    static const int at[2][2] = {{4, 2}, {2, 6}};
    const haw_rope_arc *arc = sheave->drawn;
    const double angle = cell_angle(sheave, e, part), r = arc->radius;
    const double side[2] = {-r * sin(angle), r * cos(angle)};
    const double step = (sheave->angle[1] - sheave->angle[0]) / sheave->cells;
    const double along[2] = {step * side[0], step * side[1]};
    const double way = (e - arc->first_element + part) / sheave->cells, share[2] = {1 - way, way};
    add_labels(to, part, ds, along);
    if (sheave->kind != HAW_ARC_FIXED) {
        to->j[0][2] += 1;
        to->j[1][3] += 1;
    }
    for (int i = 0; i < 2 && sheave->kind == HAW_ARC_GENERAL; i++) {
        const double lever[2] = {share[i] * side[0], share[i] * side[1]};
        add_turn(to, &line[i], at[i], lever);
    }
}

/* The convective acceleration is not asked of this kind: its contact has no rows of its own. */
/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void arc_point(const haw_cable *cable, int e, double s, const double *q, const double *u,
                      int want, haw_cable_point *to)
{
    const haw_rope *rope = cable->rope;
    const double part = part_of(rope, e, s, q), ds = haw_rope_length(cable, e, q);
    haw_arc_line line[2] = {{.length = 1}, {.length = 1}};
    haw_arc_sheave sheave;
    (void)u;
    find_lines(rope, e, q, line);
    if (rope->element[e].is_span) {
        place_on_line(line, part, to->x);
    } else {
        haw_arc_sheave_find(rope, rope->element[e].arc, line, &sheave);
        place_on_sheave(&sheave, e, part, q, to->x);
    }
    if (want == HAW_POINT_PLACE || want == HAW_POINT_POSITION) {
        return;
    }
    memset(to->j, 0, sizeof to->j);
    memset(to->w, 0, sizeof to->w);
    memset(to->convection, 0, sizeof to->convection);
    if (rope->element[e].is_span) {
        span_point(line, part, ds, to);
    } else {
        cell_point(&sheave, line, e, part, ds, to);
    }
}

/* An arc lies beside its chord by less than R (1 - cos(half of its angle)). */
static void arc_bounds(const haw_cable *cable, int e, const double *q, haw_bounds *box)
{
    const int *label = cable->rope->label;
    haw_sample a, b;
    arc_state(cable, e, q[label[e]], q, NULL, &a);
    arc_state(cable, e, q[label[e + 1]], q, NULL, &b);
    const double chord = hypot(b.x[0] - a.x[0], b.x[1] - a.x[1]);
    const double aside = 0.5 * chord * (a.curvature != 0 ? 1 : 0);
    for (int i = 0; i < 2; i++) {
        box->min[i] = fmin(a.x[i], b.x[i]) - aside;
        box->max[i] = fmax(a.x[i], b.x[i]) + aside;
    }
}

/* ---- degrees of freedom, elements and the drawn start ---- */

/* Drawn directions closer to each other than this are the same. */
static const double PARALLEL = 1e-9;

/* A line turns if one of its circles may leave it sideways. */
static bool turns(const haw_rope *rope, int line)
{
    const int sheave = line < rope->arcs ? line : line - 1;
    const haw_rope_arc *arc = &rope->arc[sheave];
    const double normal = line < rope->arcs ? arc->in : arc->out;
    const double sideways[2] = {cos(normal), sin(normal)};
    bool result = false;
    for (int k = 0; k < 2; k++) {
        const bool any = rope->arc[line - 1].moves[k] || rope->arc[line].moves[k];
        result = result || (any && fabs(sideways[k]) > PARALLEL);
    }
    return result;
}

static int cell_kind(const haw_rope *rope, int arc)
{
    if (turns(rope, arc) || turns(rope, arc + 1)) {
        return HAW_ARC_GENERAL;
    }
    const bool *moves = rope->arc[arc].moves;
    return moves[0] || moves[1] ? HAW_ARC_SLIDING : HAW_ARC_FIXED;
}

/* ---- numbering ---- */

static haw_status arc_layout(haw_arena *arena, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    HAW_TRY(haw_rope_allocate(arena, rope->elements + 1, cable));
    int next = cable->first;
    haw_rope_number_end(cable, -1, &next);
    rope->label[0] = haw_rope_hold(cable, 1, &next);
    for (int i = 1; i < rope->elements; i++) {
        rope->label[i] = next++;
    }
    rope->label[rope->elements] = haw_rope_hold(cable, 1, &next);
    haw_rope_number_end(cable, rope->arcs, &next);
    bool is_span = true;
    for (int e = 0, arc = -1; e < rope->elements; e++) {
        rope->element[e] = (haw_rope_element){
            .is_span = is_span,
            .arc = arc,
            .dofs = is_span ? HAW_ARC_SPAN : cell_kind(rope, arc),
        };
        haw_rope_element *element = &rope->element[e];
        const int i = is_span ? arc + 1 : arc, circles[2][3] = {{i, i - 1, i + 1}, {i - 1, i, i}};
        element->dof[0] = rope->label[e];
        element->dof[1] = rope->label[e + 1];
        for (int k = 2; k < element->dofs; k++) {
            element->dof[k] = rope->arc[circles[is_span ? 1 : 0][k / 2 - 1]].dof + k % 2;
        }
        arc += is_span ? 1 : 0;
        is_span = !is_span && e + 1 == rope->arc[arc].first_element + rope->per_arc;
    }
    return HAW_OK;
}

/* ---- start ---- */

static void arc_start(const haw_cable *cable, double *q)
{
    const haw_rope *rope = cable->rope;
    haw_rope_start(cable, q);
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        for (int k = 0; k <= arc->elements; k++) {
            q[rope->label[arc->first_element + k]] =
                arc->label_in + (arc->label_out - arc->label_in) * k / arc->elements;
        }
    }
}

/* ---- sheaves ---- */

/* By the span's own tension there. */
static double arc_side_tension(const haw_cable *cable, int i, int side, const double *q,
                               const double *u)
{
    const haw_rope *rope = cable->rope;
    const int first = rope->arc[i].first_element, last = first + rope->arc[i].elements - 1;
    haw_sample at;
    arc_state(cable, side == 0 ? first - 1 : last + 1, q[rope->label[side == 0 ? first : last + 1]],
              q, u, &at);
    return at.tension;
}

/* The mean of the nodes', which have their places. */
static double arc_sheave_label(const haw_cable *cable, int i, const double *q)
{
    const haw_rope *rope = cable->rope;
    double sum = 0;
    for (int k = 0; k <= rope->per_arc; k++) {
        sum += q[rope->label[rope->arc[i].first_element + k]];
    }
    return sum / (rope->per_arc + 1);
}

const haw_cable_ops haw_cable_arc1d = {
    HAW_ROPE_ROW("arc1d",
                 "rope as a line: labels of fixed points on the arcs, elastic bed condensed",
                 "theory of bristles, statics and rotation (doc/theory/ropes.md)"),
    .layout = arc_layout,
    .start = arc_start,
    .energy = haw_arc_energy,
    .kinetic = haw_arc_kinetic,
    .forces = haw_arc_forces,
    .inertia = haw_arc_inertia,
    .blocks = haw_arc_blocks,
    .point = arc_point,
    .bounds = arc_bounds,
    .state = arc_state,
    .tension = arc_tension,
    .side_tension = arc_side_tension,
    .sheave_label = arc_sheave_label,
    .speed = haw_rope_speed,
    .excess = haw_rope_excess,
};
