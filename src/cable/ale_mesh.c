/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the mesh of ALE ropes moves. Results do not depend on it but for the discretisation, so it is
 * a given function of the state at the start of a step: every node of a sheave's mesh has the label
 * velocity by which the rope flows over the sheave, the mean over the nodes on the arc, so that it
 * does not follow waves along the rope; and a feedback brings the nodes at the tangent points back
 * to those of the present course.
 */
#include "cable/ale.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

/* Rates of the feedback [1/s]: of the mean of both tangent points, which lags behind accelerations
 * of the rope by a h / rate; of the distance between them. */
static const double RATE_MEAN = 100, RATE_DISTANCE = 10;
static const double RATE_STEP = 0.25; /* largest part of an error that a step takes back */

enum { SAMPLES = 32 };

/* Label by which a node is before the place on its sheave with this angle. */
static double label_error(const haw_rope *rope, int arc, int node, double angle, const double *q)
{
    const haw_rope_arc *drawn = &rope->arc[arc];
    const double *centre = q + drawn->dof, *x = q + haw_ale_node(rope, node);
    const double *slope = x + HAW_ALE_NODE_SLOPE;
    const double d[2] = {x[0] - centre[0], x[1] - centre[1]};
    const double turn = sin(angle) * d[0] - cos(angle) * d[1];
    const double ahead = cos(angle) * d[0] + sin(angle) * d[1];
    return drawn->turn * atan2(turn, ahead) * hypot(d[0], d[1]) / hypot(slope[0], slope[1]);
}

/* Labels by which the nodes of the tangent points are before them. */
static void label_errors(const haw_cable *cable, int arc, const double *q, double error[2])
{
    const haw_ale_mesh mesh = haw_ale_mesh_of(cable->rope, arc);
    const haw_sheave sheave = haw_rope_sheave(cable, arc, q);
    error[0] = label_error(cable->rope, arc, mesh.in, sheave.at[0], q);
    error[1] = label_error(cable->rope, arc, mesh.out, sheave.at[1], q);
}

/*
 * Mean over the nodes on the arc of the label velocity at which each would stay at its angle of the
 * sheave: the material there has the velocity dx/dt - r' ds/dt, and its angular velocity about the
 * centre is made up for.
 */
static double mean_flow(const haw_rope *rope, int arc, const double *q, const double *u)
{
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const int body = rope->arc[arc].dof;
    double sum = 0;
    for (int i = mesh.in; i <= mesh.out; i++) {
        const int at = haw_ale_node(rope, i);
        const double *slope = q + at + HAW_ALE_NODE_SLOPE;
        double d[2], v[2];
        for (int j = 0; j < 2; j++) {
            d[j] = q[at + j] - q[body + j];
            v[j] = u[at + j] - u[body + j] - slope[j] * u[rope->label[i]];
        }
        sum += -rope->arc[arc].turn * (d[0] * v[1] - d[1] * v[0]) /
               (hypot(d[0], d[1]) * hypot(slope[0], slope[1]));
    }
    return sum / (mesh.out - mesh.in + 1);
}

void haw_ale_guide(const haw_cable *cable, const double *q, const double *u, double h,
                   double *u_plus)
{
    const haw_rope *rope = cable->rope;
    const double most = h > 0 ? RATE_STEP / h : (double)INFINITY;
    const double mean_rate = fmin(RATE_MEAN, most), distance_rate = fmin(RATE_DISTANCE, most);
    u_plus[rope->label[0]] = u_plus[rope->label[rope->labels - 1]] = 0;
    for (int arc = 0; arc < rope->arcs; arc++) {
        const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
        double error[2];
        label_errors(cable, arc, q, error);
        const double mean = 0.5 * (error[0] + error[1]);
        const double flow = mean_flow(rope, arc, q, u) + mean_rate * mean;
        const double in = q[rope->label[mesh.in]] + error[0] - mean;
        const double out = q[rope->label[mesh.out]] + error[1] - mean;
        for (int i = mesh.first; i <= mesh.last; i++) {
            const double way = haw_ale_label(rope, arc, i, in, out) - q[rope->label[i]];
            u_plus[rope->label[i]] = flow + distance_rate * way;
        }
    }
}

/* The rope as it lies in `old` at a label: place and r'. */
static void place_at(const haw_rope *rope, const double *old, double s, double *node)
{
    const int e = haw_rope_find(rope, old, s);
    const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
    double local[HAW_ROPE_DOFS];
    haw_ale_point point;
    haw_rope_gather(rope, e, old, local);
    kind->ops->point(kind, s, local, NULL, HAW_ALE_PLACE, &point);
    memcpy(node, point.x, sizeof point.x);
    memcpy(node + HAW_ALE_NODE_SLOPE, point.slope, sizeof point.slope);
}

/* Nodes of a sheave to their labels. @return largest way over the length of the element there */
static double move_nodes(const haw_rope *rope, int arc, const double error[2], const double *old,
                         double *q)
{
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const double in = old[rope->label[mesh.in]] + error[0];
    const double out = old[rope->label[mesh.out]] + error[1];
    double most = 0;
    for (int i = mesh.first; i <= mesh.last; i++) {
        const int neighbour = i < mesh.last ? i + 1 : i - 1;
        const double s = haw_ale_label(rope, arc, i, in, out), before = old[rope->label[i]];
        most = fmax(most, fabs((s - before) / (old[rope->label[neighbour]] - before)));
        place_at(rope, old, s, q + haw_ale_node(rope, i));
        q[rope->label[i]] = s;
    }
    return most;
}

/*
 * Amplitudes of a span for the rope as it lies in `old` between its new ends: sines are orthogonal
 * over the midpoints of equal parts.
 */
static void fit_span(const haw_rope *rope, int e, const double *old, double *q)
{
    const int *dof = rope->element[e].dof, *modes = rope->modes;
    const double *from = q + dof[0], *to = q + dof[2];
    const double d[2] = {to[0] - from[0], to[1] - from[1]}, length = hypot(d[0], d[1]);
    const double first = q[rope->label[e]], last = q[rope->label[e + 1]];
    double amplitude[2][HAW_ALE_MODES] = {{0}};
    for (int i = 0; i < SAMPLES; i++) {
        const double eta = (i + 0.5) / SAMPLES;
        double node[HAW_ALE_NODE];
        place_at(rope, old, first + eta * (last - first), node);
        const double r[2] = {node[0] - from[0] - eta * d[0], node[1] - from[1] - eta * d[1]};
        const double off[2] = {(d[0] * r[0] + d[1] * r[1]) / length,
                               (d[0] * r[1] - d[1] * r[0]) / length};
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < modes[j]; k++) {
                amplitude[j][k] += 2.0 / SAMPLES * off[j] * sin((k + 1) * M_PI * eta);
            }
        }
    }
    for (int k = 0; k < modes[0] + modes[1]; k++) {
        const int j = k < modes[0] ? 0 : 1;
        q[dof[4 + k]] = amplitude[j][k - j * modes[0]];
    }
}

double haw_ale_recentre(const haw_cable *cable, haw_context *context, double *q)
{
    const haw_rope *rope = cable->rope;
    const size_t count =
        (size_t)cable->first_q + (size_t)cable->coordinates; /* bodies come first */
    double *old = haw_allocate(context, count, sizeof *old);
    double most = 0;
    if (old == NULL) {
        return (double)INFINITY;
    }
    memcpy(old, q, count * sizeof *old);
    for (int arc = 0; arc < rope->arcs; arc++) {
        double error[2];
        label_errors(cable, arc, old, error);
        most = fmax(most, move_nodes(rope, arc, error, old, q));
    }
    for (int e = 0; e < rope->elements; e++) {
        if (rope->element[e].is_span) {
            fit_span(rope, e, old, q);
        }
    }
    haw_release(context, old);
    return most;
}

/* ---- what ropes show on a sheave: tensions that do not oscillate with the elements, and the label
 * that is at a place ---- */

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
    const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
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
        sum -= sheave.turn * sheave.radius * remainder(angle - place, 2 * M_PI) /
               hypot(slope[0], slope[1]);
    }
    return sum / (rope->per_arc + 1);
}
