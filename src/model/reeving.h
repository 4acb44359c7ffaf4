/* SPDX-License-Identifier: BSD-3-Clause */
/* Straight tangents between circles, and what builds a rope from its list of sheaves. */
#ifndef HAWSER_MODEL_REEVING_H
#define HAWSER_MODEL_REEVING_H

#include "model/rope.h"

/* A sheave, or an end of a rope with radius 0. */
typedef struct haw_reeving_circle {
    double x[2];   /* centre [m] */
    double radius; /* [m] */
    int turn;      /* as in haw_rope_arc */
} haw_reeving_circle;

/**
 * Line from one circle to the next that leaves each on the side of its turn.
 * @param along  out: unit vector
 * @return       its length [m]; NAN: there is none
 */
double haw_reeving_line(const haw_reeving_circle *from, const haw_reeving_circle *to,
                        double along[2]);

/** Angle of a sheave's outward normal where a line along this unit vector touches it [rad]. */
double haw_reeving_angle(int turn, const double along[2]);

/** Check a rope's own keys and build cable->rope; cable->line gets its counts and material. */
HAW_NODISCARD haw_status haw_build_rope(haw_model *model, const haw_cable_spec *spec,
                                        haw_cable *cable);

/** Keys of a rope that mean nothing for it, and material, are refused with their place. */
HAW_NODISCARD haw_status haw_reeving_check(haw_model *model, const haw_cable_spec *spec);

/**
 * Unstrained length, labels of the tangent points, overflow, elements of each sheave; the angles as
 * drawn are known.
 * @param span  [arcs + 1] lengths of the straight lines [m]
 */
HAW_NODISCARD haw_status haw_reeving_measure(haw_model *model, const haw_cable_spec *spec,
                                             const double *span, haw_rope *rope);

/** Knots of a pair of a rope and one of its sheaves; cable, body and law are known. */
HAW_NODISCARD haw_status haw_reeving_pair(haw_model *model, const haw_contact_spec *spec,
                                          haw_pair *pair);

/** Log the sheaves that no contact pair joins with their rope. */
void haw_reeving_warn(const haw_model *model);

#endif
