/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Element blocks of -f: the derivatives in the space of the knots, brought to the coordinates of
 * the element. A knot p = x + y nu depends on position x and slope x' of the curve,
 *
 *     dp = dx + c tau (nu . dx'),     c = -y / |x'|,
 *
 * so that with the shape functions S_a the force on coordinate a is S_a f + S'_a c nu (tau . f).
 */
#include "contact/compliant_tangent.h"

#include "linalg/inline.h"

#include <string.h>

enum { COLUMNS = HAW_COLUMNS, BLOCK = COLUMNS + 3, QUAD = 4 };

/* What an offset adds at a knot: c, and two 2 x 2 matrices to x', row-major. */
typedef struct lever {
    double factor;    /* c [m] */
    double rate[4];   /* dv / dx' at fixed velocities */
    double second[4]; /* d(c nu (tau . f)) / dx' at a fixed force */
} lever;

static void set_lever(const haw_compliant_pair *pair, const haw_knot *knot, lever *l)
{
    const double *t = knot->tangent, nu[2] = {-t[1], t[0]};
    const double c = -pair->offset * knot->inverse, w = knot->turn;
    const double f[2] = {knot->force[0][0] + knot->force[1][0],
                         knot->force[0][1] + knot->force[1][1]};
    const double along = t[0] * f[0] + t[1] * f[1], across = nu[0] * f[0] + nu[1] * f[1];
    const double alpha[2] = {knot->bend[1] - 2 * w * t[0], -knot->bend[0] - 2 * w * t[1]};
    const double scale = c * knot->inverse;
    l->factor = c;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            l->rate[2 * i + j] = c * (t[i] * alpha[j] + w * nu[i] * nu[j]);
            l->second[2 * i + j] =
                scale * (across * nu[i] * nu[j] - along * (nu[i] * t[j] + t[i] * nu[j]));
        }
    }
}

/* d += m dp/dx' + b dv/dx': of one row of forces to the slope at a knot. */
static inline void add_slope(const haw_knot *knot, const lever *l, const double m[2],
                             const double b[2], double d[2])
{
    const double *t = knot->tangent;
    const double moment = l->factor * (m[0] * t[0] + m[1] * t[1]);
    d[0] += -moment * t[1] + b[0] * l->rate[0] + b[1] * l->rate[2];
    d[1] += moment * t[0] + b[0] * l->rate[1] + b[1] * l->rate[3];
}

/* row += m shape of one row of a 2 x 2 block; the shape functions are doubled, as coordinates. */
static HAW_INLINE void add_row(const double m[2], const double *shape, int columns, double *row)
{
    for (int k = 0; k < columns; k += 2) {
        row[k] += m[0] * shape[k];
        row[k + 1] += m[1] * shape[k + 1];
    }
}

/* Forces by one knot, over the columns from `start` on. */
static HAW_INLINE void add_rows(const double m[QUAD], const double *shape, int start, int columns,
                                double rows[2][COLUMNS])
{
    add_row(m, shape + start, columns, rows[0] + start);
    add_row(m + 2, shape + start, columns, rows[1] + start);
}

/* The same; at a node of the element half of the shape functions vanish with their slopes. */
static HAW_INLINE void add_knot(const haw_assembly *s, int j, const double m[QUAD], int slope,
                                double rows[2][COLUMNS])
{
    const double *shape = s->pair->twice[j] + (ptrdiff_t)slope * COLUMNS;
    if (s->pair->support[j] < 0) {
        add_rows(m, shape, 0, COLUMNS, rows);
    } else {
        add_rows(m, shape, s->pair->support[j], COLUMNS / 2, rows);
    }
}

/* Forces at knot i by all coordinates of the element: T_i, and what acts through the slope, E_i. */

static HAW_INLINE void knot_rows(const haw_assembly *s, int i, const lever *levers, bool is_bent)
{
    double force[2][COLUMNS] = {{0}};
    for (int side = 0; side < 3; side++) {
        const int j = i + side - 1;
        if (j < s->first || j > s->last) {
            continue;
        }
        const double *m = s->block[i].a[side];
        add_knot(s, j, m, 0, force);
        if (is_bent) {
            const double *v = s->block[i].b[side];
            double d[QUAD] = {0};
            add_slope(&s->knot[j], &levers[side], m, v, d);
            add_slope(&s->knot[j], &levers[side], m + 2, v + 2, d + 2);
            add_knot(s, j, d, 1, force);
        }
    }
    memcpy(s->rows[i].force, force, sizeof force);
    if (is_bent) {
        const double *t = s->knot[i].tangent;
        const lever *own = &levers[1];
        double turned[2][COLUMNS];
        for (int k = 0; k < COLUMNS; k++) {
            const double moment = own->factor * (t[0] * force[0][k] + t[1] * force[1][k]);
            turned[0][k] = -t[1] * moment;
            turned[1][k] = t[0] * moment;
        }
        add_knot(s, i, own->second, 1, turned);
        memcpy(s->rows[i].turned, turned, sizeof turned);
    }
}

/* sum -= factor row; many shape functions of knots at a node are 0. */
static HAW_INLINE void subtract_row(double factor, const double *row, double *sum)
{
    if (factor != 0) {
        for (int b = 0; b < COLUMNS; b++) {
            sum[b] -= factor * row[b];
        }
    }
}

/* Rows of the element: k gets minus the sum of S_a T_i + S'_a E_i. */
static HAW_INLINE void sum_rows(const haw_assembly *s, int dofs, bool is_bent, double *k)
{
    for (int a = 0; a < dofs; a++) {
        double sum[COLUMNS] = {0};
        for (int i = s->first; i <= s->last; i++) {
            const double *basis = s->pair->basis[i] + a / 2;
            subtract_row(basis[0], s->rows[i].force[a % 2], sum);
            if (is_bent) {
                subtract_row(basis[HAW_SHAPES], s->rows[i].turned[a % 2], sum);
            }
        }
        for (int b = 0; b < dofs; b++) {
            k[a * (dofs + 3) + b] = sum[b];
        }
    }
}

/* Forces at knot i by the body: a displacement of it is the opposite one of all knots. */
static void add_columns(haw_assembly *s, int i, const lever *own)
{
    const haw_knot_block *at = &s->block[i];
    const double *shape = s->pair->basis[i], *slope = shape + HAW_SHAPES;
    double by[2][3] = {{0, 0, at->column[0]}, {0, 0, at->column[1]}};
    for (int side = 0; side < 3; side++) {
        by[0][0] -= at->a[side][0];
        by[0][1] -= at->a[side][1];
        by[1][0] -= at->a[side][2];
        by[1][1] -= at->a[side][3];
    }
    for (int k = s->body_moves ? 0 : 2; k < 3; k++) {
        for (int a = 0; a < HAW_SHAPES; a++) {
            s->column[a][0][k] += shape[a] * by[0][k];
            s->column[a][1][k] += shape[a] * by[1][k];
        }
        s->body[0][k] -= by[0][k];
        s->body[1][k] -= by[1][k];
        if (own != NULL) {
            const double *t = s->knot[i].tangent;
            const double moment = own->factor * (t[0] * by[0][k] + t[1] * by[1][k]);
            for (int a = 0; a < HAW_SHAPES; a++) {
                s->column[a][0][k] -= slope[a] * moment * t[1];
                s->column[a][1][k] += slope[a] * moment * t[0];
            }
        }
    }
    s->body[2][0] -= at->row[0];
    s->body[2][1] -= at->row[1];
}

/* Forces on the body by knot j: minus those on all knots, and the moment. */
static void add_body_rows(haw_assembly *s, int j, const lever *own)
{
    const double *shape = s->pair->basis[j], *slope = shape + HAW_SHAPES;
    double m[3][2] = {{0}}, v[3][2] = {{0}};
    for (int i = j - 1; i <= j + 1; i++) {
        if (!s->body_moves || i < s->first || i > s->last) {
            continue;
        }
        const double *a = s->block[i].a[1 + j - i], *b = s->block[i].b[1 + j - i];
        for (int k = 0; k < QUAD; k++) {
            m[k / 2][k % 2] -= a[k];
            v[k / 2][k % 2] -= b[k];
        }
    }
    memcpy(m[2], s->block[j].row, sizeof m[2]);
    memcpy(v[2], s->block[j].row_v, sizeof v[2]);
    for (int k = s->body_moves ? 0 : 2; k < 3; k++) {
        double d[2] = {0, 0};
        if (own != NULL) {
            add_slope(&s->knot[j], own, m[k], v[k], d);
        }
        for (int b = 0; b < HAW_SHAPES; b++) {
            s->row[k][2 * b] += shape[b] * m[k][0] + slope[b] * d[0];
            s->row[k][2 * b + 1] += shape[b] * m[k][1] + slope[b] * d[1];
        }
    }
}

/* The body's part of -f. */
static void write_body(const haw_assembly *s, int dofs, double *k)
{
    const int width = dofs + 3;
    for (int a = 0; a < dofs; a++) {
        for (int b = 0; b < 3; b++) {
            k[a * width + dofs + b] = -s->column[a / 2][a % 2][b];
            k[(dofs + b) * width + a] = -s->row[b][a];
        }
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            k[(dofs + a) * width + dofs + b] = -s->body[a][b];
        }
    }
}

static HAW_INLINE void sweep_knots(haw_assembly *s, int dofs, bool is_bent, double *k)
{
    lever levers[3]; /* of knots i - 1, i, i + 1 */
    memset(levers, 0, sizeof levers);
    if (is_bent) {
        set_lever(s->pair, &s->knot[s->first], &levers[2]);
    }
    for (int i = s->first; i <= s->last; i++) {
        levers[0] = levers[1];
        levers[1] = levers[2];
        if (is_bent && i < s->last) {
            set_lever(s->pair, &s->knot[i + 1], &levers[2]);
        }
        knot_rows(s, i, levers, is_bent);
        if (s->body_moves || s->body_turns) {
            add_columns(s, i, is_bent ? &levers[1] : NULL);
            add_body_rows(s, i, is_bent ? &levers[1] : NULL);
        }
    }
    sum_rows(s, dofs, is_bent, k);
}

static void patch_block(haw_assembly *s, int dofs, double *k)
{
    const double corner = s->body[2][2];
    memset(s->column, 0, sizeof s->column);
    memset(s->row, 0, sizeof s->row);
    memset(s->body, 0, sizeof s->body);
    s->body[2][2] = corner;
    if (dofs == COLUMNS && s->pair->has_offset) {
        sweep_knots(s, COLUMNS, true, k);
    } else if (dofs == COLUMNS) {
        sweep_knots(s, COLUMNS, false, k);
    } else if (s->pair->has_offset) {
        sweep_knots(s, dofs, true, k);
    } else {
        sweep_knots(s, dofs, false, k);
    }
    write_body(s, dofs, k);
}

static void add_element(haw_compliant *c, const haw_patch *patch, double rate, haw_system *system)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const int *body = system->equation + pair->body->first;
    haw_assembly s;
    s.body_moves = body[0] >= 0 || body[1] >= 0;
    s.body_turns = body[2] >= 0;
    double k[BLOCK * BLOCK];
    haw_patch_gather(c, patch, rate, &s, NULL);
    patch_block(&s, pair->cable->line.ops->dofs, k);
    haw_system_add_contact(system, pair->pair->cable, patch->element, pair->pair->body, k);
}

/*
 * A disk on a surface: its centre is the knot, and its angle turns the slide and the slip by its
 * radius; the moment on it is -radius f_T.
 */
static void add_proxy(haw_compliant *c, const haw_patch *patch, double rate, haw_system *system)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const haw_touch *touch = c->touch + patch->touch;
    const double radius = pair->pair->proxy_radius;
    const double *n = touch->normal, t[2] = {n[1], -n[0]};
    const int disk = c->model->body[pair->pair->proxy].first, body = pair->body->first;
    haw_assembly s;
    s.body_moves = s.body_turns = true;
    haw_point_gradient g;
    double k[25];
    haw_patch_gather(c, patch, rate, &s, &g);
    patch_block(&s, 2, k);
    const int place[5] = {disk, disk + 1, body, body + 1, body + 2};
    for (int a = 0; a < 5; a++) {
        for (int b = 0; b < 5; b++) {
            haw_system_add(system, place[a], place[b], k[5 * a + b]);
        }
    }
    const double angle = radius * (touch->f.d_slide + rate * touch->f.d_rate);
    const double by[5] = {g.friction[0], g.friction[1], -g.friction[0], -g.friction[1],
                          g.angle_friction};
    for (int b = 0; b < 5; b++) {
        haw_system_add(system, disk + 2, place[b], radius * by[b]);
    }
    for (int a = 0; a < 2; a++) {
        haw_system_add(system, disk + a, disk + 2, t[a] * angle);
        haw_system_add(system, body + a, disk + 2, -t[a] * angle);
    }
    haw_system_add(system, body + 2, disk + 2, angle * touch->arm_t);
    haw_system_add(system, disk + 2, disk + 2, radius * angle);
}

void haw_compliant_tangent(haw_compliant *compliant, double rate, haw_system *system)
{
    for (int i = 0; i < compliant->patches; i++) {
        const haw_patch *patch = &compliant->patch[i];
        if (patch->element < 0) {
            add_proxy(compliant, patch, rate, system);
        } else {
            add_element(compliant, patch, rate, system);
        }
    }
    if (compliant->rope != NULL) {
        haw_rope_contact_tangent(compliant->rope, rate, system);
    }
}
