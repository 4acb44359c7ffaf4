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

/** A step without set-valued contact (path.c). @return ERR_UNCONVERGED */
HAW_NODISCARD haw_status haw_path_attempt(haw_alpha_step *step);

/** haw_alpha_step.settle of such a step. */
HAW_NODISCARD haw_status haw_path_settle(haw_alpha_step *step);

#endif
