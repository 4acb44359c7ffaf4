/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles of the belt drive as the published files have them: over the material coordinate s. */
#ifndef HAWSER_TESTS_BELT_H
#define HAWSER_TESTS_BELT_H

#include "support/scenario.h"

typedef struct belt_profile {
    int count;
    double *s, *value; /* [count] s ascending in [0, BELT_LENGTH) */
} belt_profile;

/** Axial force at x = 0 and L / 2 of every element, with its damping part. */
belt_profile belt_tension(const haw_simulation *simulation);

belt_profile belt_file(const char *name);

void belt_free(belt_profile *p);

/** Relative L2 distance of two profiles at the samples of the reference. */
double belt_distance(const belt_profile *p, const belt_profile *reference);

/** Means over the windows of the published table: tight and slack span. */
double belt_tight(const belt_profile *p);

double belt_slack(const belt_profile *p);

/** Roughness: mean second difference of the samples with s in [a, b]. */
double belt_roughness(const belt_profile *p, double a, double b);

/** Value of a probe by its name in the results, last frame. */
double belt_probe(const scenario_run *run, const char *name);

#endif
