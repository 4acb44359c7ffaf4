/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the stepper nsga share: smooth motion, its two corrections, the ledger. */
#ifndef HAWSER_STEPPER_NSGA_H
#define HAWSER_STEPPER_NSGA_H

#include "stepper/generalized_alpha.h"
#include "stepper/moreau_jean.h"
#include "stepper/space_stage.h"

typedef enum haw_friction_level {
    HAW_FRICTION_POSITION, /* and velocity */
    HAW_FRICTION_VELOCITY
} haw_friction_level;

typedef struct haw_nsga_options {
    haw_stepper_common common;
    double rho_infinity;
    double newton_tolerance;
    int max_newton;
    int friction_level; /* haw_friction_level */
} haw_nsga_options;

/* Workspace of a run, simulation->space. */
typedef struct haw_nsga {
    haw_arena arena;      /* first: haw_space_stage_own */
    haw_force_set smooth; /* at q~, v~ */
    double *q_smooth;     /* q~ [coordinates] */
    double *v_smooth;     /* v~ [dofs] */
    double *increment;    /* that moves q to q~ [dofs] */
    double *jump;         /* U, that moves q~ to q+ [dofs] */
    double *corrected;    /* M c_C U - H P_q: momentum of the position problem [dofs] */
    double *shift;        /* [3 contacts] velocities of the contact problem at the iterate */
    double *last;         /* displacement of the last step [dofs] */
    double last_h;        /* its length, 0: none [s] */
    double margin;        /* of the detection in this step [m] */
} haw_nsga;

/* One step on its way. */
typedef struct haw_nsga_step {
    haw_alpha_step alpha; /* coefficients: mass c_M, rate c_C */
    haw_jean_step judged; /* residual impulse, its reference and tolerance */
    haw_nsga *nsga;
    const haw_nsga_options *options;
    double part;       /* c_C / c_M: impulse of a unit of the multiplier nu [s] */
    bool is_corrected; /* contacts have changed q~, v~ */
} haw_nsga_step;

/* nsga_smooth.c */

/** q~, v~, a+ and the accelerations without contact. @return ERR_UNCONVERGED */
HAW_NODISCARD haw_status haw_nsga_smooth(haw_nsga_step *step);

/** Part of a Newton step, increments = scale direction, by which no section turns too far. */
double haw_nsga_limit(int n, double scale, const double *direction);

/** Largest impulse at hand: what residuals are compared with. */
void haw_nsga_find_reference(haw_nsga_step *step);

/* nsga_contact.c */

/** q+ in implicit->q and U, with the impulses in contacts->impulse. @return ERR_UNCONVERGED */
HAW_NODISCARD haw_status haw_nsga_correct_position(haw_nsga_step *step);

/** v+ in simulation->u_plus and the impulses of the step. @return ERR_UNCONVERGED */
HAW_NODISCARD haw_status haw_nsga_correct_velocity(haw_nsga_step *step);

/** Forces at q+, v+ into implicit->now; accelerations and a+ are those of these forces. */
HAW_NODISCARD haw_status haw_nsga_correct_acceleration(haw_nsga_step *step);

/* nsga_ledger.c */

/** Book the step that ends at q+, v+ with the forces there in implicit->now. */
void haw_nsga_book(haw_nsga_step *step, haw_energy energy, double kinetic);

#endif
