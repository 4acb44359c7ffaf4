/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Given forces and moments in space, on body centres and on material points of cables, and the
 * tensions that pull cable ends. With dx/dt = jx u and the inertial angular velocity w = jw u of
 * the place they act on,
 *
 *     f = jx' F + jw' M,
 *
 * so that a dead moment M becomes R' M over a body-frame angular velocity. What follows has
 * constant components in the frame of the section or body: F = R F_b, M = R M_b.
 */
#ifndef HAWSER_MODEL_SPACE_LOAD_H
#define HAWSER_MODEL_SPACE_LOAD_H

#include "model/dynamics.h"
#include "model/system.h"

/** f [dofs] += loads and end tensions at time t. */
void haw_space_loads_apply(const haw_model *model, double t, const double *q, double *f);

/** Matrix += tangent of -f of the loads and end tensions at the system's time and part of the
 * loads. Between the nodes of an SE(3) beam the change of jx and jw is left out. */
void haw_space_loads_tangent(haw_system *system, const double *q);

#endif
