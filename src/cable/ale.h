/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes of cubic contact elements on the sheaves and modal spans between them, both with a mesh
 * that moves along the material. The block of a rope in q, in the order along it:
 *
 *     [x, y of a pinned end, held] [label, held] [a, b of a span] [x, y, x', y', s of each node of
 * a sheave's mesh] [a, b] [...] ... [a, b] [label, held] [x, y of a pinned end, held]
 *
 * A contact element has the ten numbers of two neighbouring nodes; a span has its ends, which are
 * nodes or bodies, its amplitudes, the labels, and the slopes of the nodes beside it for the
 * hinges.
 */
#ifndef HAWSER_CABLE_ALE_H
#define HAWSER_CABLE_ALE_H

#include "cable/reeving.h"

/* Numbers of a node, and the place of its label among them. */
enum { HAW_ALE_NODE = 5, HAW_ALE_NODE_SLOPE = 2, HAW_ALE_NODE_LABEL = 4 };

/* The mesh of a sheave: indices into haw_rope.label of its first and last node and of those that
 * are kept on the tangent points. */
typedef struct haw_ale_mesh {
    int first, in, out, last;
} haw_ale_mesh;

haw_ale_mesh haw_ale_mesh_of(const haw_rope *rope, int arc);

/** First of the numbers of a node in q. */
static inline int haw_ale_node(const haw_rope *rope, int label)
{
    return rope->label[label] - HAW_ALE_NODE_LABEL;
}

/** Label of a node of a sheave where the tangent points have these labels: evenly spaced as its
 * fraction says between them, at the drawn distance from them outside. */
double haw_ale_label(const haw_rope *rope, int arc, int node, double label_in, double label_out);

static inline const haw_ale_kind *haw_ale_kind_of(const haw_rope *rope, int e)
{
    return &rope->kind[rope->element[e].is_span ? 1 : 0];
}

void haw_ale_guide(const haw_cable *cable, const double *q, const double *u, double h,
                   double *u_plus);
double haw_ale_recentre(const haw_cable *cable, haw_context *context, double *q);

/*
 * Hinges: the end of a span has the direction of the slope of the contact node there, by a stiff
 * spring. Its length, the axial strain, is not tied: a span with few axial modes has not the strain
 * of the tension at its ends, which balances weakly instead.
 */

/** Energy of the hinges at the ends of span e [J]. @param local  of the element [dofs] */
double haw_ale_hinge_energy(const haw_rope *rope, int e, const double *local);

/** f [dofs] += forces of the hinges. */
void haw_ale_hinge_force(const haw_rope *rope, int e, const double *local, double *f);

/** k [dofs^2] += their exact stiffness. */
void haw_ale_hinge_tangent(const haw_rope *rope, int e, const double *local, double *k);

/* ---- what it shows on a sheave, rows of haw_cable_ops ---- */

double haw_ale_sheave_tension(const haw_cable *cable, int e, double label, const double *q,
                              const double *u);
double haw_ale_side_tension(const haw_cable *cable, int i, int side, const double *q,
                            const double *u);
double haw_ale_sheave_label(const haw_cable *cable, int i, const double *q);

#endif
