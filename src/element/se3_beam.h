/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-node beam on SE(3) (V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268
 * (2014) 451-474): between the nodes A and B runs the helix H_A exp(s d), d = (u, w) =
 * log(H_A^-1 H_B), with one strain d / L. With C and B the blocks of T(d)^-1 and R = R_A, the rate
 * of u is
 *
 *     du/dt = (R C)^T (v_B - v_A) + B W_B - B^T W_A.
 */
#ifndef HAWSER_ELEMENT_SE3_BEAM_H
#define HAWSER_ELEMENT_SE3_BEAM_H

#include "element/two_node.h"

/* Of the kind, in se3_beam_tangent.c. */
void haw_se3_geometric(two_node_tangent *t);
void haw_se3_rates(const two_node_tangent *t, const double *u, two_node_rates *rates);

/* Row of haw_space_ops, in se3_beam_point.c. */
void haw_se3_point(const haw_beam *beam, int e, double s, const double *q, bool jacobians,
                   haw_space_point *point);

#endif
