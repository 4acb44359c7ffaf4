/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles of the rope theories along an arc: derivatives and integrals that do not know them. */
#ifndef HAWSER_TESTS_ARCS_H
#define HAWSER_TESTS_ARCS_H

#include "support/near.h"
#include "theory/rope.h"

#include <gsl/gsl_integration.h>

typedef struct curve {
    haw_rope_profile profile;
    const void *solution;
} curve;

double uniform(uint64_t *seed, double from, double to);

double spread(uint64_t *seed, double from, double to);

double tension_at(double alpha, void *data);

double tangential_at(double alpha, void *data);

/* Central difference of fourth order. */
double slope_of(double (*f)(double, void *), const curve *c, double at, double h);

/* Integral over a smooth piece, split where layers of the thickness 1 / r end. */
double integral_of(double (*f)(double, void *), const curve *c, double from, double to,
                   double layer);

#endif
