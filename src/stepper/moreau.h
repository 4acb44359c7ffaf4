/* SPDX-License-Identifier: BSD-3-Clause */
/* What the free motion and the ledger of Moreau's stepper share. */
#ifndef HAWSER_STEPPER_MOREAU_H
#define HAWSER_STEPPER_MOREAU_H

#include "stepper/implicit.h"

typedef struct haw_moreau_options {
    haw_stepper_common common;
    double theta;
    int gyro_iterations;
} haw_moreau_options;

const haw_moreau_options *haw_moreau_get(const haw_simulation *simulation);

/** y += factor alpha M v on every damped cable; uses work[1]. */
void haw_moreau_damp(haw_simulation *simulation, double factor, const double *v, double *y);

bool haw_moreau_has_moving_end(const haw_model *model);

/**
 * Book one step from u_plus, u_mean, force, push and q_mid; every term from its own forces, the
 * balance from the terms. Overwrites force, q_mid, u_free and work[1].
 *
 * @param energy, kinetic  of the new state [J]
 */
void haw_moreau_book(haw_simulation *simulation, haw_energy energy, double kinetic);

#endif
