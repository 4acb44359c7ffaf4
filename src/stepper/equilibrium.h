/* SPDX-License-Identifier: BSD-3-Clause */
/* What equilibria in the plane and in space share: the iterate of equilibrium.c and its moves. */
#ifndef HAWSER_STEPPER_EQUILIBRIUM_H
#define HAWSER_STEPPER_EQUILIBRIUM_H

#include "stepper/implicit.h"

typedef struct haw_equilibrium {
    haw_simulation *simulation;
    const haw_static_settings *settings;
    double gravity[3];         /* of the model [m/s^2] */
    double t, part;            /* time and part of the loads */
    double rate;               /* du / dq: 1 / h of a quasi-static step, 0 at rest */
    double sigma, sigma_first; /* of matrices, and the scale that it has far from equilibrium */
    double sigma_start;        /* of every load step */
    double residual;           /* largest unbalanced force [N] */
    double scale;              /* largest force [N] */
    double s;                  /* of the last step */
    int iterations;
} haw_equilibrium;

/** First sigma of an equilibrium at q, the scale of K / M of the softest modes [1/s^2]. */
double haw_equilibrium_sigma(const haw_model *model, const double *q);

/**
 * The part of the direction, at most 1, that turns no leg of a control polygon by more than half of
 * it, beyond which lines fold into equilibria of their own, and moves nothing by more than a part
 * of a radius, beyond which bodies pass through cables.
 */
double haw_equilibrium_longest(const haw_equilibrium *x);

/** Apply this part of gravity and of the given loads. */
void haw_equilibrium_load(haw_equilibrium *x, double part);

/** Forces at the iterate, and the residual. */
HAW_NODISCARD haw_status haw_equilibrium_evaluate(haw_equilibrium *x);

/** Solve (K + sigma M) d = f; *work = d . f. @return false where there is no such direction */
bool haw_equilibrium_direct(haw_equilibrium *x, double *work);

/** True if the residual is below tolerance times the largest force, or rounding. */
bool haw_equilibrium_is_balanced(haw_equilibrium *x, double tolerance);

/** Pseudo-transient iterations with line search from the present iterate. */
HAW_NODISCARD haw_status haw_equilibrium_balance(haw_equilibrium *x, double tolerance, bool *done);

/**
 * The same for the iterate of a quasi-static step at time t, from far away: its Newton's method has
 * failed.
 * @param rate  du / dq [1/s]
 */
HAW_NODISCARD haw_status haw_equilibrium_pursue(haw_simulation *simulation, double t, double rate,
                                                const haw_static_settings *settings, bool *done);

/* ---- spatial models (space_static.c) ---- */

/** Refuse an equilibrium that contact would have a part in. @return ERR_INPUT */
HAW_NODISCARD haw_status haw_space_static_check(haw_simulation *simulation);

/** implicit->q = simulation->q_mid moved by s times implicit->direction. */
void haw_space_static_move(haw_simulation *simulation, double s);

/** The part of the direction d [dofs] that a step may have, at most 1. */
double haw_space_static_limit(const haw_model *model, const double *d);

/** Time in which a stretching wave crosses the smallest element [s], INFINITY without a cable. */
double haw_space_static_time(const haw_model *model);

/** Equilibrium under all loads, in `load_steps` equal parts of them or smaller ones. */
HAW_NODISCARD haw_status haw_space_static_climb(haw_equilibrium *x, int load_steps,
                                                double slack_tolerance, bool *done);

#endif
