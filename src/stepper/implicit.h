/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton's method of an implicit step, shared by generalized-alpha, equilibria and moreau-jean: the
 * matrix, the forces by kind, and when to factorize anew.
 */
#ifndef HAWSER_STEPPER_IMPLICIT_H
#define HAWSER_STEPPER_IMPLICIT_H

#include "model/system.h"
#include "stepper/simulation.h"
#include "stepper/vector.h"

/* Generalized forces at one state, by what becomes of their work; [dofs] each. */
typedef struct haw_force_set {
    haw_forces model;   /* conservative, damping, load */
    double *normal;     /* of compliant contact */
    double *tangential; /* of compliant contact */
    double *total;      /* sum of all, tied */
} haw_force_set;

typedef struct haw_implicit {
    haw_system *system;
    haw_force_set now, before;    /* at the iterate, and at the start of the step */
    double *q, *u, *a;            /* iterate [dofs] */
    double *acceleration;         /* M^-1 f: true accelerations of the state [dofs] */
    double *residual;             /* [dofs] */
    double *mass_work;            /* [dofs] */
    double factor_h, factor_rate; /* of the matrix that is factorized, NAN: none */
    long age;                     /* iterations since the last factorization */
} haw_implicit;

HAW_NODISCARD haw_status haw_implicit_create(haw_simulation *simulation, const bool *held,
                                             haw_implicit **implicit);
void haw_implicit_free(haw_implicit *implicit);

/** All forces at (t, q, u), contacts included, into `set`; total is tied. */
HAW_NODISCARD haw_status haw_implicit_forces(haw_simulation *simulation, double t, double part,
                                             const double *q, const double *u, haw_force_set *set);

/** Assemble mass M + rate C + K at the last evaluation and factorize. @return ERR_SINGULAR */
HAW_NODISCARD haw_status haw_implicit_factor(haw_simulation *simulation, const double *q,
                                             const double *u, double mass, double rate);

#endif
