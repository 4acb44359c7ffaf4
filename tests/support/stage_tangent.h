/* SPDX-License-Identifier: BSD-3-Clause */
/* The tangent of compliant contact at the state of a stage, against differences of its forces. */
#ifndef HAWSER_TESTS_STAGE_TANGENT_H
#define HAWSER_TESTS_STAGE_TANGENT_H

#include "support/compliant_stage.h"

#include <math.h>

/**
 * Compare at the stage's (q, u), over all degrees of freedom that have an equation.
 *
 * @param rate   of velocities to positions, as in an implicit step [1/s]
 * @param small  difference of coordinates
 */
void stage_compare(compliant_stage *s, double rate, double small, double tolerance,
                   const char *where);

#endif
