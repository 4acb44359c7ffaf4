/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derivatives of gap, velocities, slide and forces of one closed point.
 *
 * With z = P - X, xi its displacement in the frame of the body and e the chord,
 *     dz = sum_j weight_j dp_j + e drho,     dxi = dz - dphi (z turned by 90 degrees),
 *     dg = n . dxi,     eps = curvature t . dxi - dphi,     dn = eps t,     dt = -eps n,
 *     drho = (P - (1 - rho) e) . dp_a / |e|^2 - (P + rho e) . dp_b / |e|^2  inside of a chord.
 */
#include "contact/compliant_tangent.h"
#include "linalg/inline.h"

#include <math.h>
#include <string.h>

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
    bool by_radius; /* the foot is the arm of friction */
} setting;

static HAW_INLINE void set_rho(const haw_touch *touch, const haw_knot *a, gradient *g)
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
static void set_angle(const setting *s, const haw_touch *touch, gradient *g)
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
    double slide = touch->slide_slope * along;
    if (s->pair->kind == HAW_TOUCH_PROXY) {
        slide -= s->pair->pair->proxy_radius;
    }
    g->angle_normal = touch->n.d_gap * across + touch->n.d_rate * normal_rate;
    g->angle_friction = touch->f.d_rate * slip_rate + touch->f.d_slide * slide +
                        touch->f.d_normal * g->angle_normal;
}

/* Circles have one normal at any angle and arms n . l and 0: only the slide turns with the body. */

static HAW_INLINE void set_circle_angle(const setting *s, const haw_touch *touch, gradient *g)
{
    g->angle_turn = g->angle_arm_n = g->angle_arm_t = g->angle_normal = 0;
    g->angle_friction =
        touch->f.d_slide * s->pair->radius + touch->f.d_rate * s->rate * touch->arm_t;
}

static HAW_INLINE void set_point(const setting *s, const haw_touch *touch, gradient *g)
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
static HAW_INLINE void set_chord(const setting *s, const haw_touch *touch, const haw_knot *a,
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

static HAW_INLINE end_force set_end(const haw_touch *touch, const double n[2])
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
static HAW_INLINE void gather_segment(const haw_touch *touch, const gradient *g, int ends,
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
static void gather_points(const haw_touch *touch, const haw_knot *knot, const gradient *g,
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
static HAW_INLINE void gather_moment(const haw_touch *touch, const gradient *g, int ends,
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

static void gather_chord(const setting *s, const haw_touch *touch, const haw_knot *a,
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

static void gather_point(const setting *s, const haw_touch *touch, haw_knot_block *first,
                         double *corner, haw_point_gradient *last)
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

void haw_patch_gather(haw_compliant *compliant, const haw_patch *patch, double rate,
                      haw_assembly *assembly, haw_point_gradient *last)
{
    const haw_compliant_pair *pair = &compliant->pair[patch->pair];
    const haw_touch *touch = compliant->touch + patch->touch;
    const bool is_chord = pair->kind == HAW_TOUCH_CHORD;
    const setting s = {.pair = pair,
                       .spin = compliant->u[pair->body->first + 2],
                       .rate = rate,
                       .by_radius = pair->pair->arm == HAW_ARM_RADIUS};
    haw_knot_block *block = compliant->block;
    double corner = 0;
    assembly->pair = pair;
    assembly->knot = compliant->knot + patch->knot;
    assembly->block = block;
    assembly->rows = compliant->rows;
    assembly->first = touch[0].knot;
    assembly->last = touch[patch->count - 1].knot + (is_chord ? 1 : 0);
    memset(block + assembly->first, 0,
           (size_t)(assembly->last - assembly->first + 1) * sizeof *block);
    for (int i = 0; i < patch->count; i++) {
        haw_knot_block *first = block + touch[i].knot;
        if (is_chord) {
            gather_chord(&s, &touch[i], assembly->knot + touch[i].knot, first, &corner);
        } else {
            gather_point(&s, &touch[i], first, &corner, last);
        }
    }
    assembly->body[2][2] = corner;
}
