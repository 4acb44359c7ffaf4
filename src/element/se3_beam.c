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

static void natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS])
{
    haw_two_node_natural(&kind, beam, q + TWO_NODE_COORDINATES * e, strain);
}

static void energy(const haw_beam *beam, const double *q, double energy[2])
{
    haw_two_node_energy(&kind, beam, q, energy);
}

static void force(const haw_beam *beam, const double *q, const double *u, double *f, double *d)
{
    haw_two_node_force(&kind, beam, q, u, f, d);
}

static void tangent(const haw_beam *beam, int e, const double *q, const double *u, double rate,
                    double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS])
{
    two_node_tangent t = {.kind = &kind, .beam = beam, .rate = rate};
    haw_two_node_tangent(&t, e, q, u, k);
}

static void strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                   haw_space_strain *strain)
{
    (void)s;
    haw_two_node_strain(&kind, beam, e, q, u, strain);
}

const haw_space_ops haw_space_element_se3 = {
    .name = "se3",
    .summary = "geometrically exact beam of constant strain: stretch, shear, twist and bending",
    .source = "V. Sonneville, A. Cardona, O. Bruls, Comput. Methods Appl. Mech. Eng. 268 (2014)",
    .node_coordinates = TWO_NODE_COORDINATES,
    .node_dofs = TWO_NODE_DOFS,
    .has_rotations = true,
    .order = 2,
    .interpolate = haw_two_node_interpolate,
    .natural = natural,
    .energy = energy,
    .force = force,
    .gyroscopic = haw_two_node_gyroscopic,
    .tangent = tangent,
    .mass = haw_two_node_mass,
    .kinetic = haw_two_node_kinetic,
    .point = haw_se3_point,
    .strain = strain,
    .turn = haw_two_node_turn,
};
