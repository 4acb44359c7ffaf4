/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies, as cables, contact and steps know them. */
#ifndef HAWSER_CABLE_BODY_H
#define HAWSER_CABLE_BODY_H

#include "base/lie.h"
#include "shape/surface.h"

#include <hawser/model.h>

typedef struct haw_body {
    const char *name;
    haw_surface surface;      /* ops NULL: no contact surface */
    double mass[6];           /* generalized masses m, m, J; in space m, m, m, J1, J2, J3; 0 where
                                 not given */
    bool held[6];             /* prescribed, also by a joint */
    double start[7], rate[6]; /* initial pose and velocity */
    haw_motion motion;
    haw_function drive[6]; /* prescribed velocities vx, vy, spin; in space vx, vy, vz, 0, 0, spin
                              about the body's z axis */
    double rotational_damping;  /* [N m s/rad] */
    haw_function torque;        /* [N m] */
    int first;                  /* of its degrees of freedom in u, 3 or 6 */
    int first_q;                /* of its coordinates in q; the same in the plane */
    const haw_control *control; /* of a simulation, else NULL */
} haw_body;

/** Prescribed velocity of degree of freedom j, its mean over [t, t + h] (h = 0: at t), and its
 * integral since t = 0. */
double haw_body_drive(const haw_body *body, int j, double t, double h);
double haw_body_way(const haw_body *body, int j, double t);

/** In space: nothing holds any of its turns. */
static inline bool haw_body_turns_freely(const haw_body *body)
{
    return !body->held[3] && !body->held[4] && !body->held[5];
}

/** Smallest radius of convex curvature of the surface of a body, INFINITY of a plane [m]. */
static inline double haw_body_radius(const haw_body *body)
{
    return body->surface.ops->radius(&body->surface);
}

/** Radius of the sphere about the centre of a body with corners that holds all of it, INFINITY of
 * others [m]. */
static inline double haw_body_reach(const haw_body *body)
{
    const haw_surface_ops *ops = body->surface.ops;
    double corner[3] = {0.0, 0.0, 0.0};
    if (ops->corner != NULL) {
        ops->corner(&body->surface, 0.0, corner);
    }
    return ops->corners > 0 ? haw_body_radius(body) + vec3_norm(corner) : (double)INFINITY;
}

/** Radius of the largest ball inside a body, INFINITY of a plane [m]. */
static inline double haw_body_inner(const haw_body *body)
{
    const haw_surface_ops *ops = body->surface.ops;
    return (ops->inner != NULL ? ops->inner : ops->radius)(&body->surface);
}

#endif
