/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of lines and the chords between them under compliant laws: an element at a time, with the
 * geometry of grid points (knots) and closed points inline in the loops over the grid. */
#ifndef HAWSER_CONTACT_CHORD_H
#define HAWSER_CONTACT_CHORD_H

#include "contact/press.h"
#include "linalg/inline.h"
#include "shape/surface.h"

/* Derivatives of the force at knot i, and of the moment tau on the body, to itself and its two
 * neighbours, while an element block is gathered. */
struct haw_knot_block {
    double a[3][4];   /* df_i / dp_j + rate df_i / dv_j, j = i - 1, i, i + 1, row-major 2 x 2 */
    double b[3][4];   /* df_i / dv_j */
    double column[2]; /* df_i / dphi + rate df_i / domega */
    double row[2];    /* dtau / dp_i + rate dtau / dv_i */
    double row_v[2];  /* dtau / dv_i */
};

/* Forces at a knot by the coordinates of its element, and what acts through the slope there. */
struct haw_knot_rows {
    double force[2][2 * HAW_SHAPES], turned[2][2 * HAW_SHAPES];
};

/* One pair at one configuration. */
typedef struct haw_patch_view {
    haw_compliant *compliant;
    const haw_compliant_pair *pair;
    const double *q;
    const double *pose, *rate; /* of the body, [3] */
    double angle;              /* of the body, reduced to one turn [rad] */
    double *gap_min;
} haw_patch_view;

haw_patch_view haw_patch_view_init(haw_compliant *compliant, const haw_compliant_pair *pair,
                                   const double *q, const double *u);

/** Bounding box of points. */
haw_box haw_points_box(int count, double p[][2]);

/** Exact bounding box of the cubic x(s) with Bernstein control points p, 0 <= s <= 1. */
haw_box haw_cubic_box(const double p[4][2]);

/** False only if no point of the contact line of an element is within `pad` of the surface.
 * @param way  out: change of any coordinate up to which this stays false, 0: not known */
bool haw_line_near(const haw_patch_view *view, int e, double pad, double *way);

/** Knots `first` to `last` of a cable element that carry contact: chords start there. */
void haw_compliant_range(const haw_compliant_pair *pair, int e, int *first, int *last);

/** True if any of `count` points from `first` on is closed by the data of the last switch. */
bool haw_compliant_any_closed(const haw_compliant *compliant, int first, int count);

/** Largest error of the elements of a line, or of a ball, by the published switch (switching.c). */
double haw_line_switch(haw_compliant *compliant, const haw_compliant_pair *pair);
double haw_ball_switch(haw_compliant *compliant, const haw_compliant_pair *pair);

/**
 * Derivatives of the force of a point and of its moment on the body, to the place p of the point
 * relative to the body's and to the body's angle, added to a block and its corner.
 * @param spin   of the body [rad/s]
 * @param along  what f_N and f_T change besides, along t at a fixed f_N [N/m]
 */
void haw_point_gather(const haw_press *touch, double spin, double rate, const double along[2],
                      haw_knot_block *block, double *corner);

/** Matrix += d(-f)/dq + rate d(-f)/du of a patch of a line, or of a ball (tangent.c). */
void haw_line_tangent(haw_compliant *compliant, const haw_patch *patch, double rate,
                      haw_system *system);
void haw_ball_tangent(haw_compliant *compliant, const haw_patch *patch, double rate,
                      haw_system *system);

/** Coordinates of an element as four vectors, with zeros where it has fewer. */
static HAW_INLINE const double *element_vector(const haw_compliant_pair *pair, const double *z,
                                               double local[2 * HAW_SHAPES])
{
    const int dofs = pair->cable->line.ops->dofs;
    if (dofs == 2 * HAW_SHAPES) {
        return z;
    }
    for (int a = 0; a < 2 * HAW_SHAPES; a++) {
        local[a] = a < dofs ? z[a] : 0;
    }
    return local;
}

/** Sum of four vectors of an element with four doubled shape functions. */
static HAW_INLINE void basis_sum(const double b[2 * HAW_SHAPES], const double *z, double x[2])
{
    const double x0 = b[0] * z[0] + b[2] * z[2] + b[4] * z[4] + b[6] * z[6];
    const double x1 = b[1] * z[1] + b[3] * z[3] + b[5] * z[5] + b[7] * z[7];
    x[0] = x0; /* both stores last, and to memory: compilers make one pair of it */
    x[1] = x1;
}

/** Place knot j of an element with coordinates z relative to a centre. */
static HAW_INLINE void knot_place(const haw_compliant_pair *pair, int j, const double *z,
                                  const double *center, haw_knot *knot)
{
    const double *b = pair->twice[j];
    double y[2] = {0, 0}; /* offset */
    if (pair->has_offset) {
        basis_sum(b + 2 * HAW_SHAPES, z, knot->tangent);
        const double *t = knot->tangent, inverse = 1 / sqrt(t[0] * t[0] + t[1] * t[1]);
        knot->inverse = inverse;
        knot->tangent[0] *= inverse;
        knot->tangent[1] *= inverse;
        y[0] = -pair->offset * knot->tangent[1];
        y[1] = pair->offset * knot->tangent[0];
    }
    basis_sum(b, z, knot->p);
    knot->p[0] += y[0] - center[0];
    knot->p[1] += y[1] - center[1];
    knot->force[0][0] = knot->force[0][1] = knot->force[1][0] = knot->force[1][1] = 0;
}

/** Its velocity relative to the centre's, from the element's velocities. */
static HAW_INLINE void knot_move(const haw_compliant_pair *pair, int j, const double *z,
                                 const double *center, haw_knot *knot)
{
    const double *b = pair->twice[j];
    basis_sum(b, z, knot->v);
    knot->v[0] -= center[0];
    knot->v[1] -= center[1];
    if (pair->has_offset) {
        basis_sum(b + 2 * HAW_SHAPES, z, knot->bend);
        knot->bend[0] *= knot->inverse;
        knot->bend[1] *= knot->inverse;
        knot->turn = knot->tangent[0] * knot->bend[1] - knot->tangent[1] * knot->bend[0];
        knot->v[0] -= pair->offset * knot->turn * knot->tangent[0];
        knot->v[1] -= pair->offset * knot->turn * knot->tangent[1];
    }
}

/** Gap and normal of the point p relative to the centre of a circle. */
static HAW_INLINE void circle_touch(const haw_compliant_pair *pair, const double p[2],
                                    haw_press *touch)
{
    touch->level = haw_circle_level(p, touch->normal, &touch->curvature);
    touch->gap = touch->level - pair->radius;
    touch->arm_n = 0;
    touch->arm_t = pair->pair->arm == HAW_ARM_RADIUS ? pair->radius : touch->level;
    touch->slide_slope = pair->radius * touch->curvature;
}

/** Gap of the chord from knot a to the next: its point closest to the centre of the circle. */
static HAW_INLINE void chord_touch(const haw_compliant_pair *pair, const haw_knot *a,
                                   haw_press *touch)
{
    const haw_knot *b = a + 1;
    const double e[2] = {b->p[0] - a->p[0], b->p[1] - a->p[1]};
    const double square = e[0] * e[0] + e[1] * e[1];
    const double along = -(a->p[0] * e[0] + a->p[1] * e[1]);
    touch->inside = along > 0 && along < square;
    touch->rho = touch->inside ? along / square : (along > 0 ? 1 : 0);
    const double p[2] = {a->p[0] + touch->rho * e[0], a->p[1] + touch->rho * e[1]};
    circle_touch(pair, p, touch);
}

/** Of a curve that has `arc`: the same all along [1/m]. */
static inline double curvature_of(const haw_surface *surface)
{
    return 1 / surface->ops->radius(surface);
}

/** Gap of the point p relative to the centre of any shape; proxies have a radius. */
static inline void shape_touch(const haw_patch_view *view, const double p[2], haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    const haw_surface *surface = &pair->body->surface;
    const double x[2] = {view->pose[0] + p[0], view->pose[1] + p[1]};
    const double gap = surface->ops->gap(surface, view->pose, x, touch->normal);
    const double *n = touch->normal;
    const double radius = pair->kind == HAW_TOUCH_PROXY ? pair->pair->proxy_radius : 0;
    touch->inside = false;
    touch->rho = 0;
    touch->gap = gap - radius;
    touch->curvature = surface->ops->bend(surface, view->pose, x);
    touch->level = n[0] * p[0] + n[1] * p[1];
    touch->arm_n = n[1] * p[0] - n[0] * p[1];
    touch->arm_t = touch->level - radius - (pair->pair->arm == HAW_ARM_RADIUS ? touch->gap : 0);
    /* a disk that rolls meets the surface with another of its points */
    touch->slide_slope =
        (1 - gap * touch->curvature) * (1 + (radius > 0 ? radius * curvature_of(surface) : 0));
}

/** Gap of the contact point of knot a. */
static HAW_INLINE void find_gap(const haw_patch_view *view, haw_touch_kind kind, const haw_knot *a,
                                haw_press *touch)
{
    if (kind == HAW_TOUCH_CHORD) {
        chord_touch(view->pair, a, touch);
    } else if (kind == HAW_TOUCH_CIRCLE) {
        touch->inside = false;
        touch->rho = 0;
        circle_touch(view->pair, a->p, touch);
    } else {
        shape_touch(view, a->p, touch);
    }
}

/** The centre of a disk at x that moves with v. */
static inline haw_knot ball_knot(const haw_patch_view *view, const double *x, const double *v)
{
    return (haw_knot){.p = {x[0] - view->pose[0], x[1] - view->pose[1]},
                      .v = {v[0] - view->rate[0], v[1] - view->rate[1]}};
}

/** Open or closed at the start of the step, and whose share of the pair's stiffness it has. */
static HAW_INLINE void press_start(const haw_patch_view *view, haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    const bool is_end = touch->id == pair->end[0] || touch->id == pair->end[1];
    touch->is_new = haw_history_is_new(&view->compliant->histories, touch->id);
    touch->share = is_end ? pair->end_share : 1;
    touch->impact = 0;
}

/** Relative velocities of a closed point; a and b are its knots (the same for points). */
static HAW_INLINE void touch_rates(const haw_patch_view *view, const haw_knot *a, const haw_knot *b,
                                   haw_press *touch)
{
    const double rho = touch->rho, *n = touch->normal;
    const double w[2] = {(1 - rho) * a->v[0] + rho * b->v[0], (1 - rho) * a->v[1] + rho * b->v[1]};
    touch->drift[0] = n[0] * w[0] + n[1] * w[1];
    touch->drift[1] = n[1] * w[0] - n[0] * w[1];
    touch->rate[0] = touch->drift[0] - view->rate[2] * touch->arm_n;
    touch->rate[1] = touch->drift[1] + view->rate[2] * touch->arm_t;
}

/** Angle of a unit vector; asin by its series to 2e-16 below 0.1. */
static HAW_INLINE double bearing_angle(haw_bearing *base, const double n[2])
{
    const double s = base->normal[0] * n[1] - base->normal[1] * n[0];
    const double c = base->normal[0] * n[0] + base->normal[1] * n[1];
    if (base->is_set && fabs(s) < 0.1 && c > 0) {
        const double x = s * s;
        const double tail =
            x * (15.0 / 336 +
                 x * (105.0 / 3456 +
                      x * (945.0 / 42240 + x * (10395.0 / 599040 + x * (135135.0 / 9676800)))));
        return base->angle + s * (1 + x * (1.0 / 6 + x * (3.0 / 40 + tail)));
    }
    base->is_set = true;
    base->normal[0] = n[0];
    base->normal[1] = n[1];
    base->angle = atan2(n[1], n[0]);
    return base->angle;
}

/**
 * Present slide along t of a point on a circle: s = -(x_c + sgn x_s) with x_c = r times the angle
 * of the normal in the frame of the body, x_s = rho times the length of the chord (of the
 * reference, or the present one), and sgn = -1 where the chord runs against t. Constant where the
 * point sticks or rolls.
 */
static HAW_INLINE void circle_slide(const haw_patch_view *view, const haw_knot *a,
                                    haw_bearing *base, haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    const double angle = bearing_angle(base, touch->normal) - view->angle;
    touch->slide = -pair->radius * angle;
    touch->slide_rho = touch->slide_length = 0;
    if (pair->kind == HAW_TOUCH_CHORD) {
        const double *n = touch->normal;
        const double e[2] = {a[1].p[0] - a[0].p[0], a[1].p[1] - a[0].p[1]};
        const double sign = n[1] * e[0] - n[0] * e[1] < 0 ? 1 : -1;
        const bool is_present = pair->pair->chord_length == HAW_CHORD_DEFORMED;
        const double length = is_present ? sqrt(e[0] * e[0] + e[1] * e[1]) : pair->chord;
        touch->slide_rho = sign * length;
        touch->slide_length = is_present ? sign * touch->rho : 0;
        touch->slide += touch->rho * touch->slide_rho;
    }
}

/** Present slide of a point or a disk on any shape. @param angle  of the disk */
static inline void shape_slide(const haw_patch_view *view, const double p[2], double angle,
                               haw_press *touch)
{
    const haw_compliant_pair *pair = view->pair;
    const haw_surface *surface = &pair->body->surface;
    const double x[2] = {view->pose[0] + p[0], view->pose[1] + p[1]};
    touch->slide = surface->ops->arc(surface, view->pose, x);
    touch->slide_rho = touch->slide_length = 0;
    if (pair->kind == HAW_TOUCH_PROXY) {
        const double radius = pair->pair->proxy_radius;
        touch->slide *= 1 + radius * curvature_of(surface);
        touch->slide += radius * (angle - view->pose[2]);
    }
}

#endif
