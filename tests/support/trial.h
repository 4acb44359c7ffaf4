/* SPDX-License-Identifier: BSD-3-Clause */
/* A random cable of any element kind, for properties that hold for every row of the table. */
#ifndef HAWSER_TESTS_TRIAL_H
#define HAWSER_TESTS_TRIAL_H

#include "support/finite.h"
#include "support/line.h"

enum { TRIAL_ELEMENTS = 3, TRIAL_SEEDS = 12, TRIAL_SAMPLES = 5, TRIAL_DOFS = FINITE_MAX };

typedef struct trial {
    uint64_t seed, random;
    haw_line line;
    double q[TRIAL_DOFS], u[TRIAL_DOFS];
    double natural[TRIAL_ELEMENTS * HAW_NATURAL_MAX];
} trial;

/* |got - want| <= atol + rtol |want|; says which kind and seed it was. */
void trial_near(const trial *t, const char *what, const double pair[2], double atol, double rtol);

#define TRIAL_NEAR(t, what, got, want, atol, rtol)                                                 \
    trial_near(t, what, (const double[2]){got, want}, atol, rtol)

double trial_uniform(trial *t, double low, double high);

/* x = origin + stretch xi e(direction) + a sine wave in each component. */
typedef struct trial_wave {
    double stretch, direction, origin[2], amplitude[2], rate[2], phase[2];
} trial_wave;

void trial_curve(const void *user, double xi, double x[2], double tangent[2], double *stretch);

/**
 * Points of the axial and of the bending strains [0, 1] of a stiff kind by its scheme.
 * @return  number of axial points, after which the bending points start in `natural`
 */
int trial_rules(const haw_line *line, haw_quadrature *axial, haw_quadrature *bending);

typedef void (*trial_check)(trial *t);

/** Run a check on the kinds with bending stiffness, all schemes, with every seed. */
void trial_stiff(trial_check check, double stretch);

/** Run a check on every kind of the table with every seed. */
void trial_all(trial_check check, double stretch);

/* Sample points k = 0 ... TRIAL_ELEMENTS TRIAL_SAMPLES - 1: element and local coordinate. */
double trial_sample(int k, int *element);

enum { TRIAL_ROWS = 2 * TRIAL_ELEMENTS * TRIAL_SAMPLES };

/** Positions x [TRIAL_ROWS] of all sample points, and their Jacobian j [TRIAL_ROWS * dofs]. */
void trial_points(const haw_line *line, const double *q, double *x, double *j);

/**
 * Rates u [dofs] that move the sample points with the velocities v [TRIAL_ROWS], which must be
 * velocities that the element can have: least squares without a residual.
 */
void trial_rates(const haw_line *line, const double *q, const double *v, double *u);

/** Rates of the rigid motion v + omega e_z x x. */
void trial_rigid(const haw_line *line, const double *q, const double motion[3], double *u);

#endif
