/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tangent of arc1d. With z the gradient of the elongation at fixed material,
 * z = grad l - lambda grad ds, an element has
 *
 *     K = v'' / ds z z^T + (v' + T_d) Hess l - rho Hess(ds g . X),   C = c / ds z z^T,
 *     M = rho ds / 6 (2 B1^T B1 + B1^T B2 + B2^T B1 + 2 B2^T B2),   w_i = B_i u.
 *
 * K and M are exact. The derivatives of inertia and damping forces to q are left out.
 */
#include "cable/arc1d.h"

#include <math.h>
#include <string.h>

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
                       const haw_arc_line line[2], int node, shape *s, int end)
{
    static const int at[2][2] = {{BEFORE, OWN}, {OWN, AFTER}};
    const double part = (double)node / sheave->cells, share[2] = {1 - part, part};
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
