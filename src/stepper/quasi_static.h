/* SPDX-License-Identifier: BSD-3-Clause */
/* Quasi-static paths: what their steps share, whatever the laws of contact are. */
#ifndef HAWSER_STEPPER_QUASI_STATIC_H
#define HAWSER_STEPPER_QUASI_STATIC_H

#include "statics/statics.h"
#include "stepper/generalized_alpha.h"

#define HAW_PATH_SIGMA 1e-9 /* of that with which an equilibrium is sought from far away */

enum { HAW_PATH_PURSUIT = 10 }; /* iterations from far away over those of Newton's method */

/** The iterate with the free velocities of implicit->u; prescribed ones are their mean over the
 * step. */
void haw_path_place(const haw_alpha_step *step);

/** Velocities in implicit->u that a step begins with: those of the last one, or rest. */
void haw_path_set_out(const haw_alpha_step *step);

/** Whether no element of a taut cable is folded upon itself. @return ERR_UNCONVERGED */
HAW_NODISCARD haw_status haw_path_unfolded(const haw_alpha_step *step);

/**
 * A step from the velocities of one in which what is held goes a small part of its way: an end that
 * is pushed back then takes with it what is behind it.
 *
 * @param solve  from the free velocities in implicit->u
 */
HAW_NODISCARD haw_status haw_path_lead(haw_alpha_step *step,
                                       haw_status (*solve)(haw_alpha_step *step));

/** A step without set-valued contact (path.c). @return ERR_UNCONVERGED */
HAW_NODISCARD haw_status haw_path_attempt(haw_alpha_step *step);

/** haw_alpha_step.settle of such a step. */
HAW_NODISCARD haw_status haw_path_settle(haw_alpha_step *step);

#endif
