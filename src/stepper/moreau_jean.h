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
    bool stays;          /* the iterate has the touches that the last step ended with */
    bool searches;       /* along the direction of the pass */
    double part;         /* of it that is gone */
    double t_before;     /* time that the last step led to; NAN: none has */
    haw_leaning *before; /* position: by contact id, of the touches at the start */
    haw_leaning *now;    /* and at the iterate */
} haw_jean;

/* Part of a penetration that is corrected in one step. */
static const double HAW_JEAN_CORRECTION = 0.2;

/* Gap of a closed point, over the margin of the detection: what the solver's tolerance leaves. */
static const double HAW_JEAN_CLOSED = 1e-6;

static inline const haw_jean_options *haw_jean_settings(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

static inline double haw_jean_theta(const haw_simulation *simulation)
{
    const haw_jean *jean = simulation->method;
    return jean->theta;
}

/* d(position) / d(u+) [s]. */
static inline double haw_jean_lever(const haw_simulation *simulation)
{
    return haw_jean_theta(simulation) * simulation->h;
}

/* d(gap + what the start of the next step takes of it) / d(h u+), one but where thetas differ. */
static inline double haw_jean_reach(const haw_simulation *simulation)
{
    return 1 + haw_jean_theta(simulation) - haw_jean_settings(simulation)->theta;
}

/* Law on positions: what it adds to the velocities of the touches listed, into pass->shift.
 * @param stays  the touches are those of the start of the step */
void haw_jean_end_shifts(const haw_simulation *simulation, bool stays);

/* Parts of the forces before and at the iterate in F. */
void haw_jean_parts(const haw_simulation *simulation, double part[2]);

/* The row's find_work. */
void haw_jean_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work);

#endif
