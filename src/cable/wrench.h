/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Forces and moments on what moves in space. With dx/dt = jx u and the inertial angular velocity
 * w = jw u of the place they act on,
 *
 *     f = jx' F + jw' M,
 *
 * so that a dead moment M becomes R' M over a body-frame angular velocity. What follows has
 * constant components in the frame of the section or body: F = R F_b, M = R M_b.
 */
#ifndef HAWSER_CABLE_WRENCH_H
#define HAWSER_CABLE_WRENCH_H

#include "cable/cable.h"

/* A place that forces act on, and the `width` velocities from `first` on that move it. */
typedef struct haw_grip {
    int first, width;
    haw_space_point at;
} haw_grip;

/** A wrench in inertial components, at the rotation of the grip. */
haw_wrench haw_grip_wrench(const haw_grip *grip, const haw_wrench *wrench);

/** f += generalized forces of a wrench in inertial components. */
void haw_grip_push(const haw_grip *grip, const haw_wrench *wrench, double *f);

/**
 * Derivative of their opposite, times `part`, into the sink. A force that follows turns: dF = w x
 * F, -d(jx' F) = jx' skew(F) jw. A dead moment does not while jw = R does: d(R' M) = skew(R' M)
 * dtheta; one that follows has constant components. The change of jx and jw between the nodes of an
 * element is left out.
 */
void haw_grip_tangent(const haw_grip *grip, const haw_wrench *wrench, double part,
                      haw_entry_sink add, void *user);

#endif
