/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies, as cables, contact and steps know them. */
#ifndef HAWSER_CABLE_BODY_H
#define HAWSER_CABLE_BODY_H

#include "shape/shape.h"
#include "shape/surface.h"

#include <hawser/model.h>

typedef struct haw_body {
    const char *name;
    const haw_shape_ops *shape; /* NULL: no contact surface, and in space */
    double shape_options[8];
    haw_surface surface;      /* space; ops NULL: no contact surface */
    double mass[6];           /* generalized masses m, m, J; in space m, m, m, J1, J2, J3; 0 where
                                 not given */
    bool held[6];             /* prescribed, also by a joint */
    double start[7], rate[6]; /* initial pose and velocity */
    haw_motion motion;
    haw_function drive[6]; /* prescribed velocities vx, vy, spin; in space vx, vy, vz, 0, 0, spin
                              about the body's z axis */
    double rotational_damping; /* [N m s/rad] */
    haw_function torque;       /* [N m] */
    int first;                 /* of its degrees of freedom in u, 3 or 6 */
    int first_q;               /* of its coordinates in q; the same in the plane */
} haw_body;

#endif
