/* SPDX-License-Identifier: BSD-3-Clause */
/* Ropes over one sheave, and an explicit integrator of a rope whose labels are given functions of
 * time: the test's own, to judge elements and mesh motion without any stepper. */
#ifndef HAWSER_TESTS_ROPE_RIG_H
#define HAWSER_TESTS_ROPE_RIG_H

#include "cable/reeving.h"
#include "linalg/lu.h"
#include "model/dynamics.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rope over a fixed sheave: its first `bodies` bodies are the sheave and what hangs on the ends.
 */
typedef struct rope_case {
    haw_body_spec body[3];
    haw_reeving_spec reeving;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_scene scene;
} rope_case;

/** A fixed sheave of radius 1 m and an ale rope between two places at the origin, EA = 1e4 N,
 * 0.1 kg/m, with the sheave to its right; no contact, no gravity. */
void rope_case_init(rope_case *c);

/* ---- explicit integration ---- */

typedef struct rope_rig {
    haw_context *context;
    haw_model *model;
    haw_state *state;
    haw_arena arena;
    haw_lu *lu;
    int unknowns;
    int *dof; /* [unknowns] */
    double *f, *d, *a, *x, *start[2], *sum[2];
    /** Label, its rate and second rate of mesh node i at time t. */
    void (*mesh)(const struct rope_rig *r, int i, double t, double s[3]);
    double *drawn; /* [labels] labels at the start */
} rope_rig;

const haw_rope *rope_rig_rope(const rope_rig *r);

/** Build; all dofs of the rope that are not held are unknown, bodies are held. */
void rope_rig_open(rope_rig *r, const rope_case *c);

void rope_rig_close(rope_rig *r);

/* Labels and their rates at time t; second rates into a [dofs], which is 0 elsewhere. */
void rope_rig_set_mesh(rope_rig *r, double t);

/** A step of the classical Runge-Kutta method. */
void rope_rig_step(rope_rig *r, double h);

double rope_rig_energy(const rope_rig *r);

/** Place of the material point with label s. */
void rope_rig_place(const rope_rig *r, double s, double x[2]);

#endif
