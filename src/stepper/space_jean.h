/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the stepper moreau-jean in space share. */
#ifndef HAWSER_STEPPER_SPACE_JEAN_H
#define HAWSER_STEPPER_SPACE_JEAN_H

#include "stepper/moreau_jean.h"
#include "stepper/space_stage.h"

/* Workspace of a run, simulation->space. */
typedef struct haw_space_jean {
    haw_arena arena;   /* first: haw_space_stage_own */
    double *q_plus;    /* [coordinates] of the iterate */
    double *increment; /* [dofs] that moves q to it */
    double *middle;    /* [coordinates] q + h u / 2: where restitution looks for closed points */
    double *shift;     /* [3 contacts] velocities of the contact problem at the iterate */
    double margin;     /* of the detection in this step [m] */
    int lost;          /* passes in a row whose contact problem missed its tolerance */
    double t_before;   /* time of implicit->before */
} haw_space_jean;

/* space_jean_contact.c */

/** Contacts at q+ and their shifts. */
haw_status haw_space_jean_detect(haw_jean_step *step);

/** Matrix += what the turning of normals and tangents adds. */
void haw_space_jean_turn(haw_jean_step *step);

/* space_jean_ledger.c */

/** Book the step that ends at q+, u+ with the contacts there. */
void haw_space_jean_book(haw_jean_step *step, haw_energy energy, double kinetic);

#endif
