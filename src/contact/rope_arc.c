/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knots of `arc1d` ropes. The angle of a label is linear within its cell; its depth in the bed,
 * which is part of the rope's own stiffness, follows from the tension:
 *
 *     slide = R (theta - phi(s)),   gap = -w = -T / (k_n R),   f_n = k_n share spacing w.
 *
 * A knot stands for the material from half a spacing before it to half a spacing behind it. Of
 * that, the part on the sheave carries force, at its middle: the sum over knots stays a midpoint
 * rule, of second order, and nothing jumps where a knot comes in or leaves. Friction alone does
 * work, at the lever R - w; what the pressure does is in the energy of the cells and the tension
 * of spans. Rows and rates of the slide are those of the sunk rope, (1 - w / R) d(slide).
 */
#include "model/rope_arc.h"

#include "contact/rope.h"
#include "linalg/inline.h"

#include <math.h>
#include <string.h>

enum { BLOCK = HAW_ARC_GENERAL + 3 };

/* Knots drawn on a tangent point are on the sheave, whatever the rounding: parts of the spacing. */
static const double ON_EDGE = 1e-9;

static void arc_range(const haw_rope_side *side, const double *q, double label[2])
{
    const haw_rope *rope = side->cable->rope;
    const haw_rope_arc *on = &rope->arc[side->arc];
    const double *s = q + rope->label[on->first_element];
    label[0] = s[0] - 0.5 * side->spacing;
    label[1] = s[on->elements] + 0.5 * side->spacing;
}

/* Cell of a label on the arc, from a guess. */
static int find_cell(const double *s, int cells, double label, int guess)
{
    int k = guess;
    if (k < 0 || k >= cells) {
        k = (int)(cells * ((label - s[0]) / (s[cells] - s[0])));
        k = k < 0 ? 0 : k;
        k = k >= cells ? cells - 1 : k;
    }
    while (k + 1 < cells && s[k + 1] <= label) {
        k++;
    }
    while (k > 0 && s[k] > label) {
        k--;
    }
    return k;
}

/* Part of a knot's length that lies on the sheave, and its middle. */
static double cover(const double *s, int cells, double label, double spacing, double *middle)
{
    const double low = fmax(label - 0.5 * spacing, s[0]);
    const double high = fmin(label + 0.5 * spacing, s[cells]);
    if (high > low) {
        *middle = 0.5 * (low + high);
        return high - low;
    }
    *middle = fmin(fmax(label, s[0]), s[cells]);
    return 0;
}

/* What turning lines add: they move the arc's ends along the rope. */
static void add_turns(const haw_arc_line line[2], double radius, double stiffness, double part,
                      const haw_arc_sheave *sheave, haw_rope_touch *touch)
{
    static const int at[2][2] = {{4, 2}, {2, 6}}; /* before, own; own, after */
    const double share[2] = {1 - part, part};
    const double lever = line[0].lever[1] / sheave->cells;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            const double turn = line[i].left[k] / line[i].length;
            const double gap = (i == 0 ? -lever : lever) * stiffness * turn;
            const double slide = -radius * share[i] * turn;
            touch->row[0][at[i][0] + k] -= gap;
            touch->row[0][at[i][1] + k] += gap;
            touch->row[1][at[i][0] + k] -= slide;
            touch->row[1][at[i][1] + k] += slide;
        }
    }
}

static void find_rates(const haw_rope *rope, const double *u, double spin, haw_rope_touch *touch)
{
    const haw_rope_element *element = &rope->element[touch->element];
    double rate[2] = {0, touch->body_row[1][2] * spin};
    for (int a = 0; a < element->dofs; a++) {
        const double v = u[element->dof[a]];
        rate[0] += touch->row[0][a] * v;
        rate[1] += touch->row[1][a] * v;
    }
    touch->rate[0] = rate[0];
    touch->rate[1] = rate[1];
}

/* A sheave at one configuration. */
typedef struct view {
    const haw_rope_side *side;
    haw_arc_sheave sheave;
    haw_arc_line line[2]; /* where they turn */
    bool turns;
    int body; /* first dof */
} view;

/*
 * d(gap)/dq takes the tension for that of the knot's own cell, between whose middle and the next
 * one it is interpolated: so each cell counts with all of its knots, and the tangent is that of the
 * friction limit up to the size of a cell.
 */
static HAW_INLINE void place_knot(const view *v, const double *q, const double *u, int guess,
                                  haw_rope_touch *touch)
{
    const haw_arc_sheave *sheave = &v->sheave;
    const haw_rope_arc *on = sheave->drawn;
    const double *s = q + sheave->first, radius = on->radius, spacing = v->side->spacing;
    const int body = v->body;
    double middle;
    const double covered = cover(s, sheave->cells, touch->label, spacing, &middle);
    const int k = find_cell(s, sheave->cells, middle, guess);
    const double inverse = 1 / (s[k + 1] - s[k]), part = (middle - s[k]) * inverse;
    const double stretch = sheave->cell * inverse, at = (k + part) / sheave->cells;
    const double angle = sheave->angle[0] + (sheave->angle[1] - sheave->angle[0]) * at;
    const double bed = 1 / (v->side->k_n * radius),
                 stiffness = sheave->stiffness / (1 + sheave->bed);
    const double before = touch->label - s[0], behind = s[sheave->cells] - touch->label;
    touch->element = on->first_element + k;
    touch->share = covered / spacing;
    touch->angle = angle;
    touch->slide = radius * (q[body + 2] - angle) - on->turn * stretch * (touch->label - middle);
    touch->inset = fmin(before, behind) + ON_EDGE * spacing;
    touch->gap = covered > 0 ? -bed * haw_arc_tension_at(sheave, k, part, 0, q, NULL)
                             : -0.5 * spacing - touch->inset;
    const double sunk = covered > 0 ? 1 + touch->gap / radius : 1;
    const double along = on->turn * stretch * sunk;
    memset(touch->body_row, 0, sizeof touch->body_row);
    touch->body_row[1][2] = radius * sunk;
    memset(touch->row[0], 0, HAW_ARC_GENERAL * sizeof(double));
    memset(touch->row[1], 0, HAW_ARC_GENERAL * sizeof(double));
    touch->row[0][1] = bed * stiffness * stretch * inverse;
    touch->row[0][0] = -touch->row[0][1];
    touch->row[1][0] = along * (1 - part);
    touch->row[1][1] = along * part;
    if (v->turns) {
        add_turns(v->line, radius, -bed * stiffness * inverse, at, sheave, touch);
    }
    touch->normal[0] = cos(angle);
    touch->normal[1] = sin(angle);
    find_rates(v->side->cable->rope, u, u[body + 2], touch);
}

static void arc_place(const haw_rope_side *side, const double *q, const double *u, int count,
                      haw_rope_touch *touch)
{
    const haw_rope *rope = side->cable->rope;
    const haw_rope_arc *on = &rope->arc[side->arc];
    view v = {.side = side,
              .body = side->model->body[side->body].first,
              .turns = rope->element[on->first_element].dofs == HAW_ARC_GENERAL};
    int cell = -1;
    if (v.turns) {
        haw_arc_line_find(rope, side->arc, q, &v.line[0]);
        haw_arc_line_find(rope, side->arc + 1, q, &v.line[1]);
    }
    haw_arc_sheave_find(side->model, rope, side->arc, v.line, &v.sheave);
    for (int i = 0; i < count; i++) {
        place_knot(&v, q, u, cell, &touch[i]);
        cell = touch[i].element - on->first_element;
    }
}

static void arc_apply(const haw_rope_side *side, int count, const haw_rope_touch *touch,
                      double *normal, double *tangential)
{
    const haw_rope *rope = side->cable->rope;
    double *moment = tangential + side->model->body[side->body].first + 2;
    (void)normal;
    for (int i = 0; i < count; i++) {
        const haw_rope_element *element = &rope->element[touch[i].element];
        const double force = touch[i].is_closed ? touch[i].f.force : 0;
        for (int a = 0; a < element->dofs; a++) {
            tangential[element->dof[a]] -= force * touch[i].row[1][a];
        }
        *moment -= force * touch[i].body_row[1][2];
    }
}

static void add_block(const haw_rope_side *side, const haw_rope_touch *touch, double rate,
                      haw_system *system)
{
    const int dofs = side->cable->rope->element[touch->element].dofs, width = dofs + 3;
    const double slide = touch->f.d_slide + rate * touch->f.d_rate;
    const double gap = touch->f.d_normal * (touch->n.d_gap + rate * touch->n.d_rate);
    double row[BLOCK] = {0}, by[BLOCK], k[BLOCK * BLOCK];
    for (int a = 0; a < dofs; a++) {
        row[a] = touch->row[1][a];
        by[a] = slide * row[a] + gap * touch->row[0][a];
    }
    row[dofs + 2] = touch->body_row[1][2];
    by[dofs] = by[dofs + 1] = 0;
    by[dofs + 2] = slide * row[dofs + 2];
    for (int a = 0; a < width; a++) {
        for (int b = 0; b < width; b++) {
            k[a * width + b] = row[a] * by[b];
        }
    }
    haw_system_add_contact(system, side->cable_index, touch->element, side->body, k);
}

static void arc_tangent(const haw_rope_side *side, int count, const haw_rope_touch *touch,
                        double rate, haw_system *system)
{
    for (int i = 0; i < count; i++) {
        if (touch[i].is_closed) {
            add_block(side, &touch[i], rate, system);
        }
    }
}

const haw_rope_kernel haw_rope_kernel_arc1d = {
    .rope = &haw_rope_arc1d,
    .range = arc_range,
    .place = arc_place,
    .apply = arc_apply,
    .tangent = arc_tangent,
};
