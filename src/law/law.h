/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact laws. Part of the contact problem is how a law shifts q:
 * a set-valued law on velocity level acts on gamma+ + e gamma-, so q_c = gamma_free + e gamma-.
 */
#ifndef HAWSER_LAW_LAW_H
#define HAWSER_LAW_LAW_H

#include "base/status.h"

typedef struct haw_law_options {
    double friction;               /* mu */
    double restitution;            /* e_N */
    double restitution_tangential; /* e_T */
} haw_law_options;

typedef struct haw_law_ops {
    const char *name, *summary, *source;
    bool set_valued; /* true: a row of the contact problem; false: a force of gap and velocity */
    /** shift [d] = what the law adds to gamma_free, from gamma- [d] before the step [m/s]. */
    void (*shift)(const haw_law_options *options, int dimension, const double *gamma_minus,
                  double *shift);
} haw_law_ops;

extern const haw_law_ops haw_law_hard;

/** All laws; ends with NULL. */
extern const haw_law_ops *const haw_laws[];
const haw_law_ops *haw_law_find(const char *name);

#endif
