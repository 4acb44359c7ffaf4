/* SPDX-License-Identifier: BSD-3-Clause */
/* How near the centreline of a cable comes to itself, from its points and their derivatives alone.
 */
#ifndef HAWSER_TESTS_STRANDS_H
#define HAWSER_TESTS_STRANDS_H

#include "model/model.h"
#include "support/scenario.h"

/** Least distance of two places of a cable that are more than `apart` elements from each other, at
 * the coordinates q: samples, and from each near pair of them Newton's method along both [m]. */
double strands_distance(const haw_model *model, int cable, const double *q, double apart);

/** `look` of a scenario: what its first cable keeps of its diameter, places that are less than two
 * diameters apart along it left out; the least of all frames.
 * @param least  double [1], HUGE_VAL to begin with */
void strands_look(scenario_run *run, const haw_frame *frame, void *least);

#endif
