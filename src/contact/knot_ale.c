/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knots of `ale` ropes: the material point r(s; q) of the centreline against a circle with centre
 * c, radius R and angle theta,
 *
 *     x = r - c,  l = |x|,  n = x / l,  t = (n_y, -n_x),   gap = l - R,   slide = R (theta - phi),
 *
 * phi the angle of n. Its force f_n n - f_T t acts on the rope through J = dr/dq at fixed label,
 * the opposite one on the sheave, with the moment -l f_T about its centre: derivatives are those of
 * any point (tangent.c), and of its share at the edges of the contact.
 */
#include "contact/chord.h"
#include "model/dynamics.h"
#include "shape/surface.h"

#include <gsl/gsl_math.h>
#include <string.h>

enum { BLOCK = HAW_ROPE_DOFS + 3 };

/* ---- place ---- */

/* Contact elements of an arc: from its first label to its last. */
static void ale_range(const haw_knot_side *side, const double *q, double label[2])
{
    const haw_rope *rope = side->cable->rope;
    const haw_rope_arc *on = &rope->arc[side->arc];
    label[0] = q[rope->label[on->first_element]];
    label[1] = q[rope->label[on->first_element + on->elements]];
}

/* The element with the label: that of the knot before, the next one, or by bisection. */
static int find_element(const haw_rope *rope, const double *q, double label, int guess)
{
    for (int e = guess; guess >= 0 && e <= guess + 1 && e < rope->elements; e++) {
        if (q[rope->label[e]] <= label && label < q[rope->label[e + 1]]) {
            return e;
        }
    }
    return haw_rope_find(rope, q, label);
}

/* @param want  of haw_ale_want */
static void find_point(const haw_rope *rope, const haw_knot_press *touch, const double *q,
                       const double *u, int want, haw_ale_point *point)
{
    const haw_ale_kind *kind = &rope->kind[rope->element[touch->element].is_span ? 1 : 0];
    double z[HAW_ROPE_DOFS], w[HAW_ROPE_DOFS];
    haw_rope_gather(rope, touch->element, q, z);
    if (u != NULL) {
        haw_rope_gather(rope, touch->element, u, w);
    }
    kind->ops->point(kind, touch->label, z, u != NULL ? w : NULL, want, point);
}

double haw_knot_ale_convection(const haw_rope *rope, const haw_knot_press *touch, const double *q,
                               const double *u)
{
    haw_ale_point point;
    find_point(rope, touch, q, u, HAW_ALE_GAMMA, &point);
    return touch->at.normal[0] * point.gamma[0] + touch->at.normal[1] * point.gamma[1];
}

/*
 * Share of a knot at x spacings past the tangent point: that of its cell on the arc, y = x + 1/2
 * next to the edge, is y; but the force acts at the knot and not in the middle of that part, so
 * y (1 - y) / 2 of it is given to the next knot and the moment about the edge is right:
 *
 *     y (1 + y) / 2,   y = x + 1/2;     1 + y (1 - y) / 2,   y = x - 1/2 the share of the one
 * before.
 */
static double edge_share(double x, double *slope)
{
    const double y = x < 0.5 ? x + 0.5 : x - 0.5;
    if (x <= -0.5 || x >= 1.5) {
        *slope = 0;
        return x < 0 ? 0 : 1;
    }
    *slope = x < 0.5 ? 0.5 + y : 0.5 - y;
    return x < 0.5 ? 0.5 * y * (1 + y) : 1 + 0.5 * y * (1 - y);
}

/*
 * The bed belongs to the arc between the tangent points, as in the theories: beyond them a rope
 * that sinks into a bed meets the circle before it bends, and a knot there would get its force and
 * its bristle too early. The change of the course with the places of the sheaves is left out of the
 * tangent.
 */
static void cover(const haw_knot_side *side, const haw_sheave *sheave, haw_knot_press *touch)
{
    const haw_rope_arc *arc = &side->cable->rope->arc[side->arc];
    const double half = 0.5 * arc->turn * (sheave->at[1] - sheave->at[0]);
    const double past =
        remainder(arc->turn * (touch->angle - sheave->at[0]) - half, 2 * M_PI) * arc->radius;
    const double before = half * arc->radius + past, behind = half * arc->radius - past;
    const double along = -arc->turn * arc->radius / touch->at.level;
    double slope[2];
    const double in = edge_share(before / side->spacing, &slope[0]);
    const double out = edge_share(behind / side->spacing, &slope[1]);
    touch->at.inset = fmin(before, behind);
    touch->inset_slope = before < behind ? along : -along;
    touch->at.share = 1; /* of a rigid sheave, which has no bed */
    touch->share_slope = 0;
    if (isfinite(side->k_n)) {
        touch->at.share = in * out;
        touch->share_slope = (slope[0] * out - in * slope[1]) * along / side->spacing;
    }
}

static void place_knot(const haw_knot_side *side, const haw_sheave *sheave, const double *q,
                       const double *u, int guess, haw_knot_press *touch)
{
    const haw_rope *rope = side->cable->rope;
    const int body = side->model->body[side->body].first;
    const double radius = rope->arc[side->arc].radius;
    const double *pose = q + body, *rate = u + body, *n = touch->at.normal;
    touch->element = find_element(rope, q, touch->label, guess);
    find_point(rope, touch, q, u, HAW_ALE_MOTION | HAW_ALE_JACOBIAN, &touch->point);
    const double x[2] = {touch->point.x[0] - pose[0], touch->point.x[1] - pose[1]};
    touch->at.level = fmax(haw_circle_level(x, touch->at.normal, &touch->at.curvature), DBL_MIN);
    touch->at.gap = touch->at.level - radius;
    touch->angle = atan2(n[1], n[0]);
    cover(side, sheave, touch);
    touch->at.slide = radius * (pose[2] - touch->angle);
    const double w[2] = {touch->point.v[0] - rate[0], touch->point.v[1] - rate[1]};
    touch->at.drift[1] = n[1] * w[0] - n[0] * w[1];
    touch->at.rate[0] = touch->at.drift[0] = n[0] * w[0] + n[1] * w[1];
    touch->at.arm_n = 0;
    touch->at.arm_t = touch->at.level;
    touch->at.slide_slope = radius * touch->at.curvature;
    touch->at.rho = 0;
    touch->at.rate[1] = touch->at.drift[1] + rate[2] * touch->at.level;
    const double body_row[2][3] = {{-n[0], -n[1], 0}, {-n[1], n[0], touch->at.level}};
    memcpy(touch->body_row, body_row, sizeof body_row);
}

static void ale_place(const haw_knot_side *side, const double *q, const double *u, int count,
                      haw_knot_press *touch)
{
    const haw_sheave sheave = haw_rope_sheave(side->cable, side->arc, q);
    for (int i = 0; i < count; i++) {
        place_knot(side, &sheave, q, u, i > 0 ? touch[i - 1].element : -1, &touch[i]);
    }
}

/* ---- forces ---- */

/* f += J^T of a force at the knot, and the opposite one on the sheave. */
static void add_force(const haw_rope *rope, const haw_knot_press *touch, const double force[2],
                      double *body, double *f)
{
    const haw_rope_element *element = &rope->element[touch->element];
    const int dofs = rope->kind[element->is_span ? 1 : 0].dofs;
    for (int a = 0; a < dofs; a++) {
        f[element->dof[a]] += touch->point.j[0][a] * force[0] + touch->point.j[1][a] * force[1];
    }
    body[0] -= force[0];
    body[1] -= force[1];
}

static void ale_apply(const haw_knot_side *side, int count, const haw_knot_press *touch,
                      double *normal, double *tangential)
{
    const haw_rope *rope = side->cable->rope;
    const int body = side->model->body[side->body].first;
    for (int i = 0; i < count; i++) {
        const double *n = touch[i].at.normal, fn = touch[i].at.n.force, ft = touch[i].at.f.force;
        const double pressed[2] = {fn * n[0], fn * n[1]}, dragged[2] = {-ft * n[1], ft * n[0]};
        if (touch[i].is_closed) {
            add_force(rope, &touch[i], pressed, normal + body, normal);
            add_force(rope, &touch[i], dragged, tangential + body, tangential);
            tangential[body + 2] -= touch[i].at.level * ft;
        }
    }
}

/* ---- tangent ---- */

/*
 * What the share of a knot and the moment of its entry add to df_N and df_T along t, at a fixed
 * normal force.
 */
static void find_edge(const haw_knot_press *touch, double along[2])
{
    const haw_normal_force *n = &touch->at.n;
    const haw_friction_force *f = &touch->at.f;
    const double full = touch->at.share > 0 ? touch->share_slope / touch->at.share : 0;
    along[0] = n->force * full;
    along[1] = (f->force - f->d_normal * n->force) * full + touch->at.f_inset * touch->inset_slope;
}

/* k -= derivatives of a knot's force over the first `count` columns; j are those of the place of
 * the knot relative to the sheave's. */
static void add_force_rows(const haw_knot_block *g, double j[2][BLOCK], int count, int width,
                           double *k)
{
    const double *a = g->a[1];
    for (int c = 0; c < count; c++) {
        const double x = a[0] * j[0][c] + a[1] * j[1][c], y = a[2] * j[0][c] + a[3] * j[1][c];
        for (int r = 0; r < count; r++) {
            k[r * width + c] -= j[0][r] * x + j[1][r] * y;
        }
    }
}

/* The same of the moment on the sheave, and by its angle, which comes last. */
static void add_moment_rows(const haw_knot_block *g, double corner, double j[2][BLOCK], int width,
                            double *k)
{
    const int angle = width - 1;
    for (int c = 0; c < angle; c++) {
        k[c * width + angle] -= j[0][c] * g->column[0] + j[1][c] * g->column[1];
        k[angle * width + c] -= g->row[0] * j[0][c] + g->row[1] * j[1][c];
    }
    k[angle * width + angle] -= corner;
}

/* The knots of one element make one block; the columns of the labels come last and stay 0, mesh
 * motion is given. */
static void add_element(const haw_knot_side *side, int count, const haw_knot_press *touch,
                        double rate, haw_system *system)
{
    const haw_rope *rope = side->cable->rope;
    const haw_rope_element *element = &rope->element[touch->element];
    const int dofs = rope->kind[element->is_span ? 1 : 0].dofs - 2, width = element->dofs + 3;
    const int *equation = system->equation + side->model->body[side->body].first;
    const bool is_free = equation[0] >= 0 || equation[1] >= 0 || equation[2] >= 0;
    double k[BLOCK * BLOCK], j[2][BLOCK] = {{0}};
    memset(k, 0, (size_t)(width * width) * sizeof *k);
    for (int i = 0; i < count; i++) {
        const haw_press *at = &touch[i].at;
        const double spin = (at->rate[1] - at->drift[1]) / at->level;
        haw_knot_block g = {.column = {0}};
        double along[2], corner = 0;
        find_edge(&touch[i], along);
        haw_point_gather(at, spin, rate, along, &g, &corner);
        memcpy(j[0], touch[i].point.j[0], (size_t)dofs * sizeof *j[0]);
        memcpy(j[1], touch[i].point.j[1], (size_t)dofs * sizeof *j[1]);
        j[0][element->dofs] = j[1][element->dofs + 1] = -1;
        add_force_rows(&g, j, is_free ? width - 1 : dofs, width, k);
        if (is_free) {
            add_moment_rows(&g, corner, j, width, k);
        }
    }
    haw_system_add_contact(system, side->cable_index, touch->element, side->body, k);
}

static void ale_tangent(const haw_knot_side *side, int count, const haw_knot_press *touch,
                        double rate, haw_system *system)
{
    for (int i = 0; i < count; i++) {
        const int first = i;
        while (i + 1 < count && touch[i].is_closed && touch[i + 1].is_closed &&
               touch[i + 1].element == touch[first].element) {
            i++;
        }
        if (touch[first].is_closed) {
            add_element(side, i - first + 1, &touch[first], rate, system);
        }
    }
}

const haw_knot_kernel haw_knot_kernel_ale = {
    .rope = &haw_cable_ale,
    .range = ale_range,
    .place = ale_place,
    .apply = ale_apply,
    .tangent = ale_tangent,
};

/* ---- rows ---- */

void haw_knot_ale_rows(const haw_rope *rope, haw_knot_press *touch)
{
    const haw_rope_element *element = &rope->element[touch->element];
    const int dofs = rope->kind[element->is_span ? 1 : 0].dofs;
    const double *n = touch->at.normal;
    for (int a = 0; a < element->dofs; a++) {
        const double x = a < dofs ? touch->point.j[0][a] : 0;
        const double y = a < dofs ? touch->point.j[1][a] : 0;
        touch->row[a][0] = n[0] * x + n[1] * y;
        touch->row[a][1] = n[1] * x - n[0] * y;
    }
}
