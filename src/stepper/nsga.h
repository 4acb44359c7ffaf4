/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonsmooth generalized-alpha, nsga.c: its workspace, its starts, and the ledger of its steps. */
#ifndef HAWSER_STEPPER_NSGA_H
#define HAWSER_STEPPER_NSGA_H

#include "stepper/generalized_alpha.h"
#include "stepper/lean.h"

/* Workspace of a run, and the step on its way. */
typedef struct haw_nsga {
    haw_alpha_step alpha; /* coefficients: mass c_M, rate c_C */
    const haw_alpha_options *options;
    double part;        /* c_C / c_M: impulse of a unit of the multiplier nu [s] */
    bool is_parted;     /* what is borne is known by its parts, force */
    bool is_touched;    /* contacts take part, or did where the step starts */
    double *borne;      /* H lambda in the accelerations of the state [dofs] */
    double *bears;      /* and of its end [dofs] */
    double *force;      /* lambda of the state by contact id [rows] */
    double *found;      /* and of its end [rows] */
    double *increment;  /* that moves q to the iterate [dofs] */
    double *positioned; /* -H P_q, of the position problem; then less (c_C / c_M) C w [dofs] */
    double *leaving;    /* impulse of lambda that P does not replace, of what opens [dofs] */
    double *given;      /* G mu of the velocity problem, and mu [dofs] */
    double *lambda;     /* of joints in the smooth motion before the step, as a tail [dofs] */
    double *next;       /* after it: G lambda, and lambda [dofs] */
    double *last[2];    /* displacements of the last two steps, the later one first; after hard
                           contacts alone, with joints, or of another length, twice the same */
    double *rest;       /* zeros [dofs] */

    double last_h;       /* their length, 0: none [s] */
    double margin;       /* of the detection in this step [m] */
    haw_leaning *before; /* by contact id, of the touches at the start */
    haw_leaning *now;    /* and of those of the velocities */
    haw_touch *ends;     /* these with their rows at the end, of the step at hand */
} haw_nsga;

/** Accelerations, forces and normals of a state that this run has not made. @return ERR_SINGULAR,
 * ERR_NOMEM, ERR_DIVERGED */
HAW_NODISCARD haw_status haw_nsga_start(haw_nsga *nsga);

/** force = G lambda with the rows in implicit->hold; lambda the tail of u [dofs]. */
void haw_nsga_push_joints(const haw_simulation *simulation, const double *u, double *force);

/** No friction on positions with friction_level: velocity. */
void haw_nsga_choose_friction(const haw_nsga *nsga);

/** Of its row in the steppers' table; simulation->method is a haw_nsga. */
void haw_nsga_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work);

#endif
