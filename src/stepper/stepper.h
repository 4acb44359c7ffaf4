/* SPDX-License-Identifier: BSD-3-Clause */
/* What a time-stepper answers; one row per stepper in table.c. */
#ifndef HAWSER_STEPPER_STEPPER_H
#define HAWSER_STEPPER_STEPPER_H

#include "base/pack.h"
#include "model/dynamics.h"

#include <hawser/stepper.h>

#include <float.h>
#include <stddef.h>

/*
 * What a stepper is, and what of a model it takes. The guard (guard.c) compares these bits with the
 * model before the first step and names the steppers that take it; nothing else asks for a row.
 */
typedef enum haw_stepper_flag {
    HAW_STEPPER_PLANE = 1 << 0,         /* planar models */
    HAW_STEPPER_SPACE = 1 << 1,         /* spatial models */
    HAW_STEPPER_SET_VALUED = 1 << 2,    /* set-valued laws */
    HAW_STEPPER_COMPLIANT = 1 << 3,     /* compliant laws */
    HAW_STEPPER_MIXED = 1 << 4,         /* both in one model */
    HAW_STEPPER_SWITCHING = 1 << 5,     /* switching: post-newton */
    HAW_STEPPER_CLOSED = 1 << 6,        /* closed cables */
    HAW_STEPPER_LABELS = 1 << 7,        /* cables whose labels are coordinates: over sheaves */
    HAW_STEPPER_VARIABLE_MASS = 1 << 8, /* elements whose mass depends on the configuration */
    HAW_STEPPER_EXPLICIT = 1 << 9,      /* dampers act with the velocities before the step */
    HAW_STEPPER_STATIC = 1 << 10,       /* the run is one equilibrium */
    HAW_STEPPER_QUASI_STATIC = 1 << 11, /* the run is a path of equilibria */
    HAW_STEPPER_JOINTS = 1 << 12,       /* joints between bodies and cables */
    HAW_STEPPER_HARD_KNOTS = 1 << 13,   /* set-valued laws on cables whose mesh moves along them */
    HAW_STEPPER_MINIMA = 1 << 14,       /* gaps beside points, measured once all holds */
    HAW_STEPPER_LINES = 1 << 15,        /* set-valued laws between cables */
    /* what equilibria take, one or a path of them */
    HAW_STEPPER_REST = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED |
                       HAW_STEPPER_COMPLIANT | HAW_STEPPER_MIXED | HAW_STEPPER_SWITCHING |
                       HAW_STEPPER_CLOSED | HAW_STEPPER_LABELS | HAW_STEPPER_VARIABLE_MASS |
                       HAW_STEPPER_JOINTS | HAW_STEPPER_HARD_KNOTS | HAW_STEPPER_MINIMA |
                       HAW_STEPPER_LINES
} haw_stepper_flag;

/* Where a step ends; `a` and `vdot` NULL: the row has no accelerations. */
typedef struct haw_step_end {
    const double *q, *u;    /* [coordinates], [dofs] */
    const double *a, *vdot; /* [dofs] the two vectors in state->a */
    haw_energy energy;      /* [J], filled by haw_step */
    double kinetic;         /* [J], filled by haw_step */
} haw_step_end;

/* Work of the forces of a step by kind [J]. */
typedef struct haw_works {
    double conservative, damping, load, normal, tangential;
} haw_works;

/* What a row knows of the energy of its step [J], each from its own forces. */
typedef struct haw_step_work {
    haw_works of;            /* of the step's forces on its mean motion; gyroscopic: conservative */
    double reactions;        /* of prescribed motions, given labels of meshes included */
    double mesh;             /* of these labels: an error of the discretisation, no external work */
    double friction, impact; /* lost in set-valued contacts */
    double made;             /* by the algorithm itself, beside all forces */
} haw_step_work;

/* Residual of Newton's method in the last step, its first value and what it had to come below;
 * tolerance 0: the row does not iterate. */
typedef struct haw_balance {
    double norm, reference, tolerance;
} haw_balance;

/* The rows of haw_stepper_common in the options of a row that takes them as they come. */
/* clang-format off */
#define HAW_STEPPER_OPTIONS(preset)                                                                \
    {"step", HAW_OPTION_REAL, offsetof(haw_stepper_common, step), preset, DBL_MIN, DBL_MAX, "s",   \
     "time step", NULL},                                                                           \
    {"end", HAW_OPTION_REAL, offsetof(haw_stepper_common, end), 1, 0, DBL_MAX, "s",                \
     "end of the run", NULL}

/* clang-format on */

/* A row whose steps are taken in place of another's. */
typedef struct haw_stepper_deputy {
    const haw_stepper_ops *row;
    void (*adopt)(void *options); /* its options from those of the other; NULL: they are the same */
} haw_stepper_deputy;

struct haw_stepper_ops {
    haw_row row;    /* options: the struct begins with haw_stepper_common and fits into
                       haw_stepper_settings */
    unsigned flags; /* of haw_stepper_flag */
    int order;      /* promised order in smooth phases; the generic test measures it */
    const haw_stepper_deputy *nonsmooth; /* where a model has set-valued laws the first of these
                                            that takes it steps; ends with a NULL row; NULL: none
                                            but this one */
    /** Check the options against the model, choose another step than theirs, make
     * simulation->method and what else the steps need. */
    haw_status (*prepare)(haw_simulation *simulation);

    /* One step (haw_step), from the state of the simulation over simulation->h. */

    /** The free motion, or the iterate that Newton's method starts from. */
    haw_status (*predict)(haw_simulation *simulation);
    /** Closed points and their rows; NULL: they follow the iterate, and `solve` finds them. */
    haw_status (*detect)(haw_simulation *simulation);
    /** Impulses and the motion that they belong to; report and balance of the simulation.
     * @return ERR_UNCONVERGED with a message where a tolerance was missed */
    haw_status (*solve)(haw_simulation *simulation);
    /** Where the step ends, and its contacts there. */
    haw_status (*close)(haw_simulation *simulation, haw_step_end *end);
    /** Work of the step, reactions of prescribed motions into simulation->reaction. */
    void (*find_work)(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work);
    /** After the state has moved on; NULL: nothing to do. */
    void (*turn_over)(haw_simulation *simulation);
    /** Between two steps, before forces and drives from outside change: see to it that `before` is
     * of those that acted, or that it is found anew; NULL: the row has none. */
    haw_status (*settle)(haw_simulation *simulation);
    /** What the row's workspace carries to the next step; NULL: the state is all. */
    void (*carry)(haw_simulation *simulation, haw_pack *pack);
    /** Instead of all these, for a row that makes no steps in time. */
    haw_status (*step)(haw_simulation *simulation);

    /** Complete contacts->problem of the last step for readers; NULL: it is complete. */
    haw_status (*complete_problem)(haw_simulation *simulation);
};

#endif
