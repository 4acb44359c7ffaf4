/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knots of `arc1d` ropes. The angle of a label is linear within its cell; its depth in the bed,
 * which is part of the rope's own stiffness, follows from the tension:
 *
 *     slide = R (theta - phi(s)),   gap = -w = -T / (k_n R),   f_n = k_n share spacing w.
 *
 * A knot stands for the material from half a spacing before it to half a spacing behind it. Of
 * that, the part on the sheave carries force, at the knot or, while that is outside, at the tangent
 * point: a trapezoidal rule where knots lie on these, of second order everywhere, and nothing jumps
 * where a knot comes in or leaves. Friction alone does work, at the lever R - w; what the pressure
 * does is in the energy of the cells and the tension of spans. Rows and rates of the slide are
 * those of the sunk rope, (1 - w / R) d(slide).
 */
#include "cable/arc1d.h"
#include "contact/knot.h"
#include "linalg/inline.h"

#include <math.h>

enum { BLOCK = HAW_ARC_GENERAL + 3 };

/* Knots drawn on a tangent point are on the sheave, whatever the rounding: parts of the spacing. */
static const double ON_EDGE = 1e-9;

static void arc_range(const haw_knot_side *side, const double *q, double label[2])
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
    if (k < 0) {
        const double place = cells * ((label - s[0]) / (s[cells] - s[0]));
        k = place > 0 ? (place < cells ? (int)place : cells - 1) : 0; /* 0 of no number */
    }
    while (k + 1 < cells && s[k + 1] <= label) {
        k++;
    }
    while (k > 0 && s[k] > label) {
        k--;
    }
    return k;
}

/* A cell with what its knots share. */
typedef struct cell {
    int index;             /* -1: none yet */
    double label, inverse; /* its first label, 1 / ds */
    double angle, along;   /* of its first node; turn lambda */
    double sink;           /* d(gap)/d(second label) */
    double tension[3]; /* of the cell before, of its own, of the one behind, as at the middles */
} cell;

/* A sheave at one configuration. */
typedef struct view {
    const haw_knot_side *side;
    const haw_rope_arc *on;
    haw_arc_sheave sheave;
    haw_arc_line line[2]; /* where they turn */
    int dofs;             /* of a cell */
    double spin, angle;   /* of the sheave */
    double bed;           /* w / T = 1 / (k_n R) [m/N] */
    double sink;          /* d(gap)/d(l) / ds of a cell [m] */
    double step;          /* angle of a cell, with its sign */
    double half, edge;    /* of the spacing; what counts as on a tangent point [m] */
    double curvature;     /* 1 / R */
    double normal[2], at; /* of the knot before, and its angle */
} view;

static void enter_cell(const view *v, const double *q, int k, cell *now)
{
    const haw_arc_sheave *sheave = &v->sheave;
    const double *s = q + sheave->first + k;
    const bool follows = now->index >= 0 && k == now->index + 1;
    now->tension[0] = follows ? now->tension[1] : haw_arc_tension_beside(sheave, k, -1, 0, q, NULL);
    now->tension[1] = follows ? now->tension[2] : haw_arc_cell_tension(sheave, k, 0, q, NULL);
    now->tension[2] = k + 1 < sheave->cells ? haw_arc_cell_tension(sheave, k + 1, 0, q, NULL)
                                            : haw_arc_tension_beside(sheave, k, 1, 0, q, NULL);
    now->index = k;
    now->label = s[0];
    now->inverse = 1 / (s[1] - s[0]);
    now->angle = sheave->angle[0] + v->step * k;
    now->along = v->on->turn * sheave->cell * now->inverse;
    now->sink = v->sink * sheave->cell * now->inverse * now->inverse;
}

/* The normal, turned on from that of the knot before: by series where that is near. */
static HAW_INLINE void turn_normal(view *v, double angle)
{
    const double d = angle - v->at, square = d * d;
    double c, s;
    if (square < 0.01) {
        c = 1 - square *
                    (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320))));
        s = 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880)));
        s = d * (1 - square * s);
    } else {
        c = cos(d);
        s = sin(d);
    }
    const double x = v->normal[0], y = v->normal[1];
    v->normal[0] = c * x - s * y;
    v->normal[1] = s * x + c * y;
    v->at = angle;
}

/* Part of a knot's length that lies on the sheave. */
static double cover(const view *v, const double *s, double label)
{
    const double low = fmax(label - v->half, s[0]);
    const double high = fmin(label + v->half, s[v->sheave.cells]);
    return high > low ? (high - low) / v->side->spacing : 0;
}

/* What turning lines add: they move the arc's ends along the rope. */
static void add_turns(const view *v, const cell *now, double at, haw_knot_press *touch)
{
    static const int place[2][2] = {{4, 2}, {2, 6}}; /* before, own; own, behind */
    const double sunk = touch->body_row[1][2], share[2] = {1 - at, at};
    const double lever = v->line[0].lever[1] / v->sheave.cells;
    const double slope = -v->sink * now->inverse;
    for (int a = 2; a < HAW_ARC_GENERAL; a++) {
        touch->row[a][0] = touch->row[a][1] = 0;
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            const double turn = v->line[i].left[k] / v->line[i].length;
            const double gap = (i == 0 ? -lever : lever) * slope * turn;
            const double slide = -sunk * share[i] * turn;
            touch->row[place[i][0] + k][0] -= gap;
            touch->row[place[i][1] + k][0] += gap;
            touch->row[place[i][0] + k][1] -= slide;
            touch->row[place[i][1] + k][1] += slide;
        }
    }
}

/* gamma_N, gamma_T where lines turn. */
static void add_rates(const view *v, const double *u, haw_knot_press *touch)
{
    const int *dof = v->side->cable->rope->element[touch->element].dof;
    for (int a = 2; a < HAW_ARC_GENERAL; a++) {
        touch->at.rate[0] += touch->row[a][0] * u[dof[a]];
        touch->at.rate[1] += touch->row[a][1] * u[dof[a]];
    }
}

/* A knot in a cell: `at` is its label, or the tangent point while it is outside; share > 0 of it
 * is on the sheave. */
typedef struct spot {
    double at, beyond; /* label, and by how much that of the knot is larger */
    double share, inset;
} spot;

/*
 * Rows are those of what acts on the sunk rope. d(gap)/dq takes the tension for that of the knot's
 * own cell, between whose middle and the next one it is interpolated: so each cell counts with all
 * of its knots, and the tangent is that of the friction limit up to the size of a cell. The rows
 * over the sheave give its resultants; the moment alone does work.
 */
static HAW_INLINE void place_spot(view *v, const cell *now, const double *w, const spot *knot,
                                  haw_knot_press *touch)
{
    const double part = (knot->at - now->label) * now->inverse, side = part - 0.5;
    const double angle = now->angle + v->step * part, own = now->tension[1];
    const double slope = side < 0 ? own - now->tension[0] : now->tension[2] - own;
    const double pressed = -v->bed * (own + side * slope);
    const double gap = knot->share > 0 ? pressed : -v->half - knot->inset;
    const double sunk = 1 + pressed * v->curvature, lever = v->on->radius * sunk;
    const double second = now->along * sunk * part, first = now->along * sunk - second;
    const double sink = now->sink, slip = first * w[0] + second * w[1] + lever * v->spin;
    const double slide = v->on->radius * (v->angle - angle) - now->along * knot->beyond;
    turn_normal(v, angle);
    const double x = v->normal[0], y = v->normal[1];
    touch->element = v->on->first_element + now->index;
    touch->at.share = knot->share;
    touch->angle = angle;
    touch->at.gap = gap;
    touch->at.inset = knot->inset;
    touch->at.slide = slide;
    touch->at.rate[0] = sink * (w[1] - w[0]);
    touch->at.rate[1] = slip;
    touch->at.normal[0] = x;
    touch->at.normal[1] = y;
    /* the rope turns by its stretched length: T dphi, where n.force is T ds / R */
    const double stretch = fabs(now->along);
    touch->body_row[0][0] = -stretch * x;
    touch->body_row[0][1] = -stretch * y;
    touch->body_row[0][2] = 0;
    touch->body_row[1][0] = -y;
    touch->body_row[1][1] = x;
    touch->body_row[1][2] = lever;
    touch->row[0][0] = -sink;
    touch->row[0][1] = first;
    touch->row[1][0] = sink;
    touch->row[1][1] = second;
}

static HAW_INLINE void place_knot(view *v, const double *q, const double *u, cell *now,
                                  haw_knot_press *touch)
{
    const int cells = v->sheave.cells;
    const double *s = q + v->sheave.first, label = touch->label;
    const double before = label - s[0], behind = s[cells] - label;
    spot knot = {.at = label, .share = 1, .inset = (before < behind ? before : behind) + v->edge};
    if (knot.inset < v->half + v->edge) {
        knot.share = cover(v, s, label);
        knot.at = before < 0 ? s[0] : (behind < 0 ? s[cells] : label);
        knot.beyond = label - knot.at;
    }
    const int k = find_cell(s, cells, knot.at, now->index);
    if (k != now->index) {
        enter_cell(v, q, k, now);
    }
    place_spot(v, now, u + v->sheave.first + k, &knot, touch);
    if (v->dofs > HAW_ARC_FIXED) {
        touch->row[2][0] = touch->row[3][0] = touch->row[2][1] = touch->row[3][1] = 0;
    }
    if (v->dofs == HAW_ARC_GENERAL) {
        const double part = (knot.at - now->label) * now->inverse;
        add_turns(v, now, (k + part) / cells, touch);
        add_rates(v, u, touch);
    }
}

static void arc_place(const haw_knot_side *side, const double *q, const double *u, int count,
                      haw_knot_press *touch)
{
    const haw_rope *rope = side->cable->rope;
    const haw_rope_arc *on = &rope->arc[side->arc];
    const int body = side->model->body[side->body].first;
    view v = {.side = side,
              .on = on,
              .dofs = rope->element[on->first_element].dofs,
              .spin = u[body + 2],
              .angle = q[body + 2]};
    cell now = {.index = -1};
    if (v.dofs == HAW_ARC_GENERAL) {
        haw_arc_line_find(rope, side->arc, q, &v.line[0]);
        haw_arc_line_find(rope, side->arc + 1, q, &v.line[1]);
    }
    haw_arc_sheave_find(rope, side->arc, v.line, &v.sheave);
    v.step = (v.sheave.angle[1] - v.sheave.angle[0]) / v.sheave.cells;
    v.bed = 1 / (side->k_n * on->radius);
    v.sink = v.bed * v.sheave.stiffness / (1 + v.sheave.bed);
    v.half = 0.5 * side->spacing;
    v.edge = ON_EDGE * side->spacing;
    v.curvature = 1 / on->radius;
    v.at = v.sheave.angle[0];
    v.normal[0] = cos(v.at);
    v.normal[1] = sin(v.at);
    for (int i = 0; i < count; i++) {
        place_knot(&v, q, u, &now, &touch[i]);
    }
}

static void arc_apply(const haw_knot_side *side, int count, const haw_knot_press *touch,
                      double *normal, /* NOLINT(readability-non-const-parameter): as its type */
                      double *tangential)
{
    const haw_rope *rope = side->cable->rope;
    double moment = 0;
    (void)normal;
    for (int i = 0; i < count; i++) {
        const haw_rope_element *element = &rope->element[touch[i].element];
        const double force = touch[i].is_closed ? touch[i].at.f.force : 0;
        double *label = tangential + element->dof[0]; /* the second one follows */
        label[0] -= force * touch[i].row[0][1];
        label[1] -= force * touch[i].row[1][1];
        for (int a = HAW_ARC_FIXED; a < element->dofs; a++) {
            tangential[element->dof[a]] -= force * touch[i].row[a][1];
        }
        moment += force * touch[i].body_row[1][2];
    }
    tangential[side->model->body[side->body].first + 2] -= moment;
}

static void add_block(const haw_knot_side *side, const haw_knot_press *touch, double rate,
                      haw_system *system)
{
    const int dofs = side->cable->rope->element[touch->element].dofs, width = dofs + 3;
    const double slide = touch->at.f.d_slide + rate * touch->at.f.d_rate;
    const double gap = touch->at.f.d_normal * (touch->at.n.d_gap + rate * touch->at.n.d_rate);
    double row[BLOCK] = {0}, by[BLOCK], k[BLOCK * BLOCK];
    for (int a = 0; a < dofs; a++) {
        row[a] = touch->row[a][1];
        by[a] = slide * row[a] + gap * touch->row[a][0];
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

static void arc_tangent(const haw_knot_side *side, int count, const haw_knot_press *touch,
                        double rate, haw_system *system)
{
    for (int i = 0; i < count; i++) {
        if (touch[i].is_closed) {
            add_block(side, &touch[i], rate, system);
        }
    }
}

const haw_knot_kernel haw_knot_kernel_arc1d = {
    .rope = &haw_cable_arc1d,
    .range = arc_range,
    .place = arc_place,
    .apply = arc_apply,
    .tangent = arc_tangent,
};
