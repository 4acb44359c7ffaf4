/* SPDX-License-Identifier: BSD-3-Clause */
/* moreau-jean: its options, for rows that are made of its steps, and what its files share. */
#ifndef HAWSER_STEPPER_MOREAU_JEAN_H
#define HAWSER_STEPPER_MOREAU_JEAN_H

#include "stepper/lean.h"
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

/* Workspace of a run. */
typedef struct haw_jean {
    bool at_end;         /* contact_law: position */
    double theta;        /* of this step */
    double *u_theta;     /* [dofs] of the iterate */
    double *increment;   /* [dofs] that moves q to the iterate, implicit->q */
    double *fixed;       /* velocity: [d count] what the law adds to gamma+ [m/s] */
    double *first;       /* velocity: [d count] gamma of the first iterate [m/s] */
    double margin;       /* of the detection in this step [m] */
    int lost;            /* passes in a row whose contact problem missed its tolerance */
    bool searches;       /* along the direction of the pass */
    double part;         /* of it that is gone */
    double t_before;     /* time that the last step led to; NAN: none has */
    haw_leaning *before; /* position: by contact id, of the touches at the start */
    haw_leaning *now;    /* and at the iterate */
} haw_jean;

/* Parts of the forces before and at the iterate in F. */
void haw_jean_parts(const haw_simulation *simulation, double part[2]);

/* The row's find_work. */
void haw_jean_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work);

#endif
