/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction of the knots of a rope on a steadily turning sheave against the theory of bristles. */
#ifndef HAWSER_TESTS_ROPE_STEADY_H
#define HAWSER_TESTS_ROPE_STEADY_H

#include "observe/belt.h"
#include "support/near.h"
#include "support/theory.h"

enum { STEADY_KNOTS = 4000, STEADY_POINTS = 2001 };

/* A sheave that the rope drives: the entry is at the low tension. */
typedef struct rope_steady {
    double radius, wrap; /* [m], [rad] */
    double stiffness, normal_stiffness, tangential_stiffness, friction;
    double tension[2]; /* at entry and exit [N] */
} rope_steady;

haw_theory_result rope_steady_theory(haw_context *context, const rope_steady *s);

typedef struct rope_errors {
    double stick_angle, rms, most, largest; /* of the errors, and of the theory's force [N/m] */
} rope_errors;

/**
 * Of the knots of pair 0, whose labels grow from the exit to the entry.
 * @param entry   angle of the entry from the tangent point at the lower labels
 * @param margin  angle without comparison at either end
 */
rope_errors rope_steady_compare(haw_simulation *simulation, const rope_steady *s, double entry,
                                double margin, const haw_theory_result *theory);

#endif
