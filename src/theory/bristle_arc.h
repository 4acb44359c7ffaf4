/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bristles between a rope and a sheave at rest. The bed is laid at a uniform tension T0 with no
 * deflection, then the tensions at both ends grow in proportion. On the adherence arc t = k_t u
 * with the displacement u of the rope, u' = R (T - T0) / EA*, and T' = R t, so that T'' = r^2 (T -
 * T0),  r^2 = k_t R^2 / EA*,  T = T0 + T_I e^(r alpha) + T_II e^(-r alpha), bounded by |T'| <= mu
 * T. A slip arc at the low end, at the high end or at both has |T'| = mu T.
 */
#ifndef HAWSER_THEORY_BRISTLE_ARC_H
#define HAWSER_THEORY_BRISTLE_ARC_H

#include "theory/rope.h"

typedef struct haw_bristle {
    haw_rope_theory rope;
    double t0;                        /* tension at which the bristles were laid [N] */
    double low, high;                 /* bounds of the adherence arc [rad] */
    double tension_low, tension_high; /* tensions there [N] */
    double sign_low, sign_high;       /* of t on the slip arcs at the ends, 0: no slip */
} haw_bristle;

/** Solve for the adherence arc; mu is rope.mu_s. @return ERR_INPUT if friction cannot hold */
HAW_NODISCARD haw_status haw_bristle_solve(haw_context *context, const haw_rope_theory *rope,
                                           double t0, haw_bristle *bristle);

/** Tension and tangential force; `bristle` is a haw_bristle. */
haw_rope_theory_point haw_bristle_profile(const void *bristle, double alpha);

/** Smallest tension of the whole arc [N] */
double haw_bristle_tension_min(const haw_bristle *bristle);

/** T_I and T_II [N]; infinite where they are no numbers */
void haw_bristle_constants(const haw_bristle *bristle, double constant[2]);

/** int T dalpha, the sum of the contact forces [N] */
double haw_bristle_tension_sum(const haw_bristle *bristle);

/** R int t dalpha [N] */
double haw_bristle_tangential_sum(const haw_bristle *bristle);

#endif
