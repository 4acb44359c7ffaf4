/* SPDX-License-Identifier: BSD-3-Clause */
/* What ropes of moving cubic elements show on a sheave: tensions that do not oscillate with the
 * elements, and the label that is at a place. */
#include "cable/ale.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Of contact elements by their means, which converge where the tension within them oscillates,
 * linear between their middles; else the element's own. */
double haw_ale_sheave_tension(const haw_cable *cable, int e, double label, const double *q,
                              const double *u)
{
    const haw_rope *rope = cable->rope;
    const double middle = 0.5 * (q[rope->label[e]] + q[rope->label[e + 1]]);
    const int other = label < middle ? e - 1 : e + 1;
    if (rope->element[e].is_span || rope->element[other].is_span) {
        haw_sample own;
        cable->ops->state(cable, e, label, q, u, &own);
        return own.tension;
    }
    const double next = 0.5 * (q[rope->label[other]] + q[rope->label[other + 1]]);
    const double part = (label - middle) / (next - middle);
    return (1 - part) * cable->ops->tension(cable, e, q, u) +
           part * cable->ops->tension(cable, other, q, u);
}

/* Force of an element on the node whose place begins at its dof `at`, its share of the weight
 * included [N]. */
static double node_force(const haw_rope *rope, int e, int at, const double *q, const double *u)
{
    const haw_ale_kind *kind = &rope->kind[rope->element[e].is_span ? 1 : 0];
    double own_q[HAW_ROPE_DOFS], own_u[HAW_ROPE_DOFS], f[HAW_ROPE_DOFS] = {0};
    haw_rope_gather(rope, e, q, own_q);
    haw_rope_gather(rope, e, u, own_u);
    kind->ops->force(kind, &rope->section, own_q, own_u, f, f);
    return hypot(f[at], f[at + 1]);
}

/*
 * Tension where the mesh of the sheave begins: what passes through that node is exact by the
 * balance of what hangs on it, however the tension oscillates within elements and wherever the rope
 * leaves the sheave. The weight of the straight mesh up to the tangent point is taken from it.
 */
double haw_ale_side_tension(const haw_cable *cable, int i, int side, const double *q,
                            const double *u)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, i);
    const int outer = side == 0 ? mesh.first : mesh.last;
    const int inner = side == 0 ? mesh.in : mesh.out;
    const int element = side == 0 ? mesh.first : mesh.last - 1;
    if (mesh.in == mesh.first) {
        return node_force(rope, side == 0 ? element - 1 : element + 1, side == 0 ? 2 : 0, q, u);
    }
    const double *from = q + haw_ale_node(rope, outer), *to = q + haw_ale_node(rope, inner);
    const double way[2] = {to[0] - from[0], to[1] - from[1]}, *gravity = rope->section.gravity;
    const double length = fabs(to[HAW_ALE_NODE_LABEL] - from[HAW_ALE_NODE_LABEL]);
    const double weight = rope->section.density * length *
                          (gravity[0] * way[0] + gravity[1] * way[1]) / hypot(way[0], way[1]);
    return node_force(rope, element, 4 * side, q, u) - weight;
}

/* Mean over the nodes between the tangent points of theirs, less what they are beyond their even
 * places. */
double haw_ale_sheave_label(const haw_cable *cable, int i, const double *q)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, i);
    const haw_sheave sheave = haw_rope_sheave(cable, i, q);
    const double *centre = q + rope->arc[i].dof;
    double sum = 0;
    for (int k = 0; k <= rope->per_arc; k++) {
        const double *node = q + haw_ale_node(rope, mesh.in + k);
        const double *slope = node + HAW_ALE_NODE_SLOPE;
        const double place = sheave.at[0] + (sheave.at[1] - sheave.at[0]) * k / rope->per_arc;
        const double angle = atan2(node[1] - centre[1], node[0] - centre[0]);
        sum += node[HAW_ALE_NODE_LABEL];
        sum -= sheave.turn * sheave.radius * remainder(angle - place, 2 * pi) /
               hypot(slope[0], slope[1]);
    }
    return sum / (rope->per_arc + 1);
}
