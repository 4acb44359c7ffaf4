/* SPDX-License-Identifier: BSD-3-Clause */
#include "element/se3_beam.h"

enum { X = TWO_NODE_X, B = TWO_NODE_B, A = TWO_NODE_A };

static void measure(const double *node, two_node *pair)
{
    double rc[9];
    se3_between(node, node + TWO_NODE_COORDINATES, &pair->log);
    mat3_product(pair->log.r, pair->log.a, rc);
    mat3_transpose(rc, pair->j[X]);
    se3_coupling(&pair->log, pair->j[B]);
    for (int i = 0; i < 9; i++) {
        pair->j[A][i] = -pair->j[B][3 * (i % 3) + i / 3];
    }
}

static const two_node_kind kind = {
    .measure = measure, .geometric = haw_se3_geometric, .rates = haw_se3_rates};

const haw_space_ops haw_space_element_se3 = {
    .name = "se3",
    .summary = "geometrically exact beam of constant strain: stretch, shear, twist and bending",
    .source = "V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268 (2014)",
    .node_coordinates = TWO_NODE_COORDINATES,
    .node_dofs = TWO_NODE_DOFS,
    .has_rotations = true,
    .order = 2,
    .interpolate = haw_two_node_interpolate,
    .kind = &kind,
    .natural = haw_two_node_natural,
    .energy = haw_two_node_energy,
    .force = haw_two_node_force,
    .gyroscopic = haw_two_node_gyroscopic,
    .tangent = haw_two_node_tangent,
    .mass = haw_two_node_mass,
    .kinetic = haw_two_node_kinetic,
    .point = haw_se3_point,
    .strain = haw_two_node_strain,
    .turn = haw_two_node_turn,
};
