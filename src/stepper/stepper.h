/* SPDX-License-Identifier: BSD-3-Clause */
/* What a time-stepper answers; one row per stepper in table.c. */
#ifndef HAWSER_STEPPER_STEPPER_H
#define HAWSER_STEPPER_STEPPER_H

#include <hawser/stepper.h>

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
    HAW_STEPPER_QUASI_STATIC = 1 << 11  /* the run is a path of equilibria */
} haw_stepper_flag;

struct haw_stepper_ops {
    haw_row row;
    unsigned flags; /* of haw_stepper_flag */
    int order;      /* promised order in smooth phases; the generic test measures it */
    /** Check the options against the model and make what the steps need. */
    haw_status (*prepare)(haw_simulation *simulation);
    /** One step of the simulation's state, its ledger and its certificate. */
    haw_status (*step)(haw_simulation *simulation);
    /** Complete contacts->problem of the last step for readers; NULL: it is complete. */
    haw_status (*complete_problem)(haw_simulation *simulation);
};

#endif
