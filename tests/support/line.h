/* SPDX-License-Identifier: BSD-3-Clause */
/* Small cables for the tests of the element kinds, and checks that hold for every kind. */
#ifndef HAWSER_TESTS_LINE_H
#define HAWSER_TESTS_LINE_H

#include "element/element.h"
#include "support/near.h"

#include <lapacke.h>

enum { LINE_MAX = 200 }; /* degrees of freedom of the dense assembly */

/** Cable of unstrained length `length`, EA 4e4 N, 0.1 kg/m, no gravity. */
haw_line line_make(const char *kind, int elements, double length);

/* x = stretch xi (cos, sin) of a fixed direction; user: [stretch, cos, sin]. */
void line_straight(const void *user, double xi, double x[2], double t[2], double *stretch);

/* x = 1.02 xi + 0.01 sin 5 xi, y = 0.1 sin 3 xi: stretched and curved. */
void line_wavy(const void *user, double xi, double x[2], double t[2], double *stretch);

void line_energy_function(const void *user, const double *q, double *v);

void line_force_function(const void *user, const double *q, double *f);

/** K [n * n] of the whole cable. */
void line_stiffness(const haw_line *line, const double *q, bool clip, double *k);

/** M [n * n] of the whole cable, its copies spread out. */
void line_mass(const haw_line *line, const double *q, double *mass);

/** The force is minus the gradient of the energy, the tangent minus that of the force. */
void line_check_derivatives(const haw_line *line, const double *q, double h);

void line_check_position(const haw_line *line, const double *q, double h);

/**
 * M against the integral of rho J'J, J from `position`, with the exact rule of 4 points; and the
 * kinetic energy against u'M u / 2.
 */
void line_check_mass(const haw_line *line, const double *q, const double *u);

/** Ascending eigenvalues omega^2 of (K, M) [1/s^2]. @return their number */
int line_eigenvalues(const haw_line *line, const double *q, bool pinned, double *w);

/** Eigenvalues of a straight string of 2 m under 100 N. */
int line_string_eigenvalues(const char *kind, int elements, bool pinned, double *w);

/** Relative error of the first frequency of the pinned string, n = 1: 7.9155701 Hz. */
double line_string_error(const char *kind, int elements);

/** 2 / omega_max over Le / c: the step limit of the explicit midpoint. */
double line_step_limit(const char *kind, int elements, bool pinned);

/** Largest force on a degree of freedom of the closed-form start, ends left out [N]. */
double line_vertical_residual(const char *kind, int elements);

#endif
