/* SPDX-License-Identifier: BSD-3-Clause */
/* Moreau-Jean: what its two contact laws share with each other and with nsga. */
#ifndef HAWSER_STEPPER_MOREAU_JEAN_H
#define HAWSER_STEPPER_MOREAU_JEAN_H

#include "stepper/implicit.h"

/* What the laws of contact are asked of. */
typedef enum haw_jean_law { HAW_JEAN_AUTO, HAW_JEAN_VELOCITY, HAW_JEAN_POSITION } haw_jean_law;

typedef struct haw_jean_options {
    haw_stepper_common common;
    double theta;
    double newton_tolerance;
    int max_newton;
    int contact_law; /* haw_jean_law */
} haw_jean_options;

/* One step on its way. */
typedef struct haw_jean_step {
    haw_simulation *simulation;
    double h, theta;
    double tolerance; /* of the residual impulse, relative */
    int max_newton;
    double norm;      /* of the residual impulse, 2-norm */
    double reference; /* impulse that it is compared with */
} haw_jean_step;

/* Beginning of the workspace of a run: what both contact laws have. */
typedef struct haw_jean {
    haw_jean_step step;
} haw_jean;

/* Steps with either contact law; `prepare` of the row makes one of them simulation->ops. */
extern const haw_stepper_ops haw_jean_velocity, haw_jean_position;

/** A new step of simulation->method with the options of the run, and the noise of its residual. */
haw_jean_step *haw_jean_begin(haw_simulation *simulation);

/** The step of simulation->method. */
haw_jean_step *haw_jean_get(const haw_simulation *simulation);

/** @param passes  what was counted @return ERR_UNCONVERGED with a message */
haw_status haw_jean_missed(const haw_jean_step *step, const char *passes, int count);

/** simulation->balance from a step that is solved or missed. */
void haw_jean_end(const haw_jean_step *step);

/** Largest impulse at hand: of elastic forces with the reactions of held ends, of given forces and
 * of contacts, or the momentum itself. */
void haw_jean_find_reference(haw_jean_step *step, const haw_forces *force);

/** Norm of the residual impulse that is small enough [N s]. */
double haw_jean_tolerance(const haw_jean_step *step);

/** u_mean = (u + u+) / 2 of the simulation. */
void haw_jean_mean(haw_simulation *simulation);

/** Impulses of the prescribed motions into simulation->reaction. @return their work on u_mean [J]
 */
double haw_jean_react(haw_simulation *simulation);

#endif
