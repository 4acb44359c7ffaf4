/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derivatives of gap, velocities, slide and forces of one closed point.
 *
 * With z = P - X, xi its displacement in the frame of the body and e the chord,
 *     dz = sum_j weight_j dp_j + e drho,     dxi = dz - dphi (z turned by 90 degrees),
 *     dg = n . dxi,     eps = curvature t . dxi - dphi,     dn = eps t,     dt = -eps n,
 *     drho = (P - (1 - rho) e) . dp_a / |e|^2 - (P + rho e) . dp_b / |e|^2  inside of a chord.
 *
 * Element blocks of -f: the derivatives in the space of the knots, brought to the coordinates of
 * the element. A knot p = x + y nu depends on position x and slope x' of the curve,
 *
 *     dp = dx + c tau (nu . dx'),     c = -y / |x'|,
 *
 * so that with the shape functions S_a the force on coordinate a is S_a f + S'_a c nu (tau . f).
 */
#include "contact/chord.h"

#include <string.h>

enum { COLUMNS = 2 * HAW_SHAPES, BLOCK = COLUMNS + 3, QUAD = 4 };

/* An element block of the tangent while it grows. */

typedef struct assembly {
    const haw_compliant_pair *pair;
    const haw_knot *knot;
    haw_knot_block *block;
    haw_knot_rows *rows;
    int first, last;                 /* knots that carry force */
    bool body_moves, body_turns;     /* the body has such equations */
    double column[HAW_SHAPES][2][3]; /* of the body's x, y, angle */
    double row[3][COLUMNS];
    double body[3][3];
} assembly;

/* Derivatives of f_T of a point at its knot, d/dp + rate d/dv, and at the angle of the body. */
typedef struct point_gradient {
    double friction[2], angle_friction;
} point_gradient;

/*
 * Derivatives to the knots a and b of a closed point (relative to the centre of the body) and to
 * the body's angle. Entries without suffix are d/dp + rate d/dv, entries _v are d/dv.
 */
typedef struct gradient {
    double weight[2];                        /* 1 - rho, rho */
    double rho[2][2];                        /* of rho; no part in v */
    double normal[2][2], normal_v[2][2];     /* of f_N */
    double friction[2][2], friction_v[2][2]; /* of f_T */
    double turn[2][2];                       /* of the angle eps of dn = eps t */
    double arm_n[2][2], arm_t[2][2];
    double angle_normal, angle_friction, angle_turn, angle_arm_n, angle_arm_t;
} gradient;

/* What all points of a patch share. */
typedef struct setting {
    const haw_compliant_pair *pair;
    double spin; /* of the body [rad/s] */
    double rate;
    double ball;    /* radius of a ball, or 0 [m] */
    bool by_radius; /* the foot is the arm of friction */
} setting;

static HAW_INLINE void set_rho(const haw_press *touch, const haw_knot *a, gradient *g)
{
    const double e[2] = {a[1].p[0] - a[0].p[0], a[1].p[1] - a[0].p[1]};
    const double factor = 1 / (e[0] * e[0] + e[1] * e[1]), rho = touch->rho;
    for (int i = 0; i < 2; i++) {
        const double p = touch->level * touch->normal[i];
        g->rho[0][i] = touch->inside ? (p - (1 - rho) * e[i]) * factor : 0;
        g->rho[1][i] = touch->inside ? -(p + rho * e[i]) * factor : 0;
    }
}

/* Parts by the angle of the body at fixed knots, and by its spin. */
static void set_angle(const setting *s, const haw_press *touch, gradient *g)
{
    const double along = touch->level, across = -touch->arm_n; /* of dxi along t and n */
    const double turn = touch->curvature * along - 1;
    g->angle_turn = turn;
    g->angle_arm_n = -turn * touch->level;
    g->angle_arm_t = turn * touch->arm_n - (s->by_radius ? across : 0);
    const double normal_rate =
        turn * touch->drift[1] - s->spin * g->angle_arm_n - s->rate * touch->arm_n;
    const double slip_rate =
        -turn * touch->drift[0] + s->spin * g->angle_arm_t + s->rate * touch->arm_t;
    const double slide = touch->slide_slope * along - s->ball;
    g->angle_normal = touch->n.d_gap * across + touch->n.d_rate * normal_rate;
    g->angle_friction = touch->f.d_rate * slip_rate + touch->f.d_slide * slide +
                        touch->f.d_normal * g->angle_normal;
}

/* Circles have one normal at any angle and arms n . l and 0: only the slide turns with the body. */

static HAW_INLINE void set_circle_angle(const setting *s, const haw_press *touch, gradient *g)
{
    g->angle_turn = g->angle_arm_n = g->angle_arm_t = g->angle_normal = 0;
    g->angle_friction =
        touch->f.d_slide * s->pair->radius + touch->f.d_rate * s->rate * touch->arm_t;
}

static HAW_INLINE void set_point(const setting *s, const haw_press *touch, gradient *g)
{
    const double *n = touch->normal, t[2] = {n[1], -n[0]};
    g->weight[0] = 1;
    for (int i = 0; i < 2; i++) {
        const double turn = touch->curvature * t[i];
        g->turn[0][i] = turn;
        g->arm_n[0][i] = t[i] - turn * touch->level;
        g->arm_t[0][i] = (s->by_radius ? 0 : n[i]) + turn * touch->arm_n;
        const double normal_rate = turn * touch->drift[1] - s->spin * g->arm_n[0][i];
        const double slip_rate = -turn * touch->drift[0] + s->spin * g->arm_t[0][i];
        g->normal_v[0][i] = touch->n.d_rate * n[i];
        g->normal[0][i] =
            touch->n.d_gap * n[i] + touch->n.d_rate * normal_rate + s->rate * g->normal_v[0][i];
        g->friction_v[0][i] = touch->f.d_rate * t[i] + touch->f.d_normal * g->normal_v[0][i];
        g->friction[0][i] = touch->f.d_rate * (slip_rate + s->rate * t[i]) +
                            touch->f.d_slide * touch->slide_slope * t[i] +
                            touch->f.d_normal * g->normal[0][i];
    }
    set_angle(s, touch, g);
}

/* Factors of n, t and drho in the gradients of a chord's point. */
static HAW_INLINE void set_chord(const setting *s, const haw_press *touch, const haw_knot *a,
                                 gradient *g)
{
    const haw_knot *b = a + 1;
    const double n[2] = {touch->normal[0], touch->normal[1]}, t[2] = {n[1], -n[0]};
    const double e[2] = {b->p[0] - a->p[0], b->p[1] - a->p[1]};
    const double e_v[2] = {b->v[0] - a->v[0], b->v[1] - a->v[1]};
    const double run = t[0] * e[0] + t[1] * e[1];
    const double run_n = n[0] * e_v[0] + n[1] * e_v[1], run_t = t[0] * e_v[0] + t[1] * e_v[1];
    const haw_normal_force normal = touch->n;
    const haw_friction_force friction = touch->f;
    /* f_N by n, by t and by drho; f_T by n, by t and by drho, less the part through f_N */
    const double bend = touch->curvature, lever = s->by_radius ? 0 : 1;
    const double along = normal.d_rate * bend * touch->drift[1];
    const double normal_n = normal.d_gap + normal.d_rate * s->rate, normal_t = along;
    const double normal_rho = normal.d_rate * run_n + along * run;
    const double turned =
        friction.d_slide * touch->slide_slope - friction.d_rate * bend * touch->drift[0];
    const double friction_n = friction.d_rate * s->spin * lever;
    const double friction_t = friction.d_rate * s->rate + turned;
    const double friction_rho =
        friction.d_rate * run_t + friction.d_slide * touch->slide_rho + turned * run;
    const double stretch = touch->slide_length == 0 ? 0
                                                    : friction.d_slide * touch->slide_length /
                                                          sqrt(e[0] * e[0] + e[1] * e[1]);
    g->weight[0] = 1 - touch->rho;
    g->weight[1] = touch->rho;
    set_rho(touch, a, g);
    for (int j = 0; j < 2; j++) {
        const double w = g->weight[j], longer = j == 0 ? -stretch : stretch;
        for (int i = 0; i < 2; i++) {
            const double rho = g->rho[j][i], wn = w * n[i], wt = w * t[i];
            g->turn[j][i] = bend * (wt + run * rho);
            g->arm_n[j][i] = 0;
            g->arm_t[j][i] = lever * wn;
            g->normal_v[j][i] = normal.d_rate * wn;
            g->normal[j][i] = normal_n * wn + normal_t * wt + normal_rho * rho;
            g->friction_v[j][i] = friction.d_rate * wt + friction.d_normal * g->normal_v[j][i];
            g->friction[j][i] = friction_n * wn + friction_t * wt + friction_rho * rho +
                                longer * e[i] + friction.d_normal * g->normal[j][i];
        }
    }
    set_circle_angle(s, touch, g);
}

/* block += x (x) y of two vectors in the plane, row-major. */
static HAW_INLINE void add_outer(const double x[2], const double y[2], double *block)
{
    block[0] += x[0] * y[0];
    block[1] += x[0] * y[1];
    block[2] += x[1] * y[0];
    block[3] += x[1] * y[1];
}

static HAW_INLINE void add_scaled(double factor, const double *x, double *block)
{
    for (int k = 0; k < 4; k++) {
        block[k] += factor * x[k];
    }
}

/* The force along a normal and its tangent, and how it turns with them. */
typedef struct end_force {
    double n[2], t[2];
    double force[2]; /* f_N n - f_T t [N] */
    double cross[2]; /* f_N t + f_T n, by the turn [N] */
} end_force;

static HAW_INLINE end_force set_end(const haw_press *touch, const double n[2])
{
    end_force end = {.n = {n[0], n[1]}, .t = {n[1], -n[0]}};
    for (int i = 0; i < 2; i++) {
        end.force[i] = touch->n.force * end.n[i] - touch->f.force * end.t[i];
        end.cross[i] = touch->n.force * end.t[i] + touch->f.force * end.n[i];
    }
    return end;
}

/* d(n f_N - t f_T) at fixed directions, of the gradients of the two forces. */
static HAW_INLINE void add_forces(const end_force *end, const double normal[2],
                                  const double friction[2], double *block)
{
    const double back[2] = {-end->t[0], -end->t[1]};
    add_outer(end->n, normal, block);
    add_outer(back, friction, block);
}

/* One normal for the whole force, which is shared by weight among the ends. */
static HAW_INLINE void gather_segment(const haw_press *touch, const gradient *g, int ends,
                                      haw_knot_block *first)
{
    const end_force end = set_end(touch, touch->normal);
    for (int j = 0; j < ends; j++) {
        double force[4] = {0}, force_v[4] = {0}, shift[4] = {0};
        add_forces(&end, g->normal[j], g->friction[j], force);
        add_outer(end.cross, g->turn[j], force);
        add_forces(&end, g->normal_v[j], g->friction_v[j], force_v);
        if (ends == 2) {
            add_outer(end.force, g->rho[j], shift);
        }
        for (int i = 0; i < ends; i++) {
            double *a = first[i].a[1 + j - i];
            add_scaled(g->weight[i], force, a);
            add_scaled(g->weight[i], force_v, first[i].b[1 + j - i]);
            if (ends == 2) {
                add_scaled(i == 0 ? -1 : 1, shift, a);
            }
        }
    }
    for (int i = 0; i < ends; i++) {
        for (int k = 0; k < 2; k++) {
            first[i].column[k] +=
                g->weight[i] * (end.n[k] * g->angle_normal - end.t[k] * g->angle_friction +
                                end.cross[k] * g->angle_turn);
        }
    }
}

/* A normal of its own at each end, through the centre and the end. */
static void gather_points(const haw_press *touch, const haw_knot *knot, const gradient *g,
                          haw_knot_block *first)
{
    for (int i = 0; i < 2; i++) {
        const double *p = knot[i].p;
        const double inverse = 1 / sqrt(p[0] * p[0] + p[1] * p[1]);
        const double n[2] = {p[0] * inverse, p[1] * inverse};
        const end_force end = set_end(touch, n);
        for (int j = 0; j < 2; j++) {
            double force[4] = {0}, force_v[4] = {0}, shift[4] = {0};
            add_forces(&end, g->normal[j], g->friction[j], force);
            add_forces(&end, g->normal_v[j], g->friction_v[j], force_v);
            add_outer(end.force, g->rho[j], shift);
            if (i == j) {
                const double turn[2] = {end.t[0] * inverse, end.t[1] * inverse};
                add_outer(end.cross, turn, force);
            }
            double *a = first[i].a[1 + j - i];
            add_scaled(g->weight[i], force, a);
            add_scaled(i == 0 ? -1 : 1, shift, a);
            add_scaled(g->weight[i], force_v, first[i].b[1 + j - i]);
        }
        for (int k = 0; k < 2; k++) {
            first[i].column[k] +=
                g->weight[i] * (end.n[k] * g->angle_normal - end.t[k] * g->angle_friction);
        }
    }
}

/* Moment on the body, and its derivative to the angle. */
static HAW_INLINE void gather_moment(const haw_press *touch, const gradient *g, int ends,
                                     haw_knot_block *first, double *corner)
{
    for (int i = 0; i < ends; i++) {
        for (int k = 0; k < 2; k++) {
            first[i].row[k] -= g->normal[i][k] * touch->arm_n + touch->n.force * g->arm_n[i][k] +
                               g->friction[i][k] * touch->arm_t + touch->f.force * g->arm_t[i][k];
            first[i].row_v[k] -=
                g->normal_v[i][k] * touch->arm_n + g->friction_v[i][k] * touch->arm_t;
        }
    }
    *corner -= g->angle_normal * touch->arm_n + touch->n.force * g->angle_arm_n +
               g->angle_friction * touch->arm_t + touch->f.force * g->angle_arm_t;
}

static void gather_chord(const setting *s, const haw_press *touch, const haw_knot *a,
                         haw_knot_block *first, double *corner)
{
    gradient g;
    set_chord(s, touch, a, &g);
    if (s->pair->pair->normals == HAW_NORMALS_POINT) {
        gather_points(touch, a, &g, first);
    } else {
        gather_segment(touch, &g, 2, first);
    }
    gather_moment(touch, &g, 2, first, corner);
}

static void gather_point(const setting *s, const haw_press *touch, haw_knot_block *first,
                         double *corner, point_gradient *last)
{
    gradient g;
    set_point(s, touch, &g);
    gather_segment(touch, &g, 1, first);
    gather_moment(touch, &g, 1, first, corner);
    if (last != NULL) {
        memcpy(last->friction, g.friction[0], sizeof last->friction);
        last->angle_friction = g.angle_friction;
    }
}

void haw_point_gather(const haw_press *touch, double spin, double rate, const double along[2],
                      haw_knot_block *block, double *corner)
{
    const setting s = {.spin = spin, .rate = rate};
    const double t[2] = {touch->normal[1], -touch->normal[0]};
    gradient g;
    set_point(&s, touch, &g);
    for (int i = 0; i < 2; i++) {
        g.normal[0][i] += along[0] * t[i];
        g.friction[0][i] += (along[1] + touch->f.d_normal * along[0]) * t[i];
    }
    gather_segment(touch, &g, 1, block);
    gather_moment(touch, &g, 1, block, corner);
}

/* Derivatives of the forces of all closed points of a patch in the space of its knots; clears and
 * fills block and body[2][2]. @param last  of the last point, or NULL */
static void gather_patch(haw_compliant *compliant, const haw_patch *patch, double rate, assembly *a,
                         point_gradient *last)
{
    const haw_compliant_pair *pair = &compliant->pair[patch->pair];
    const haw_press *touch = compliant->touch + patch->touch;
    const bool is_chord = pair->kind == HAW_TOUCH_CHORD;
    const setting s = {.pair = pair,
                       .spin = compliant->u[pair->body->first + 2],
                       .rate = rate,
                       .ball = pair->cable == NULL ? pair->pair->proxy_radius : 0,
                       .by_radius = pair->pair->arm == HAW_ARM_RADIUS};
    haw_knot_block *block = compliant->block;
    double corner = 0;
    a->pair = pair;
    a->knot = compliant->knot + patch->knot;
    a->block = block;
    a->rows = compliant->rows;
    a->first = touch[0].knot;
    a->last = touch[patch->count - 1].knot + (is_chord ? 1 : 0);
    memset(block + a->first, 0, (size_t)(a->last - a->first + 1) * sizeof *block);
    for (int i = 0; i < patch->count; i++) {
        haw_knot_block *first = block + touch[i].knot;
        if (is_chord) {
            gather_chord(&s, &touch[i], a->knot + touch[i].knot, first, &corner);
        } else {
            gather_point(&s, &touch[i], first, &corner, last);
        }
    }
    a->body[2][2] = corner;
}

/* ---- element blocks ---- */

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
static HAW_INLINE void add_knot(const assembly *s, int j, const double m[QUAD], int slope,
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

static HAW_INLINE void knot_rows(const assembly *s, int i, const lever *levers, bool is_bent)
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
static HAW_INLINE void sum_rows(const assembly *s, int dofs, bool is_bent, double *k)
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
static void add_columns(assembly *s, int i, const lever *own)
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
static void add_body_rows(assembly *s, int j, const lever *own)
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
static void write_body(const assembly *s, int dofs, double *k)
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

static HAW_INLINE void sweep_knots(assembly *s, int dofs, bool is_bent, double *k)
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

static void patch_block(assembly *s, int dofs, double *k)
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

void haw_line_tangent(haw_compliant *compliant, const haw_patch *patch, double rate,
                      haw_system *system)
{
    const haw_compliant_pair *pair = &compliant->pair[patch->pair];
    const int *body = system->equation + pair->body->first;
    assembly s;
    s.body_moves = body[0] >= 0 || body[1] >= 0;
    s.body_turns = body[2] >= 0;
    double k[BLOCK * BLOCK];
    gather_patch(compliant, patch, rate, &s, NULL);
    patch_block(&s, pair->cable->line.ops->dofs, k);
    haw_system_add_contact(system, pair->pair->cable, patch->element, pair->pair->body, k);
}

/*
 * A disk on a surface: its centre is the knot, and its angle turns the slide and the slip by its
 * radius; the moment on it is -radius f_T.
 */
void haw_ball_tangent(haw_compliant *compliant, const haw_patch *patch, double rate,
                      haw_system *system)
{
    const haw_compliant_pair *pair = &compliant->pair[patch->pair];
    const haw_press *touch = compliant->touch + patch->touch;
    const double radius = pair->pair->proxy_radius;
    const double *n = touch->normal, t[2] = {n[1], -n[0]};
    const int disk = compliant->model->body[pair->pair->proxy].first, body = pair->body->first;
    assembly s;
    s.body_moves = s.body_turns = true;
    point_gradient g;
    double k[25];
    gather_patch(compliant, patch, rate, &s, &g);
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
