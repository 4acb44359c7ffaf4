/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of moreau-jean, for rows that are made of its steps. */
#ifndef HAWSER_STEPPER_MOREAU_JEAN_H
#define HAWSER_STEPPER_MOREAU_JEAN_H

#include "stepper/simulation.h"

/* What the laws of contact are asked of. */
typedef enum haw_jean_law { HAW_JEAN_AUTO, HAW_JEAN_VELOCITY, HAW_JEAN_POSITION } haw_jean_law;

typedef struct haw_jean_options {
    haw_stepper_common common;
    double theta;
    double newton_tolerance;
    int max_newton;
    int contact_law; /* haw_jean_law */
} haw_jean_options;

#endif
