/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid motions of the cables of a model, which know what is conserved. */
#ifndef HAWSER_TESTS_RIGID_H
#define HAWSER_TESTS_RIGID_H

#include "model/model.h"

/** Velocities u [dofs] with which all cables move along axis k = 0, 1, 2 or turn about axis k - 3
 * through the origin, as far as they are in its space, bodies at rest. */
void rigid_motion(const haw_model *model, const double *q, int k, double *u);

#endif
