/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of the forces of one closed point, shared by the files of the tangent. */
#ifndef HAWSER_CONTACT_COMPLIANT_TANGENT_H
#define HAWSER_CONTACT_COMPLIANT_TANGENT_H

#include "contact/compliant_internal.h"

/*
 * Derivatives to the knots a and b of a closed point (relative to the centre of the body) and to
 * the body's angle. Entries without suffix are d/dp + rate d/dv, entries _v are d/dv.
 */
typedef struct haw_touch_gradient {
    int ends;                                /* 1: points of the curve, 2: chords */
    double weight[2];                        /* 1 - rho, rho */
    double rho[2][2];                        /* of rho; no part in v */
    double normal[2][2], normal_v[2][2];     /* of f_N */
    double friction[2][2], friction_v[2][2]; /* of f_T */
    double turn[2][2];                       /* of the angle eps of dn = eps t */
    double arm_n[2][2], arm_t[2][2];
    double angle_normal, angle_friction, angle_turn, angle_arm_n, angle_arm_t;
} haw_touch_gradient;

/** Gradient of a closed point from its knots and laws. @param spin  omega of the body */
void haw_touch_differentiate(const haw_compliant_pair *pair, const haw_touch *touch,
                             const haw_knot *knots, double spin, double rate,
                             haw_touch_gradient *gradient);

/** Add the derivatives of the forces at the knots of a closed point; corner: dtau/dphi. */
void haw_touch_gather(const haw_compliant_pair *pair, const haw_touch *touch, const haw_knot *knots,
                      const haw_touch_gradient *gradient, haw_knot_block *block, double *corner);

#endif
