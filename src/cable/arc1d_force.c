/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy and forces of arc1d. An element between the labels s1, s2 has
 *
 *     force on its length      -(v' + T_d),       T_d = c eps',
 *     on the label s2          lambda v' - v + lambda T_d + rho g . X,
 *     on the label s1          minus that,
 *
 * X the middle of its ends, on which its weight rho ds g acts in halves. T_d eps' ds is what the
 * damping takes: dl - lambda d(ds) is the elongation at fixed material.
 */
#include "cable/arc1d.h"

#include <math.h>

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
    const haw_rope *rope = cable->rope;
    haw_arc_line line[2];
    haw_arc_line_find(rope, 0, q, &line[0]);
    for (int i = 0; i <= rope->arcs; i++) {
        const int e = i > 0 ? rope->arc[i - 1].first_element + rope->arc[i - 1].elements : 0;
        span_energy(rope, &line[0], q + rope->label[e], energy);
        if (i < rope->arcs) {
            haw_arc_sheave sheave;
            haw_arc_line_find(rope, i + 1, q, &line[1]);
            haw_arc_sheave_find(rope, i, line, &sheave);
            arc_energy(rope, &sheave, q, energy);
            line[0] = line[1];
        }
    }
}

/* ---- forces ---- */

/* Both sorts of force on a line: conservative, damping. */
typedef struct pulls {
    haw_arc_pull elastic, damping;
} pulls;

/* What the whole rope is summed into. */
typedef struct sums {
    const haw_rope *rope;
    const double *q, *u;
    double *f, *d;
} sums;

static void span_force(const sums *to, const haw_arc_line *line, const haw_arc_motion *motion,
                       int e, pulls *pull)
{
    const haw_ale_section *section = &to->rope->section;
    const int first = to->rope->label[e];
    const double *s = to->q + first, *v = to->u + first, *g = section->gravity;
    const double ds = s[1] - s[0], strain = (line->length - ds) / ds;
    const double rate = (motion->length - (1 + strain) * (v[1] - v[0])) / ds;
    const double damping = section->damping_strain * rate, half = 0.5 * section->density;
    const double weight[2] = {half * ds * g[0], half * ds * g[1]};
    double label = section->stiffness * strain * (1 + 0.5 * strain);
    for (int k = 0; k < 2; k++) {
        label += half * g[k] * (line->end[0][k] + line->end[1][k]);
    }
    pull->elastic.length -= section->stiffness * strain;
    pull->damping.length -= damping;
    haw_arc_pull_ends(line, weight, weight, &pull->elastic);
    to->f[first] -= label;
    to->f[first + 1] += label;
    to->d[first] -= damping * (1 + strain);
    to->d[first + 1] += damping * (1 + strain);
}

/* Forces of all cells on their labels. @param rate  of the length of a cell
 * @param tension  out: sums of v' and T_d */
static void cell_forces(const sums *to, const haw_arc_sheave *sheave, double rate,
                        double tension[2])
{
    const haw_rope *rope = to->rope;
    const double *s = to->q + sheave->first, *v = to->u + sheave->first;
    double *f = to->f + sheave->first, *d = to->d + sheave->first;
    const double a = sheave->stiffness, b = sheave->bed, c = sheave->damping;
    const double half = 0.5 * rope->section.density;
    climb at = climb_start(rope, sheave, to->q);
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
static void arc_weight(const sums *to, const haw_arc_sheave *sheave, double moment[2])
{
    const haw_ale_section *section = &to->rope->section;
    const int n = sheave->cells, centre = sheave->drawn->dof;
    const double *s = to->q + sheave->first, mass = section->density * (s[n] - s[0]);
    climb at = climb_start(to->rope, sheave, to->q);
    to->f[centre] += mass * section->gravity[0];
    to->f[centre + 1] += mass * section->gravity[1];
    for (int k = 0; k <= n && sheave->kind == HAW_ARC_GENERAL; k++) {
        const double material = s[k < n ? k + 1 : n] - s[k > 0 ? k - 1 : 0];
        const double part = (double)k / n, turn = 0.5 * section->density * material * at.weight[1];
        moment[0] += (1 - part) * turn;
        moment[1] += part * turn;
        climb_on(&at);
    }
}

/* A sheave between its two lines: longer arcs take part in both turns. */
static void arc_force(const sums *to, int i, const haw_arc_line line[2],
                      const haw_arc_motion motion[2], pulls pull[2])
{
    haw_arc_sheave sheave;
    double tension[2], weight[2] = {0, 0};
    haw_arc_sheave_find(to->rope, i, line, &sheave);
    cell_forces(to, &sheave, haw_arc_cell_rate(&sheave, &motion[0], &motion[1]), tension);
    arc_weight(to, &sheave, weight);
    const double lever = line[0].lever[1] / sheave.cells;
    pull[0].elastic.turn += lever * tension[0] + weight[0];
    pull[1].elastic.turn += weight[1] - lever * tension[0];
    pull[0].damping.turn += lever * tension[1];
    pull[1].damping.turn -= lever * tension[1];
}

void haw_arc_forces(const haw_cable *cable, const double *q, const double *u,
                    const haw_forces *forces)
{
    const haw_rope *rope = cable->rope;
    double *f = forces->conservative, *d = forces->damping;
    const sums to = {.rope = rope, .q = q, .u = u, .f = f, .d = d};
    haw_arc_line line[2];
    haw_arc_motion motion[2];
    pulls pull[2] = {{.elastic = {.length = 0}}};
    haw_arc_line_find(rope, 0, q, &line[0]);
    motion[0] = haw_arc_line_move(&line[0], u, NULL);
    for (int i = 0; i <= rope->arcs; i++) {
        const int e = i > 0 ? rope->arc[i - 1].first_element + rope->arc[i - 1].elements : 0;
        span_force(&to, &line[0], &motion[0], e, &pull[0]);
        if (i < rope->arcs) {
            haw_arc_line_find(rope, i + 1, q, &line[1]);
            motion[1] = haw_arc_line_move(&line[1], u, NULL);
            arc_force(&to, i, line, motion, pull);
        }
        haw_arc_pull_scatter(&line[0], &pull[0].elastic, f);
        haw_arc_pull_scatter(&line[0], &pull[0].damping, d);
        line[0] = line[1];
        motion[0] = motion[1];
        pull[0] = pull[1];
        pull[1] = (pulls){.elastic = {.length = 0}};
    }
}
