/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steady rotation of a sheave with a bed of bristles: they join the rope undeflected at the entry
 * and are carried through. phi is the angle from the entry, d the deflection of a bristle, t = k_t
 * d; the rope strains by T / EA*, so that d' = R (const -+ T / EA*) and, with T' = -+ R t,
 *     d'' = r^2 d, d(0) = 0,  r^2 = k_t R^2 / EA*
 * (upper signs: the sheave drives, entry at T2; lower: the rope drives, entry at T1). Hence
 *     t = t_s sinh(r phi) / sinh(r phi_s),  T = T_entry -+ (R t_s / r) (cosh(r phi) - 1) /
 *     sinh(r phi_s).
 * At phi_s a bristle breaks away, R t_s = mu_s T_s, and slips: T = T_s e^(-+ mu_k (phi - phi_s)).
 * r -> 0 is Firbank's theory, r -> infinity the creep theory.
 */
#ifndef HAWSER_THEORY_STEADY_H
#define HAWSER_THEORY_STEADY_H

#include "theory/rope.h"

typedef enum haw_steady_regime {
    HAW_STEADY_STICK,
    HAW_STEADY_SLIP,  /* from phi_s to the exit */
    HAW_STEADY_GRIPS, /* slip ends before the exit: braking on soft bristles only */
} haw_steady_regime;

typedef struct haw_steady {
    haw_rope_theory rope;
    haw_steady_regime regime;
    double stick;     /* phi_s, W without slip [rad] */
    double grip;      /* where the slip arc ends, W as a rule [rad] */
    double t_s;       /* tangential force per length at phi_s [N/m] */
    double tension_s; /* tension there [N] */
    double tension_g; /* tension at the end of the slip arc [N] */
} haw_steady;

/**
 * Solve for the arcs. rope.r may be 0.
 *
 * @return ERR_INPUT if friction cannot hold the tensions
 */
HAW_NODISCARD haw_status haw_steady_solve(haw_context *context, const haw_rope_theory *rope,
                                          haw_steady *steady);

/** Tension and tangential force; `steady` is a haw_steady. */
haw_rope_theory_point haw_steady_profile(const void *steady, double alpha);

double haw_steady_slip(const haw_steady *steady);   /* slip arc [rad] */
double haw_steady_t_exit(const haw_steady *steady); /* [N/m] */

/** int T dalpha, the sum of the contact forces [N] */
double haw_steady_tension_sum(const haw_steady *steady);

/** R int t dalpha [N] */
double haw_steady_tangential_sum(const haw_steady *steady);

/** (R omega - c) / R omega, c the unstrained length of rope per time; needs r > 0 */
double haw_steady_creep(const haw_steady *steady);

#endif
