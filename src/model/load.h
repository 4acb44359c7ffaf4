/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Given forces and springs, on body centres and on material points of cables, whose rows know what
 * a moment does to them. A spring pulls with k (d - l d/|d|) + c (d/dt d . d) d / |d|^2 along d
 * from its first foot to its second, one of length zero with k d + c d/dt d.
 */
#ifndef HAWSER_MODEL_LOAD_H
#define HAWSER_MODEL_LOAD_H

#include "model/dynamics.h"
#include "model/system.h"

/* Most degrees of freedom that a spring acts on. */
enum { HAW_SPRING_DOFS = 4 * HAW_HULL_MAX };

/** Degrees of freedom that a spring acts on into dof [HAW_SPRING_DOFS]. @return their number */
int haw_spring_dofs(const haw_model *model, const haw_spring *spring, int *dof);

/** f [dofs] += forces and moments of the loads at time t; not tied. */
void haw_loads_apply(const haw_model *model, double t, const double *q, double *f);

/** conservative, damping [dofs] += forces of the springs; not tied. */
void haw_springs_apply(const haw_model *model, const double *q, const double *u,
                       const haw_forces *forces);

/** Matrix += tangent of -f of what depends on q at the system's time and part of the loads. */
void haw_loads_tangent(haw_system *system, const double *q);

/** Matrix += d(-f)/dq + rate d(-f)/du of the springs at (q, u). */
void haw_springs_tangent(haw_system *system, const double *q, const double *u, double rate);

#endif
