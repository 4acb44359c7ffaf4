/* SPDX-License-Identifier: BSD-3-Clause */
/* A random spatial cable of any element kind, for properties that hold for every row. */
#ifndef HAWSER_TESTS_SPACE_TRIAL_H
#define HAWSER_TESTS_SPACE_TRIAL_H

#include "element/space.h"
#include "support/near.h"

enum {
    SPACE_ELEMENTS = 3,
    SPACE_NODES = SPACE_ELEMENTS + 1,
    SPACE_SEEDS = 12,
    SPACE_U = 9 * SPACE_ELEMENTS + 3, /* of the kind that has most; others leave zeros behind */
    SPACE_Q = SPACE_U
};

typedef struct space_trial {
    uint64_t seed, random;
    haw_beam beam;
    double q[SPACE_Q], u[SPACE_U];
    double natural[SPACE_ELEMENTS * HAW_STRAINS];
} space_trial;

/* |got - want| <= tolerance; says which kind and seed it was. */
void space_near(const space_trial *t, const char *what, const double pair[2], double tolerance);

#define SPACE_NEAR(t, what, got, want, tolerance)                                                  \
    space_near(t, what, (const double[2]){got, want}, tolerance)

/** Shear springs on chords have the flexibility of a cubic in series, L^2 / (12 EI). */
double space_stiffness(const haw_beam *beam, int i);

double space_uniform(space_trial *t, double low, double high);

/* A helix about a tilted axis: turn and rise per length, its frame that of the tangent. */
typedef struct space_helix {
    double pose[4], origin[3], radius, rate, rise;
} space_helix;

void space_curve(const void *user, double xi, haw_section *section);

void space_move(const haw_beam *beam, const double *q, const double *d, double *to);

/** A helix that turns by up to 1.2 per element, disturbed node by node; stiff in all strains. */
space_trial space_trial_make(const haw_space_ops *ops, uint64_t seed);

typedef void (*space_check)(space_trial *t);

/** Run a check on every kind with every seed, straight and curved reference in turns. */
void space_all(space_check check);

/* All forces that the tangent is of. */
void space_forces(const haw_beam *beam, const double *q, const double *u, double *f);

/** Sum of the element tangents: k [SPACE_U * SPACE_U]. */
void space_tangent(const haw_beam *beam, const double *q, const double *u, double rate, double *k);

/** Velocities of a rigid motion: velocity at the origin and angular velocity, inertial. */
void space_rigid(const haw_beam *beam, const double *q, const double motion[6], double *u);

/** q turned by a rotation about the origin, then shifted. */
void space_turn(const haw_beam *beam, const double *q, const double pose[4], const double shift[3],
                double *to);

#endif
