/* SPDX-License-Identifier: BSD-3-Clause */
/* The referee's formulas on r and u = W r + q; <hawser/problem.h> states them. */
#ifndef HAWSER_SOLVER_REFEREE_H
#define HAWSER_SOLVER_REFEREE_H

#include "solver/operator.h"

/** max(max_c |q_c|, scale), the velocity that residual_natural is measured in; NaN stays NaN. */
double haw_referee_reference(const haw_operator *op);

/** residual_natural alone; infinity if anything is not finite. @param v_ref > 0 */
double haw_referee_natural(const haw_operator *op, double v_ref, const double *r, const double *u);

/**
 * What ends a solve: residual_natural, and a tenth of the largest approach velocity over v_ref.
 * |u_N| enters the natural map of an approaching contact by |u_N| / sqrt(1 + mu^2) at least: the
 * second part only counts for mu > 10, where it keeps a contact from passing for solved because
 * its cone is nearly a half-space.
 */
double haw_referee_stop(const haw_operator *op, double v_ref, const double *r, const double *u);

/** Every measure. */
void haw_referee_measure(const haw_operator *op, const double *r, const double *u,
                         haw_residual *residual);

#endif
