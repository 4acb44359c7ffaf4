/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mechanics of arc1d: energy and forces, kinetic energy and inertia forces, matrices.
 */
#include "cable/arc1d.h"

#include <math.h>
#include <string.h>

/* ---- the rope from line to line ---- */

/* The lines before and behind a sheave of the present course, with their motion where u is given.
 */
typedef struct course {
    const haw_rope *rope;
    const double *q, *u, *a;
    haw_arc_line line[2];
    haw_arc_motion motion[2];
    haw_arc_sheave sheave;
} course;

static void find_line(course *c, int i, int side)
{
    haw_arc_line_find(c->rope, i, c->q, &c->line[side]);
    if (c->u != NULL) {
        c->motion[side] = haw_arc_line_move(&c->line[side], c->u, c->a);
    }
}

static void begin(course *c, const haw_cable *cable, const double *q, const double *u,
                  const double *a)
{
    c->rope = cable->rope;
    c->q = q;
    c->u = u;
    c->a = a;
    find_line(c, 0, 0);
}

/* Sheave i and the line behind it; false: the line before it is the last. */
static bool find_sheave(course *c, int i)
{
    if (i == c->rope->arcs) {
        return false;
    }
    find_line(c, i + 1, 1);
    haw_arc_sheave_find(c->rope, i, c->line, &c->sheave);
    return true;
}

static void go_on(course *c)
{
    c->line[0] = c->line[1];
    c->motion[0] = c->motion[1];
}

/* First label of the span before sheave i, or of the last one. */
static int span_label(const haw_rope *rope, int i)
{
    const int e = i > 0 ? rope->arc[i - 1].first_element + rope->arc[i - 1].elements : 0;
    return rope->label[e];
}

/*
 * ---- energy and forces ----
 *
 * An element between the labels s1, s2 has
 *
 *     force on its length      -(v' + T_d),       T_d = c eps',
 *     on the label s2          lambda v' - v + lambda T_d + rho g . X,
 *     on the label s1          minus that,
 *
 * X the middle of its ends, on which its weight rho ds g acts in halves. T_d eps' ds is what the
 * damping takes: dl - lambda d(ds) is the elongation at fixed material.
 */

/* g . X of the nodes of a sheave, one after another: x and the normal there turn by a cell. */
typedef struct climb {
    double base;      /* g . centre */
    double weight[2]; /* R g . normal, R g . (normal turned by +90 degrees) */
    double turn[2];   /* cos, sin of the angle of a cell */
} climb;

static climb climb_start(const haw_rope *rope, const haw_arc_sheave *sheave, const double *q)
{
    const haw_rope_arc *arc = sheave->drawn;
    const double *g = rope->section.gravity, *x = q + arc->dof;
    const double c = cos(sheave->angle[0]), s = sin(sheave->angle[0]), r = arc->radius;
    const double step = (sheave->angle[1] - sheave->angle[0]) / sheave->cells;
    return (climb){.base = g[0] * x[0] + g[1] * x[1],
                   .weight = {r * (g[0] * c + g[1] * s), r * (g[1] * c - g[0] * s)},
                   .turn = {cos(step), sin(step)}};
}

static HAW_INLINE void climb_on(climb *at)
{
    const double *w = at->weight, *t = at->turn;
    const double next[2] = {w[0] * t[0] + w[1] * t[1], w[1] * t[0] - w[0] * t[1]};
    at->weight[0] = next[0];
    at->weight[1] = next[1];
}

/* ---- energy ---- */

static HAW_INLINE double elastic(double stiffness, double bed, double length, double ds)
{
    const double stretch = length / ds;
    return 0.5 * stiffness * (length - ds) * (length - ds) / (ds * (1 + bed * stretch * stretch));
}

static void span_energy(const haw_rope *rope, const haw_arc_line *line, const double *s,
                        double energy[2])
{
    const double *g = rope->section.gravity, ds = s[1] - s[0];
    energy[0] += elastic(rope->section.stiffness, 0, line->length, ds);
    for (int k = 0; k < 2; k++) {
        energy[1] -= 0.5 * rope->section.density * ds * g[k] * (line->end[0][k] + line->end[1][k]);
    }
}

static void arc_energy(const haw_rope *rope, const haw_arc_sheave *sheave, const double *q,
                       double energy[2])
{
    const double *s = q + sheave->first;
    climb at = climb_start(rope, sheave, q);
    double sum = 0, moment = 0;
    for (int k = 0; k < sheave->cells; k++) {
        const double ds = s[k + 1] - s[k], before = at.weight[0];
        sum += elastic(sheave->stiffness, sheave->bed, sheave->cell, ds);
        climb_on(&at);
        moment += ds * (at.base + 0.5 * (before + at.weight[0]));
    }
    energy[0] += sum;
    energy[1] -= rope->section.density * moment;
}

void haw_arc_energy(const haw_cable *cable, const double *q, double energy[2])
{
    course c;
    begin(&c, cable, q, NULL, NULL);
    for (int i = 0; i <= c.rope->arcs; i++) {
        span_energy(c.rope, &c.line[0], q + span_label(c.rope, i), energy);
        if (find_sheave(&c, i)) {
            arc_energy(c.rope, &c.sheave, q, energy);
            go_on(&c);
        }
    }
}

/* ---- forces ---- */

/* Both sorts of force on a line: conservative, damping. */
typedef struct pulls {
    haw_arc_pull elastic, damping;
} pulls;

/* On the line before sheave i. @param f, d  the sums of the whole rope */
static void span_force(const course *c, int i, double *f, double *d, pulls *pull)
{
    const haw_ale_section *section = &c->rope->section;
    const haw_arc_line *line = &c->line[0];
    const int first = span_label(c->rope, i);
    const double *s = c->q + first, *v = c->u + first, *g = section->gravity;
    const double ds = s[1] - s[0], strain = (line->length - ds) / ds;
    const double rate = (c->motion[0].length - (1 + strain) * (v[1] - v[0])) / ds;
    const double damping = section->damping_strain * rate, half = 0.5 * section->density;
    const double weight[2] = {half * ds * g[0], half * ds * g[1]};
    double label = section->stiffness * strain * (1 + 0.5 * strain);
    for (int k = 0; k < 2; k++) {
        label += half * g[k] * (line->end[0][k] + line->end[1][k]);
    }
    pull->elastic.length -= section->stiffness * strain;
    pull->damping.length -= damping;
    haw_arc_pull_ends(line, weight, weight, &pull->elastic);
    f[first] -= label;
    f[first + 1] += label;
    d[first] -= damping * (1 + strain);
    d[first + 1] += damping * (1 + strain);
}

/* Forces of all cells on their labels. @param rate  of the length of a cell
 * @param tension  out: sums of v' and T_d */
static void cell_forces(const course *at_sheave, double rate, double *f, double *d,
                        double tension[2])
{
    const haw_rope *rope = at_sheave->rope;
    const haw_arc_sheave *sheave = &at_sheave->sheave;
    const double *s = at_sheave->q + sheave->first, *v = at_sheave->u + sheave->first;
    const double a = sheave->stiffness, b = sheave->bed, c = sheave->damping;
    const double half = 0.5 * rope->section.density;
    climb at = climb_start(rope, sheave, at_sheave->q);
    double sum[2] = {0, 0}, before[2] = {0, 0};
    for (int k = 0; k < sheave->cells; k++) {
        const double ds = s[k + 1] - s[k], inverse = 1 / ds, low = at.weight[0];
        const double strain = (sheave->cell - ds) * inverse, stretch = 1 + strain;
        const double damping = c * (rate - stretch * (v[k + 1] - v[k])) * inverse;
        climb_on(&at);
        const double weight = half * (2 * at.base + low + at.weight[0]);
        const double soft = 1 / (1 + b * stretch * stretch), force = a * strain * soft;
        const double pull = force * (1 - b * stretch * strain * soft);
        const double label = stretch * pull - 0.5 * force * strain + weight;
        const double viscous = damping * stretch;
        f[k] += before[0] - label;
        d[k] += before[1] - viscous;
        before[0] = label;
        before[1] = viscous;
        sum[0] += pull;
        sum[1] += damping;
    }
    f[sheave->cells] += before[0];
    d[sheave->cells] += before[1];
    tension[0] = sum[0];
    tension[1] = sum[1];
}

/* Weight of the nodes on the centre of the sheave and on the turns of its two lines. */
static void arc_weight(const course *c, double *f, double moment[2])
{
    const haw_ale_section *section = &c->rope->section;
    const haw_arc_sheave *sheave = &c->sheave;
    const int n = sheave->cells, centre = sheave->drawn->dof;
    const double *s = c->q + sheave->first, mass = section->density * (s[n] - s[0]);
    climb at = climb_start(c->rope, sheave, c->q);
    f[centre] += mass * section->gravity[0];
    f[centre + 1] += mass * section->gravity[1];
    for (int k = 0; k <= n && sheave->kind == HAW_ARC_GENERAL; k++) {
        const double material = s[k < n ? k + 1 : n] - s[k > 0 ? k - 1 : 0];
        const double part = (double)k / n, turn = 0.5 * section->density * material * at.weight[1];
        moment[0] += (1 - part) * turn;
        moment[1] += part * turn;
        climb_on(&at);
    }
}

/* A sheave between its two lines: longer arcs take part in both turns. */
static void arc_force(const course *c, double *f, double *d, pulls pull[2])
{
    const haw_arc_sheave *sheave = &c->sheave;
    double tension[2], weight[2] = {0, 0};
    cell_forces(c, haw_arc_cell_rate(sheave, &c->motion[0], &c->motion[1]), f + sheave->first,
                d + sheave->first, tension);
    arc_weight(c, f, weight);
    const double lever = c->line[0].lever[1] / sheave->cells;
    pull[0].elastic.turn += lever * tension[0] + weight[0];
    pull[1].elastic.turn += weight[1] - lever * tension[0];
    pull[0].damping.turn += lever * tension[1];
    pull[1].damping.turn -= lever * tension[1];
}

void haw_arc_forces(const haw_cable *cable, const double *q, const double *u,
                    const haw_forces *forces)
{
    double *f = forces->conservative, *d = forces->damping;
    pulls pull[2] = {{.elastic = {.length = 0}}};
    course c;
    begin(&c, cable, q, u, NULL);
    for (int i = 0; i <= c.rope->arcs; i++) {
        span_force(&c, i, f, d, &pull[0]);
        if (find_sheave(&c, i)) {
            arc_force(&c, f, d, pull);
        }
        haw_arc_pull_scatter(&c.line[0], &pull[0].elastic, f);
        haw_arc_pull_scatter(&c.line[0], &pull[0].damping, d);
        go_on(&c);
        pull[0] = pull[1];
        pull[1] = (pulls){.elastic = {.length = 0}};
    }
}

/*
 * ---- inertia ----
 *
 * Material between two nodes lies evenly on the line
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

static void set_labels(const course *c, int first, chord *to)
{
    to->density = c->rope->section.density;
    to->ds = c->q[first + 1] - c->q[first];
    for (int k = 0; k < 2; k++) {
        to->rate[k] = c->u[first + k];
        to->again[k] = c->a != NULL ? c->a[first + k] : 0;
    }
}

/* The line before sheave i. */
static void span_chord(const course *c, int i, chord *to)
{
    const haw_arc_line *line = &c->line[0];
    const double *e = line->along, *n = line->left, *w = c->motion[0].turn;
    for (int end = 0; end < 2; end++) {
        const double lever = line->lever[end];
        for (int k = 0; k < 2; k++) {
            const int dof = line->dof[end] + k;
            to->v[end][k] = c->u[dof] + lever * w[0] * e[k];
            if (c->a != NULL) {
                to->a[end][k] = c->a[dof] + lever * (w[1] * e[k] + w[0] * w[0] * n[k]);
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        to->span[k] = line->end[1][k] - line->end[0][k];
    }
    set_labels(c, span_label(c->rope, i), to);
}

/* Motion of the nodes of a sheave in general: place, velocity and acceleration of one. */
typedef struct node {
    double x[2], v[2], a[2];
    double side[2]; /* dX / d(angle) */
} node;

/* The normal of part `part` of the arc turns by the same part of the turns of the lines. */
static void node_move(const course *c, double part, node *at)
{
    const haw_arc_sheave *sheave = &c->sheave;
    const int centre = sheave->drawn->dof;
    const double angle = sheave->angle[0] + part * (sheave->angle[1] - sheave->angle[0]);
    const double r = sheave->drawn->radius;
    const double x[2] = {r * cos(angle), r * sin(angle)};
    double w[2];
    for (int k = 0; k < 2; k++) {
        w[k] = (1 - part) * c->motion[0].turn[k] + part * c->motion[1].turn[k];
    }
    at->side[0] = -x[1];
    at->side[1] = x[0];
    for (int k = 0; k < 2; k++) {
        const double a = c->a != NULL ? c->a[centre + k] : 0;
        at->x[k] = x[k];
        at->v[k] = c->u[centre + k] + w[0] * at->side[k];
        at->a[k] = a + w[1] * at->side[k] - w[0] * w[0] * x[k];
    }
}

static void cell_chord(const course *c, const node ends[2], int cell, chord *to)
{
    for (int k = 0; k < 2; k++) {
        to->span[k] = ends[1].x[k] - ends[0].x[k];
        for (int end = 0; end < 2; end++) {
            to->v[end][k] = ends[end].v[k];
            to->a[end][k] = ends[end].a[k];
        }
    }
    set_labels(c, c->sheave.first + cell, to);
}

/* ---- kinetic energy ---- */

static double arc_kinetic(const course *c)
{
    const haw_arc_sheave *sheave = &c->sheave;
    double sum = 0;
    if (sheave->kind == HAW_ARC_FIXED) {
        const double *s = c->q + sheave->first, *r = c->u + sheave->first;
        for (int k = 0; k < sheave->cells; k++) {
            sum += (r[k] * (r[k] + r[k + 1]) + r[k + 1] * r[k + 1]) / (s[k + 1] - s[k]);
        }
        return c->rope->section.density * sheave->cell * sheave->cell / 6 * sum;
    }
    node ends[2];
    node_move(c, 0, &ends[0]);
    for (int k = 0; k < sheave->cells; k++) {
        chord cell;
        node_move(c, (k + 1.0) / sheave->cells, &ends[1]);
        cell_chord(c, ends, k, &cell);
        sum += chord_kinetic(&cell);
        ends[0] = ends[1];
    }
    return sum;
}

double haw_arc_kinetic(const haw_cable *cable, const double *q, const double *u)
{
    double sum = 0;
    course c;
    begin(&c, cable, q, u, NULL);
    for (int i = 0; i <= c.rope->arcs; i++) {
        chord span;
        span_chord(&c, i, &span);
        sum += chord_kinetic(&span);
        if (find_sheave(&c, i)) {
            sum += arc_kinetic(&c);
            go_on(&c);
        }
    }
    return sum;
}

/* ---- inertia forces ---- */

static void add_labels(int first, const chord *c, double *y)
{
    y[first] += c->label[0];
    y[first + 1] += c->label[1];
}

static void span_inertia(const course *c, int i, double *y, haw_arc_pull *pull)
{
    chord span;
    span_chord(c, i, &span);
    chord_inertia(&span);
    add_labels(span_label(c->rope, i), &span, y);
    haw_arc_pull_ends(&c->line[0], span.push[0], span.push[1], pull);
}

static void fixed_inertia(const course *c, double *y)
{
    const haw_arc_sheave *sheave = &c->sheave;
    const double *s = c->q + sheave->first, *u = c->u + sheave->first, *a = c->a + sheave->first;
    const double line = c->rope->section.density * sheave->cell * sheave->cell / 6;
    double before = 0;
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

static void general_inertia(const course *c, double *y, haw_arc_pull pull[2])
{
    const int n = c->sheave.cells;
    node ends[2];
    node_move(c, 0, &ends[0]);
    for (int k = 0; k < n; k++) {
        chord cell;
        node_move(c, (k + 1.0) / n, &ends[1]);
        cell_chord(c, ends, k, &cell);
        chord_inertia(&cell);
        add_labels(c->sheave.first + k, &cell, y);
        for (int end = 0; end < 2; end++) {
            const double *push = cell.push[end], *side = ends[end].side;
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
    haw_arc_pull pull[2] = {{.length = 0}};
    course c;
    begin(&c, cable, q, u, a);
    for (int i = 0; i <= c.rope->arcs; i++) {
        span_inertia(&c, i, y, &pull[0]);
        if (find_sheave(&c, i)) {
            if (c.sheave.kind == HAW_ARC_FIXED) {
                fixed_inertia(&c, y + c.sheave.first);
            } else {
                general_inertia(&c, y, pull);
            }
        }
        haw_arc_pull_scatter(&c.line[0], &pull[0], y);
        go_on(&c);
        pull[0] = pull[1];
        pull[1] = (haw_arc_pull){.length = 0};
    }
}

/*
 * ---- matrices ----
 *
 * With z the gradient of the elongation at fixed material,
 * z = grad l - lambda grad ds, an element has
 *
 *     K = v'' / ds z z^T + (v' + T_d) Hess l - rho Hess(ds g . X),   C = c / ds z z^T,
 *     M = rho ds / 6 (2 B1^T B1 + B1^T B2 + B2^T B1 + 2 B2^T B2),   w_i = B_i u.
 *
 * K and M are exact. The derivatives of inertia and damping forces to q are left out.
 */

enum { MOST = HAW_ARC_GENERAL, LABELS = 2, FROM = 2, TO = 4, OWN = 2, BEFORE = 4, AFTER = 6 };

/* An element over its n coordinates; second index of vectors in the plane the component. */
typedef struct shape {
    int n;
    double ds, length, stiffness, bed, damping;
    double span[2];                          /* X2 - X1 */
    double stretch[MOST], place[2][2][MOST]; /* gradients of the length, of X1 and X2 */
    double curve[MOST * MOST];               /* Hessian of the length */
    double sink[MOST * MOST];                /* Hessian of g . (X1 + X2) */
} shape;

static void add_outer(int n, double factor, const double *a, const double *b, double *k)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            k[i * n + j] += factor * a[i] * b[j];
        }
    }
}

/* Of a function of the displacement of `to` relative to `from`. */
static void add_relative(int n, const int at[2], double factor, const double h[4], double *k)
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const double sign = i / 2 == j / 2 ? factor : -factor;
            k[(at[i / 2] + i % 2) * n + at[j / 2] + j % 2] += sign * h[2 * (i % 2) + j % 2];
        }
    }
}

static void turn_gradient(const haw_arc_line *line, const int at[2], double factor, double *g)
{
    for (int k = 0; k < 2; k++) {
        g[at[0] + k] -= factor * line->left[k] / line->length;
        g[at[1] + k] += factor * line->left[k] / line->length;
    }
}

/* ---- spans ---- */

static void span_shape(const haw_rope *rope, int e, const double *q, shape *s)
{
    static const int at[2] = {FROM, TO};
    const double *g = rope->section.gravity;
    haw_arc_line line;
    double turn[MOST] = {0}, h[4];
    haw_arc_line_find(rope, rope->element[e].arc + 1, q, &line);
    s->length = line.length;
    s->stiffness = rope->section.stiffness;
    s->damping = rope->section.damping_strain;
    turn_gradient(&line, at, 1, turn);
    haw_arc_line_curve(&line, h);
    add_relative(s->n, at, line.delta, h, s->curve);
    double lever = 0;
    for (int k = 0; k < 2; k++) {
        s->span[k] = line.end[1][k] - line.end[0][k];
        s->stretch[FROM + k] = -line.along[k];
        s->stretch[TO + k] = line.along[k];
        for (int end = 0; end < 2; end++) {
            s->place[end][k][at[end] + k] = 1;
            for (int a = FROM; a < s->n; a++) {
                s->place[end][k][a] += line.lever[end] * line.along[k] * turn[a];
            }
        }
        lever += g[k] * line.along[k];
    }
    for (int a = FROM; a < s->n; a++) {
        s->stretch[a] += line.delta * turn[a];
    }
    add_outer(s->n, line.length, turn, turn, s->curve);
    const double sum = line.lever[0] + line.lever[1];
    add_relative(s->n, at, sum * lever, h, s->sink);
    add_outer(s->n, sum * (g[0] * line.left[0] + g[1] * line.left[1]), turn, turn, s->sink);
}

/* ---- cells ---- */

/* Node `part` of the arc, turned by the lines. */
static void place_node(const haw_rope *rope, const haw_arc_sheave *sheave,
                       const haw_arc_line line[2], int at_node, shape *s, int end)
{
    static const int at[2][2] = {{BEFORE, OWN}, {OWN, AFTER}};
    const double part = (double)at_node / sheave->cells, share[2] = {1 - part, part};
    const double angle = sheave->angle[0] + part * (sheave->angle[1] - sheave->angle[0]);
    const double r = sheave->drawn->radius, x[2] = {r * cos(angle), r * sin(angle)};
    const double *g = rope->section.gravity, side[2] = {-x[1], x[0]};
    double turn[MOST] = {0}, h[4];
    for (int i = 0; i < 2 && sheave->kind == HAW_ARC_GENERAL; i++) {
        turn_gradient(&line[i], at[i], share[i], turn);
        haw_arc_line_curve(&line[i], h);
        add_relative(s->n, at[i], share[i] * (g[0] * side[0] + g[1] * side[1]), h, s->sink);
    }
    add_outer(s->n, -(g[0] * x[0] + g[1] * x[1]), turn, turn, s->sink);
    for (int k = 0; k < 2; k++) {
        s->span[k] += end == 0 ? -x[k] : x[k];
        s->place[end][k][OWN + k] = 1;
        for (int a = LABELS; a < s->n; a++) {
            s->place[end][k][a] += side[k] * turn[a];
        }
    }
}

static void cell_shape(const haw_rope *rope, const haw_arc_sheave *sheave,
                       const haw_arc_line line[2], int cell, shape *s)
{
    static const int at[2][2] = {{BEFORE, OWN}, {OWN, AFTER}};
    s->length = sheave->cell;
    s->stiffness = sheave->stiffness;
    s->bed = sheave->bed;
    s->damping = sheave->damping;
    for (int i = 0; i < 2 && sheave->kind == HAW_ARC_GENERAL; i++) {
        const double lever = line[0].lever[1] / sheave->cells, sign = i == 0 ? -lever : lever;
        double h[4];
        turn_gradient(&line[i], at[i], sign, s->stretch);
        haw_arc_line_curve(&line[i], h);
        add_relative(s->n, at[i], sign, h, s->curve);
    }
    place_node(rope, sheave, line, cell, s, 0);
    place_node(rope, sheave, line, cell + 1, s, 1);
}

/* ---- all ---- */

/* v' and v'' of a cell or span: A' = -2 b lambda A^2 / EA. */
static void find_slopes(double axial, double bed, double stretch, double v[2])
{
    const double strain = stretch - 1, soft = 1 / (1 + bed * stretch * stretch);
    const double a = axial * soft, first = -2 * bed * stretch * soft * a;
    const double second = -2 * bed * soft * (a + 2 * stretch * first);
    v[0] = a * strain + 0.5 * first * strain * strain;
    v[1] = a + 2 * first * strain + 0.5 * second * strain * strain;
}

static void add_mass(const shape *s, double density, double factor, double *k)
{
    const int n = s->n;
    const double mass = factor * density * s->ds / 6;
    for (int i = 0; i < 2; i++) {
        double b[2][MOST];
        for (int end = 0; end < 2; end++) {
            memcpy(b[end], s->place[end][i], sizeof b[end]);
            b[end][end] = -s->span[i] / s->ds;
        }
        add_outer(n, 2 * mass, b[0], b[0], k);
        add_outer(n, mass, b[0], b[1], k);
        add_outer(n, mass, b[1], b[0], k);
        add_outer(n, 2 * mass, b[1], b[1], k);
    }
}

/* Weight of an element whose ends move. */
static void add_weight(const shape *s, const haw_ale_section *section, double *k)
{
    const int n = s->n;
    const double half = 0.5 * section->density;
    for (int a = LABELS; a < n; a++) {
        double sum = 0;
        for (int i = 0; i < 2; i++) {
            sum += half * section->gravity[i] * (s->place[0][i][a] + s->place[1][i][a]);
        }
        k[a] += sum;
        k[a * n] += sum;
        k[n + a] -= sum;
        k[a * n + 1] -= sum;
    }
    for (int a = 0; a < n * n; a++) {
        k[a] -= half * s->ds * s->sink[a];
    }
}

static void add_shape(const haw_rope *rope, shape *s, const double factor[2], const double *u,
                      double *k)
{
    const int n = s->n;
    double *z = s->stretch, rate = 0, v[2];
    z[0] = s->length / s->ds;
    z[1] = -z[0];
    find_slopes(s->stiffness, s->bed, z[0], v);
    for (int a = 0; a < n; a++) {
        rate += z[a] * u[a];
    }
    add_outer(n, (v[1] + factor[1] * s->damping) / s->ds, z, z, k);
    for (int a = 0; a < n * n; a++) {
        k[a] += (v[0] + s->damping * rate / s->ds) * s->curve[a];
    }
    add_weight(s, &rope->section, k);
    add_mass(s, rope->section.density, factor[0], k);
}

/* A cell on a sheave that stays where it is. */
static void fixed_tangent(const haw_rope *rope, const haw_arc_sheave *sheave, double ds,
                          const double factor[2], double k[4])
{
    const double stretch = sheave->cell / ds, square = stretch * stretch;
    double v[2];
    find_slopes(sheave->stiffness, sheave->bed, stretch, v);
    const double stiffness = (v[1] + factor[1] * sheave->damping) / ds * square;
    const double mass = factor[0] * rope->section.density * ds / 6 * square;
    k[0] = k[3] = stiffness + 2 * mass;
    k[1] = k[2] = mass - stiffness;
}

static void element_block(const haw_rope *rope, int e, const double *q, const double *u,
                          const double factor[2], double *k)
{
    const haw_rope_element *element = &rope->element[e];
    const double ds = q[element->dof[1]] - q[element->dof[0]];
    haw_arc_line line[2] = {{.length = 0}};
    haw_arc_sheave sheave;
    if (element->dofs == HAW_ARC_FIXED) {
        haw_arc_sheave_find(rope, element->arc, line, &sheave);
        fixed_tangent(rope, &sheave, ds, factor, k);
        return;
    }
    shape s;
    double local[MOST];
    memset(&s, 0, sizeof s);
    s.n = element->dofs;
    s.ds = ds;
    if (element->is_span) {
        span_shape(rope, e, q, &s);
    } else {
        haw_arc_line_find(rope, element->arc, q, &line[0]);
        haw_arc_line_find(rope, element->arc + 1, q, &line[1]);
        haw_arc_sheave_find(rope, element->arc, line, &sheave);
        cell_shape(rope, &sheave, line, e - sheave.drawn->first_element, &s);
    }
    memset(k, 0, (size_t)(s.n * s.n) * sizeof *k);
    haw_rope_gather(rope, e, u, local);
    add_shape(rope, &s, factor, local, k);
}

void haw_arc_blocks(const haw_cable *cable, const double *q, const double *u,
                    const double factor[2], haw_block_sink add, void *user)
{
    double k[MOST * MOST];
    for (int e = 0; e < cable->rope->elements; e++) {
        element_block(cable->rope, e, q, u, factor, k);
        add(user, e, k);
    }
}
