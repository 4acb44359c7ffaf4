/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the table, one per file of this folder. */
#ifndef HAWSER_THEORY_ROWS_H
#define HAWSER_THEORY_ROWS_H

#include <hawser/theory.h>

extern const haw_theory_ops haw_theory_bouncing_ball;
extern const haw_theory_ops haw_theory_bridging_limit;
extern const haw_theory_ops haw_theory_bristle;
extern const haw_theory_ops haw_theory_bristle_steady;
extern const haw_theory_ops haw_theory_capstan;
extern const haw_theory_ops haw_theory_catenary;
extern const haw_theory_ops haw_theory_clairaut;
extern const haw_theory_ops haw_theory_creep;
extern const haw_theory_ops haw_theory_elastica;
extern const haw_theory_ops haw_theory_firbank;
extern const haw_theory_ops haw_theory_geodesic;
extern const haw_theory_ops haw_theory_groove;
extern const haw_theory_ops haw_theory_helical_capstan;
extern const haw_theory_ops haw_theory_roll_up;
extern const haw_theory_ops haw_theory_semi_geodesic;
extern const haw_theory_ops haw_theory_slip_to_roll;
extern const haw_theory_ops haw_theory_string_impact;
extern const haw_theory_ops haw_theory_string_modes;
extern const haw_theory_ops haw_theory_traction;
extern const haw_theory_ops haw_theory_winding_w1;

#endif
