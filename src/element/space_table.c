/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lie.h"
#include "element/space.h"

#include <math.h>

extern const haw_space_ops haw_space_element_se3, haw_space_element_se3_chord,
    haw_space_element_ancf, haw_space_element_corotational, haw_space_element_bezier,
    haw_space_element_bezier_c0, haw_space_element_chain;

const haw_row *const haw_space_elements[] = {
    &haw_space_element_se3.row,    &haw_space_element_se3_chord.row,
    &haw_space_element_ancf.row,   &haw_space_element_corotational.row,
    &haw_space_element_bezier.row, &haw_space_element_bezier_c0.row,
    &haw_space_element_chain.row,  NULL};

void haw_space_nodes_move(const haw_space_ops *ops, int nodes, const double *q, double h,
                          const double *u, double *q_plus)
{
    const int numbers = ops->has_rotations ? 0 : haw_space_dofs(ops, nodes - 1);
    for (int i = 0; i < numbers; i++) {
        q_plus[i] = q[i] + h * u[i];
    }
    for (int n = 0; n < nodes && ops->has_rotations; n++) {
        const double *from = q + ops->node_coordinates * n, *rate = u + ops->node_dofs * n;
        double *to = q_plus + ops->node_coordinates * n;
        for (int i = 0; i < 3; i++) {
            to[i] = from[i] + h * rate[i];
        }
        so3_move(from + 3, h, rate + 3, to + 3);
    }
}

void haw_space_nodes_difference(const haw_space_ops *ops, int nodes, const double *q,
                                const double *q_plus, double *d)
{
    const int numbers = ops->has_rotations ? 0 : haw_space_dofs(ops, nodes - 1);
    for (int i = 0; i < numbers; i++) {
        d[i] = q_plus[i] - q[i];
    }
    for (int n = 0; n < nodes && ops->has_rotations; n++) {
        const double *from = q + ops->node_coordinates * n;
        const double *to = q_plus + ops->node_coordinates * n;
        double *step = d + ops->node_dofs * n;
        for (int i = 0; i < 3; i++) {
            step[i] = to[i] - from[i];
        }
        so3_difference(from + 3, to + 3, step + 3);
    }
}

double haw_space_nodes_turn(const haw_beam *beam, const double *q, int *element)
{
    const int stride = beam->ops->node_coordinates;
    double largest = 0.0;
    *element = 0;
    for (int e = 0; e < beam->elements && beam->ops->turn != NULL && !isnan(largest); e++) {
        const double angle = beam->ops->turn(q + stride * e, q + stride * (e + 1));
        if (!(angle <= largest)) { /* in this order a NaN is found, and stays */
            largest = angle;
            *element = e;
        }
    }
    return largest;
}
