/* SPDX-License-Identifier: BSD-3-Clause */
/* Moreau-Jean: what its two contact laws share with each other and with nsga. */
#ifndef HAWSER_STEPPER_MOREAU_JEAN_H
#define HAWSER_STEPPER_MOREAU_JEAN_H

#include "stepper/implicit.h"

typedef struct haw_jean_options {
    haw_stepper_common common;
    double theta;
    double newton_tolerance;
    int max_newton;
} haw_jean_options;

/* Workspace of a run. */
typedef struct haw_jean {
    haw_context *context;
    haw_arena lasting; /* arrays of the run */
    haw_arena arena;   /* arrays of one step; keeps its memory */
    double *u_theta;   /* [dofs] */
    haw_global global;
    double *shift;    /* [2 contacts] what the law adds to gamma+ [m/s] */
    double *velocity; /* [2 contacts] of the solver: gamma+ + shift */
    double *unknown;  /* [equations] change of u+ */
    double *weight;   /* [points] trace(W_cc) / 2 of points seen with steps of weight_h, or 0 */
    double weight_h;
} haw_jean;

/* One step on its way. */
typedef struct haw_jean_step {
    haw_simulation *simulation;
    haw_jean *jean;
    double h, theta;
    double tolerance; /* of the residual impulse, relative */
    int max_newton;
    double norm;      /* of the residual impulse, 2-norm */
    double reference; /* impulse that it is compared with */
} haw_jean_step;

/** The step of length h with the options of the run. */
haw_jean_step haw_jean_begin(haw_simulation *simulation);

/** Norm of the residual impulse that is small enough [N s]. */
double haw_jean_tolerance(const haw_jean_step *step);

/** What becomes of a solved or missed step: HAW_OK to accept it, also where misses only warn. */
HAW_NODISCARD haw_status haw_jean_settle(const haw_jean_step *step, haw_status status);

/** Impulses of the prescribed motions into simulation->reaction. @return their work on u_mean [J]
 */
double haw_jean_react(haw_simulation *simulation);

/* ---- laws on positions (moreau_jean_position.c) ---- */

HAW_NODISCARD haw_status haw_jean_position_prepare(haw_simulation *simulation);
HAW_NODISCARD haw_status haw_jean_position_step(haw_simulation *simulation);

/** The matrix and the right-hand sides of contacts->problem at the end of the last step. */
HAW_NODISCARD haw_status haw_jean_position_problem(haw_simulation *simulation);

/** Matrix += what the turning of normals and tangents adds, with the impulses at hand. */
void haw_jean_turn(const haw_jean_step *step);

#endif
