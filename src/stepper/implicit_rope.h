/* SPDX-License-Identifier: BSD-3-Clause */
/* What implicit steps and equilibria ask of ropes over sheaves (model/rope.h). */
#ifndef HAWSER_STEPPER_IMPLICIT_ROPE_H
#define HAWSER_STEPPER_IMPLICIT_ROPE_H

#include "model/rope.h"
#include "stepper/implicit.h"

/** Unstrained length of the shortest element of all ropes [m], INFINITY without one. */
double haw_implicit_rope_element(const haw_model *model, const double *q);

/** Time in which a stretching wave crosses the shortest element of all ropes [s]. */
double haw_implicit_rope_time(const haw_model *model, const double *q);

/** Largest force in a cable that forces are compared with: its mean tension, of a rope the largest
 * mean tension of an element [N]. */
double haw_implicit_tension(const haw_model *model, const haw_cable *cable, const double *q);

/**
 * implicit->mass_work = M jump at implicit->q; of ropes h times the inertia forces with the
 * velocities u and the accelerations jump / h [N s]. Scales `jump`.
 */
void haw_implicit_momentum(haw_simulation *simulation, const double *u, double *jump);

/** Fastest end of an element, in space or along the rope [m/s]. */
double haw_implicit_rope_speed(const haw_cable *cable, const double *u);

/**
 * Largest turn or stretch of an element of a rope and largest move of its ends and of the rims of
 * its sheaves in implicit->direction, over what a step may have: `change` of an element's length,
 * `move` [m].
 */
double haw_implicit_rope_excess(const haw_simulation *simulation, const haw_cable *cable,
                                double change, double move);

/** Move the meshes of all ropes to the tangent points of q. @return largest way of a node over its
 * element, INFINITY: no memory */
double haw_implicit_rope_recentre(const haw_model *model, double *q);

/**
 * Work on dq of the reactions of given labels, the mesh forces: what the discretisation leaves of a
 * force that would be zero for the exact motion, whose mesh may move at will [J].
 * @param reaction  [dofs], read where there is no equation
 */
double haw_implicit_mesh_work(const haw_implicit *implicit, const double *reaction,
                              const double *dq);

/** True if a rope of the model lies over this body or ends on it. */
bool haw_implicit_has_rope(const haw_model *model, int body);

#endif
