/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinetic energy and inertia forces of arc1d. Material between two nodes lies evenly on the line
 * X1 X2, which moves while the material runs along it:
 *
 *     r' = (X2 - X1) / ds,   v = N1 w1 + N2 w2,   w_i = X_i' - r' s_i',   N linear,
 *     T = rho ds / 6 (w1.w1 + w1.w2 + w2.w2).
 *
 * The whole rope is a closed set of material points, so Lagrange's equations hold for the sum of T
 * as it stands (what flows from one element to the next is in both), and energy is conserved
 * exactly. With p_i = dT/dw_i, g = (s1' p1 + s2' p2) / ds and r'' = (w2 - w1) / ds, the rate of r':
 *
 *     on X1: p1' - g,   on s1: -r'.p1' - r''.p1 + g.r' + T / ds,
 *     on X2: p2' + g,   on s2: -r'.p2' - r''.p2 - g.r' - T / ds.
 *
 * On a sheave whose centre and lines stand still X is the arc coordinate: material runs along the
 * circle, and its momentum across is the bearing's. With the length l of a cell this leaves
 *
 *     T = m (s1'^2 + s1' s2' + s2'^2),   m = rho l^2 / (6 ds),
 *     on s1: m (2 s1'' + s2'' - (2 s1' s2' + 2 s2'^2 - s1'^2) / ds),
 *     on s2: m (s1'' + 2 s2'' + (2 s1' s2' + 2 s1'^2 - s2'^2) / ds).
 *
 * Elsewhere cells are the chords of the arc.
 */
#include "cable/arc1d.h"

#include <math.h>

/* An element in motion: second index the component. */
typedef struct chord {
    double density, ds;
    double span[2];    /* X2 - X1 */
    double v[2][2];    /* X' of both ends */
    double a[2][2];    /* X'' */
    double rate[2];    /* s' */
    double again[2];   /* s'' */
    double push[2][2]; /* out: inertia forces on X1, X2 */
    double label[2];   /* out: on s1, s2 */
} chord;

static double chord_kinetic(const chord *c)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const double slope = c->span[k] / c->ds;
        const double w[2] = {c->v[0][k] - slope * c->rate[0], c->v[1][k] - slope * c->rate[1]};
        sum += w[0] * w[0] + w[0] * w[1] + w[1] * w[1];
    }
    return c->density * c->ds / 6 * sum;
}

static void chord_inertia(chord *c)
{
    const double inverse = 1 / c->ds, line = c->density / 6, mass = line * c->ds;
    const double growth = c->rate[1] - c->rate[0];
    c->label[0] = c->label[1] = 0;
    for (int k = 0; k < 2; k++) {
        const double slope = c->span[k] * inverse;
        const double w[2] = {c->v[0][k] - slope * c->rate[0], c->v[1][k] - slope * c->rate[1]};
        const double turn = (w[1] - w[0]) * inverse;
        const double z[2] = {c->a[0][k] - turn * c->rate[0] - slope * c->again[0],
                             c->a[1][k] - turn * c->rate[1] - slope * c->again[1]};
        const double q[2] = {2 * w[0] + w[1], w[0] + 2 * w[1]};
        const double p[2] = {mass * q[0], mass * q[1]};
        const double force[2] = {mass * (2 * z[0] + z[1]) + line * growth * q[0],
                                 mass * (z[0] + 2 * z[1]) + line * growth * q[1]};
        const double g = (c->rate[0] * p[0] + c->rate[1] * p[1]) * inverse;
        const double kinetic = line * (w[0] * w[0] + w[0] * w[1] + w[1] * w[1]);
        c->push[0][k] = force[0] - g;
        c->push[1][k] = force[1] + g;
        c->label[0] += slope * (g - force[0]) - turn * p[0] + kinetic;
        c->label[1] -= slope * (g + force[1]) + turn * p[1] + kinetic;
    }
}

/* ---- ends of the elements ---- */

static void span_chord(const haw_rope *rope, const haw_arc_line *line, const haw_arc_motion *motion,
                       const double *u, const double *a, chord *c)
{
    const double *e = line->along, *n = line->left;
    for (int end = 0; end < 2; end++) {
        const double lever = line->lever[end], *w = motion->turn;
        for (int k = 0; k < 2; k++) {
            const int dof = line->dof[end] + k;
            c->v[end][k] = u[dof] + lever * w[0] * e[k];
            if (a != NULL) {
                c->a[end][k] = a[dof] + lever * (w[1] * e[k] + w[0] * w[0] * n[k]);
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        c->span[k] = line->end[1][k] - line->end[0][k];
    }
    c->density = rope->section.density;
}

static void set_labels(const double *q, const double *u, const double *a, int first, chord *c)
{
    c->ds = q[first + 1] - q[first];
    for (int k = 0; k < 2; k++) {
        c->rate[k] = u[first + k];
        c->again[k] = a != NULL ? a[first + k] : 0;
    }
}

/* Motion of the nodes of a sheave in general: place, velocity and acceleration of one. */
typedef struct node {
    double x[2], v[2], a[2];
    double side[2]; /* dX / d(angle) */
} node;

/* The normal of part `part` of the arc turns by the same part of the turns of the lines. */
static void node_move(const haw_arc_sheave *sheave, const haw_arc_motion motion[2], double part,
                      const double centre[4], node *at)
{
    const double angle = sheave->angle[0] + part * (sheave->angle[1] - sheave->angle[0]);
    const double r = sheave->drawn->radius;
    const double x[2] = {r * cos(angle), r * sin(angle)};
    double w[2];
    for (int k = 0; k < 2; k++) {
        w[k] = (1 - part) * motion[0].turn[k] + part * motion[1].turn[k];
    }
    at->side[0] = -x[1];
    at->side[1] = x[0];
    for (int k = 0; k < 2; k++) {
        at->x[k] = x[k];
        at->v[k] = centre[0 + k] + w[0] * at->side[k];
        at->a[k] = centre[2 + k] + w[1] * at->side[k] - w[0] * w[0] * x[k];
    }
}

static void cell_chord(const node ends[2], double density, chord *c)
{
    c->density = density;
    for (int k = 0; k < 2; k++) {
        c->span[k] = ends[1].x[k] - ends[0].x[k];
        for (int end = 0; end < 2; end++) {
            c->v[end][k] = ends[end].v[k];
            c->a[end][k] = ends[end].a[k];
        }
    }
}

/* Velocity and acceleration of a sheave's centre. */
static void centre_move(const haw_arc_sheave *sheave, const double *u, const double *a,
                        double centre[4])
{
    const int dof = sheave->drawn->dof;
    for (int k = 0; k < 2; k++) {
        centre[k] = u[dof + k];
        centre[2 + k] = a != NULL ? a[dof + k] : 0;
    }
}

/* ---- energy ---- */

static double arc_kinetic(const haw_rope *rope, const haw_arc_sheave *sheave,
                          const haw_arc_motion motion[2], const double *q, const double *u)
{
    const double density = rope->section.density;
    double sum = 0;
    if (sheave->kind == HAW_ARC_FIXED) {
        const double *s = q + sheave->first, *r = u + sheave->first;
        for (int k = 0; k < sheave->cells; k++) {
            sum += (r[k] * (r[k] + r[k + 1]) + r[k + 1] * r[k + 1]) / (s[k + 1] - s[k]);
        }
        return density * sheave->cell * sheave->cell / 6 * sum;
    }
    double centre[4];
    node ends[2];
    centre_move(sheave, u, NULL, centre);
    node_move(sheave, motion, 0, centre, &ends[0]);
    for (int k = 0; k < sheave->cells; k++) {
        chord c;
        node_move(sheave, motion, (k + 1.0) / sheave->cells, centre, &ends[1]);
        cell_chord(ends, density, &c);
        set_labels(q, u, NULL, sheave->first + k, &c);
        sum += chord_kinetic(&c);
        ends[0] = ends[1];
    }
    return sum;
}

double haw_arc_kinetic(const haw_cable *cable, const double *q, const double *u)
{
    const haw_rope *rope = cable->rope;
    haw_arc_line line[2];
    haw_arc_motion motion[2];
    double sum = 0;
    haw_arc_line_find(rope, 0, q, &line[0]);
    motion[0] = haw_arc_line_move(&line[0], u, NULL);
    for (int i = 0; i <= rope->arcs; i++) {
        const int e = i > 0 ? rope->arc[i - 1].first_element + rope->arc[i - 1].elements : 0;
        chord c;
        span_chord(rope, &line[0], &motion[0], u, NULL, &c);
        set_labels(q, u, NULL, rope->label[e], &c);
        sum += chord_kinetic(&c);
        if (i < rope->arcs) {
            haw_arc_sheave sheave;
            haw_arc_line_find(rope, i + 1, q, &line[1]);
            motion[1] = haw_arc_line_move(&line[1], u, NULL);
            haw_arc_sheave_find(rope, i, line, &sheave);
            sum += arc_kinetic(rope, &sheave, motion, q, u);
            line[0] = line[1];
            motion[0] = motion[1];
        }
    }
    return sum;
}

/* ---- forces ---- */

/* What the whole rope is summed into. */
typedef struct sums {
    const haw_rope *rope;
    const double *q, *u, *a;
    double *y;
} sums;

static void add_labels(const sums *to, int first, const chord *c)
{
    to->y[first] += c->label[0];
    to->y[first + 1] += c->label[1];
}

static void span_inertia(const sums *to, const haw_arc_line *line, const haw_arc_motion *motion,
                         int e, haw_arc_pull *pull)
{
    const int first = to->rope->label[e];
    chord c;
    span_chord(to->rope, line, motion, to->u, to->a, &c);
    set_labels(to->q, to->u, to->a, first, &c);
    chord_inertia(&c);
    add_labels(to, first, &c);
    haw_arc_pull_ends(line, c.push[0], c.push[1], pull);
}

static void fixed_inertia(const sums *to, const haw_arc_sheave *sheave)
{
    const double *s = to->q + sheave->first, *u = to->u + sheave->first;
    const double *a = to->a + sheave->first;
    const double line = to->rope->section.density * sheave->cell * sheave->cell / 6;
    double *y = to->y + sheave->first, before = 0;
    for (int k = 0; k < sheave->cells; k++) {
        const double inverse = 1 / (s[k + 1] - s[k]), mass = line * inverse;
        const double r[2] = {u[k], u[k + 1]}, twice = 2 * r[0] * r[1];
        const double first = (twice + 2 * r[1] * r[1] - r[0] * r[0]) * inverse;
        const double second = (twice + 2 * r[0] * r[0] - r[1] * r[1]) * inverse;
        y[k] += before + mass * (2 * a[k] + a[k + 1] - first);
        before = mass * (a[k] + 2 * a[k + 1] + second);
    }
    y[sheave->cells] += before;
}

static void general_inertia(const sums *to, const haw_arc_sheave *sheave,
                            const haw_arc_motion motion[2], haw_arc_pull pull[2])
{
    const int n = sheave->cells;
    double centre[4];
    node ends[2];
    centre_move(sheave, to->u, to->a, centre);
    node_move(sheave, motion, 0, centre, &ends[0]);
    for (int k = 0; k < n; k++) {
        chord c;
        node_move(sheave, motion, (k + 1.0) / n, centre, &ends[1]);
        cell_chord(ends, to->rope->section.density, &c);
        set_labels(to->q, to->u, to->a, sheave->first + k, &c);
        chord_inertia(&c);
        add_labels(to, sheave->first + k, &c);
        for (int end = 0; end < 2; end++) {
            const double *push = c.push[end], *side = ends[end].side;
            const double part = (double)(k + end) / n, turn = push[0] * side[0] + push[1] * side[1];
            pull[0].turn += (1 - part) * turn;
            pull[1].turn += part * turn;
            pull[0].centre[1][0] += push[0];
            pull[0].centre[1][1] += push[1];
        }
        ends[0] = ends[1];
    }
}

void haw_arc_inertia(const haw_cable *cable, const double *q, const double *u, const double *a,
                     double *y)
{
    const haw_rope *rope = cable->rope;
    const sums to = {.rope = rope, .q = q, .u = u, .a = a, .y = y};
    haw_arc_line line[2];
    haw_arc_motion motion[2];
    haw_arc_pull pull[2] = {{.length = 0}};
    haw_arc_line_find(rope, 0, q, &line[0]);
    motion[0] = haw_arc_line_move(&line[0], u, a);
    for (int i = 0; i <= rope->arcs; i++) {
        const int e = i > 0 ? rope->arc[i - 1].first_element + rope->arc[i - 1].elements : 0;
        span_inertia(&to, &line[0], &motion[0], e, &pull[0]);
        if (i < rope->arcs) {
            haw_arc_sheave sheave;
            haw_arc_line_find(rope, i + 1, q, &line[1]);
            motion[1] = haw_arc_line_move(&line[1], u, a);
            haw_arc_sheave_find(rope, i, line, &sheave);
            if (sheave.kind == HAW_ARC_FIXED) {
                fixed_inertia(&to, &sheave);
            } else {
                general_inertia(&to, &sheave, motion, pull);
            }
        }
        haw_arc_pull_scatter(&line[0], &pull[0], y);
        line[0] = line[1];
        motion[0] = motion[1];
        pull[0] = pull[1];
        pull[1] = (haw_arc_pull){.length = 0};
    }
}
