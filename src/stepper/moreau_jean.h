/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the stepper moreau-jean share. */
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

haw_status haw_jean_create(haw_simulation *simulation);

/** The step of length h with the options of the run. */
haw_jean_step haw_jean_begin(haw_simulation *simulation);

/**
 * Solve a step: u+ in simulation->u_plus, impulses in contacts->impulse, H Lambda in push; the
 * forces at the last iterate in implicit->now and M (u+ - u) - h f - H Lambda in
 * implicit->residual.
 * @return ERR_UNCONVERGED where the residual or the contact problem missed its tolerance
 */
haw_status haw_jean_solve(haw_jean_step *step);

/** q+ = q + h ((1 - theta) u + theta u+) into simulation->work[0]. */
void haw_jean_move(const haw_jean_step *step);

/** u+ as the velocity at the start, prescribed ones as at the end; no impulses. */
void haw_jean_predict(const haw_jean_step *step);

/** Forces and residual impulse at the iterate. */
haw_status haw_jean_evaluate(haw_jean_step *step);

/** Norm of the residual impulse that is small enough [N s]. */
double haw_jean_tolerance(const haw_jean_step *step);

/** @return ERR_DIVERGED if the energies of the end are not finite */
haw_status haw_jean_check_finite(const haw_simulation *simulation, double total);

/** What becomes of a solved or missed step: HAW_OK to accept it, also where misses only warn. */
haw_status haw_jean_settle(const haw_jean_step *step, haw_status status);

/* moreau_jean_contact.c */

/** Points that may touch in this step, their rows at its middle and what the law adds. */
haw_status haw_jean_detect(haw_jean_step *step);

/* moreau_jean_solve.c */

/** Right-hand side of the contact velocities at the iterate: global.w = H^T u+ + shift. */
void haw_jean_set_velocities(haw_jean_step *step);

/**
 * Contact problem of the linearised step by Newton's method in the band of the mechanics, whose
 * matrix is factorized: impulses from contacts->impulse on, v [dofs] = A^-1 (right + H Lambda).
 * Leaves the entries of the matrix as they were, but not their factors.
 *
 * @param met  out: false if the tolerance was missed
 */
haw_status haw_jean_newton(haw_jean_step *step, const double *right, double *v, bool *met);

/**
 * Solve the contact problem of the linearised step with the solver of the run, and let the referee
 * judge: u+ is the iterate, `right` = h f - M (u+ - u) [dofs], A = (theta h)^2 times the matrix of
 * implicit->system.
 */
haw_status haw_jean_solve_contacts(haw_jean_step *step, const double *right);

/** push = H Lambda, tied. */
void haw_jean_push(haw_jean_step *step);

/* moreau_jean_ledger.c */

/** Impulses of the prescribed motions into simulation->reaction, in the plane and in space. @return
 * their work on u_mean [J] */
double haw_jean_react(haw_simulation *simulation);

void haw_jean_book(haw_jean_step *step, haw_energy energy, double kinetic);

#endif
