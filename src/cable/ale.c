/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ALE ropes: loops over the elements. Labels are held degrees of freedom; the rows of the labels in
 * forces and inertia are what would hold the mesh, and nothing that moves the rope.
 */
#include "cable/ale.h"

#include <math.h>
#include <string.h>

static void energy(const haw_cable *cable, const double *q, double energies[2])
{
    const haw_rope *rope = cable->rope;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
        double local[HAW_ROPE_DOFS];
        haw_rope_gather(rope, e, q, local);
        kind->ops->energy(kind, &rope->section, local, energies);
        if (rope->element[e].is_span) {
            energies[0] += haw_ale_hinge_energy(rope, e, local);
        }
    }
}

static double kinetic(const haw_cable *cable, const double *q, const double *u)
{
    const haw_rope *rope = cable->rope;
    double sum = 0;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
        double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        sum += kind->ops->kinetic(kind, &rope->section, local, rate);
    }
    return sum;
}

static void forces(const haw_cable *cable, const double *q, const double *u, const haw_forces *to)
{
    const haw_rope *rope = cable->rope;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
        double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
        double conservative[HAW_ROPE_DOFS] = {0}, damping[HAW_ROPE_DOFS] = {0};
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        kind->ops->force(kind, &rope->section, local, rate, conservative, damping);
        if (rope->element[e].is_span) {
            haw_ale_hinge_force(rope, e, local, conservative);
        }
        haw_rope_scatter(rope, e, conservative, to->conservative);
        haw_rope_scatter(rope, e, damping, to->damping);
    }
}

static void inertia(const haw_cable *cable, const double *q, const double *u, const double *a,
                    double *y)
{
    const haw_rope *rope = cable->rope;
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
        double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS], acceleration[HAW_ROPE_DOFS];
        double result[HAW_ROPE_DOFS] = {0};
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        haw_rope_gather(rope, e, a, acceleration);
        kind->ops->inertia(kind, &rope->section, local, rate, acceleration, result);
        haw_rope_scatter(rope, e, result, y);
    }
}

/* The kernel's matrix has no rows of the slopes that a span's hinges act on. */
static void widen(int from, int to, double *k)
{
    for (int i = to - 1; i >= 0; i--) {
        for (int j = to - 1; j >= 0; j--) {
            k[to * i + j] = i < from && j < from ? k[from * i + j] : 0;
        }
    }
}

static void blocks(const haw_cable *cable, const double *q, const double *u, const double factor[2],
                   haw_block_sink add, void *user)
{
    const haw_rope *rope = cable->rope;
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS], k[HAW_ROPE_DOFS * HAW_ROPE_DOFS];
    for (int e = 0; e < rope->elements; e++) {
        const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
        haw_rope_gather(rope, e, q, local);
        haw_rope_gather(rope, e, u, rate);
        kind->ops->tangent(kind, &rope->section, local, rate, factor, k);
        if (rope->element[e].is_span) {
            widen(kind->dofs, rope->element[e].dofs, k);
            haw_ale_hinge_tangent(rope, e, local, k);
        }
        add(user, e, k);
    }
}

static const double *gather_rate(const haw_rope *rope, int e, const double *u, double *rate)
{
    if (u == NULL) {
        return NULL;
    }
    haw_rope_gather(rope, e, u, rate);
    return rate;
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void point(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  int want, haw_cable_point *to)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
    const bool has_j = (want & HAW_POINT_JACOBIAN) != 0;
    const bool has_gamma = (want & HAW_POINT_CONVECTION) != 0;
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
    haw_ale_point at;
    haw_rope_gather(rope, e, q, local);
    kind->ops->point(kind, s, local, has_gamma ? gather_rate(rope, e, u, rate) : NULL,
                     (has_j ? HAW_ALE_JACOBIAN : 0) | (has_gamma ? HAW_ALE_GAMMA : 0), &at);
    for (int i = 0; i < 2; i++) {
        to->x[i] = at.x[i];
        to->convection[i] = has_gamma ? at.gamma[i] : 0;
        for (int a = 0; a < rope->element[e].dofs && has_j; a++) {
            to->j[i][a] = a < kind->dofs ? at.j[i][a] : 0; /* of a span also slopes of hinges */
        }
    }
    to->x[2] = to->convection[2] = 0;
}

/* The box of the control points of a cubic; of a span that of its ends, wider by its amplitudes. */
static void bounds(const haw_cable *cable, int e, const double *q, haw_bounds *box)
{
    const haw_rope *rope = cable->rope;
    const bool is_span = rope->element[e].is_span;
    const int modes = rope->modes[0] + rope->modes[1];
    const double third = haw_rope_length(cable, e, q) / 3;
    double local[HAW_ROPE_DOFS], reach = 0;
    haw_rope_gather(rope, e, q, local);
    for (int k = 0; k < modes && is_span; k++) {
        reach += fabs(local[4 + k]);
    }
    for (int i = 0; i < 2; i++) {
        const double a = local[i], b = local[(is_span ? 2 : 4) + i];
        box->min[i] = fmin(a, b) - reach;
        box->max[i] = fmax(a, b) + reach;
        if (!is_span) {
            const double inner[2] = {a + third * local[2 + i], b - third * local[6 + i]};
            box->min[i] = fmin(box->min[i], fmin(inner[0], inner[1]));
            box->max[i] = fmax(box->max[i], fmax(inner[0], inner[1]));
        }
    }
}

static void state(const haw_cable *cable, int e, double s, const double *q, const double *u,
                  haw_sample *to)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
    haw_ale_point at;
    haw_ale_axial axial;
    haw_rope_gather(rope, e, q, local);
    kind->ops->point(kind, s, local, NULL, HAW_ALE_PLACE, &at);
    kind->ops->axial(kind, &rope->section, s, local, gather_rate(rope, e, u, rate), &axial);
    *to = (haw_sample){.label = s,
                       .x = {at.x[0], at.x[1], 0},
                       .tension = axial.tension,
                       .strain = axial.strain,
                       .curvature = axial.curvature};
}

static double tension(const haw_cable *cable, int e, const double *q, const double *u)
{
    const haw_rope *rope = cable->rope;
    const haw_ale_kind *kind = haw_ale_kind_of(rope, e);
    double local[HAW_ROPE_DOFS], rate[HAW_ROPE_DOFS];
    haw_rope_gather(rope, e, q, local);
    return kind->ops->tension_mean(kind, &rope->section, local, gather_rate(rope, e, u, rate));
}

/* ---- degrees of freedom, elements and the drawn start ---- */

haw_ale_mesh haw_ale_mesh_of(const haw_rope *rope, int arc)
{
    const int first = rope->arc[arc].first_element, elements = rope->arc[arc].elements;
    const int beyond = (elements - rope->per_arc) / 2;
    return (haw_ale_mesh){.first = first,
                          .in = first + beyond,
                          .out = first + beyond + rope->per_arc,
                          .last = first + elements};
}

double haw_ale_label(const haw_rope *rope, int arc, int node, double label_in, double label_out)
{
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const haw_rope_arc *drawn = &rope->arc[arc];
    const double *f = rope->fraction, width = f[mesh.out] - f[mesh.in];
    if (node > mesh.in && node < mesh.out) {
        return label_in + (label_out - label_in) * (f[node] - f[mesh.in]) / width;
    }
    const double length = (drawn->label_out - drawn->label_in) / width;
    return node <= mesh.in ? label_in + (f[node] - f[mesh.in]) * length
                           : label_out + (f[node] - f[mesh.out]) * length;
}

/* Where the numbers of a span's amplitudes begin. */
typedef struct numbering {
    int next;
    int amplitudes;
} numbering;

static void number_nodes(haw_cable *cable, int arc, numbering *n)
{
    haw_rope *rope = cable->rope;
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const int beyond = mesh.in - mesh.first;
    const double straight = beyond > 0 ? rope->overflow : 0, step = haw_rope_arc_element(rope, arc);
    const double whole = 2 * straight + rope->per_arc * step;
    for (int i = mesh.first; i <= mesh.last; i++) {
        rope->label[i] = n->next + HAW_ALE_NODE_LABEL;
        cable->held[rope->label[i] - cable->first] = true;
        n->next += HAW_ALE_NODE;
        const int before = i < mesh.in ? i - mesh.first : beyond;
        const int after = i > mesh.out ? i - mesh.out : 0;
        const int within = i - mesh.first - before - after;
        const double at = (before + after) * straight / (beyond > 0 ? beyond : 1) + within * step;
        rope->fraction[i] = at / whole;
    }
}

/* Order of coordinates of alem-span, and the slopes. */
static void list_span(haw_cable *cable, int e, const numbering *n)
{
    haw_rope *rope = cable->rope;
    haw_rope_element *element = &rope->element[e];
    const int before = element->arc >= 0 ? haw_ale_node(rope, e) : -1;
    const int after = element->arc + 1 < rope->arcs ? haw_ale_node(rope, e + 1) : -1;
    const int ends[2] = {before >= 0 ? before : rope->arc[-1].dof,
                         after >= 0 ? after : rope->arc[rope->arcs].dof};
    int *dof = element->dof, k = 0;
    for (int j = 0; j < 4; j++) {
        dof[k++] = ends[j / 2] + j % 2;
    }
    for (int j = 0; j < rope->modes[0] + rope->modes[1]; j++) {
        dof[k++] = n->amplitudes + j;
    }
    dof[k++] = rope->label[e];
    dof[k++] = rope->label[e + 1];
    const int beside[2] = {before, after};
    for (int j = 0; j < 4; j++) {
        if (beside[j / 2] >= 0) {
            dof[k++] = beside[j / 2] + HAW_ALE_NODE_SLOPE + j % 2;
        }
    }
    element->dofs = k;
}

/* A span's amplitudes and what follows it, then the lists of both. */
static void number_span(haw_cable *cable, int e, int arc, numbering *n)
{
    haw_rope *rope = cable->rope;
    rope->element[e] = (haw_rope_element){.is_span = true, .arc = arc - 1};
    n->amplitudes = n->next;
    n->next += rope->modes[0] + rope->modes[1];
    if (arc == rope->arcs) {
        rope->label[e + 1] = haw_rope_hold(cable, 1, &n->next);
        haw_rope_number_end(cable, rope->arcs, &n->next);
        list_span(cable, e, n);
        return;
    }
    number_nodes(cable, arc, n);
    list_span(cable, e, n);
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    for (int i = mesh.first; i < mesh.last; i++) {
        rope->element[i] = (haw_rope_element){.arc = arc, .dofs = 2 * HAW_ALE_NODE};
        int *dof = rope->element[i].dof; /* in the order of ale-cubic */
        for (int k = 0; k < 2 * HAW_ALE_NODE_LABEL; k++) {
            const int node = haw_ale_node(rope, i + k / HAW_ALE_NODE_LABEL);
            dof[k] = node + k % HAW_ALE_NODE_LABEL;
        }
        dof[2 * HAW_ALE_NODE_LABEL] = rope->label[i];
        dof[2 * HAW_ALE_NODE_LABEL + 1] = rope->label[i + 1];
    }
}

static haw_status layout(haw_arena *arena, haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    int dofs = 2 + (rope->arcs + 1) * (rope->modes[0] + rope->modes[1]);
    for (int i = 0; i < rope->arcs; i++) {
        dofs += HAW_ALE_NODE * (rope->arc[i].elements + 1);
    }
    HAW_TRY(haw_rope_allocate(arena, dofs, cable));
    rope->kind[0] = (haw_ale_kind){.ops = &haw_ale_cubic};
    rope->kind[1] =
        (haw_ale_kind){.ops = &haw_alem_span, .modes = {rope->modes[0], rope->modes[1]}};
    for (int k = 0; k < 2; k++) {
        rope->kind[k].dofs = rope->kind[k].ops->dofs(rope->kind[k].modes);
    }
    numbering n = {.next = cable->first};
    haw_rope_number_end(cable, -1, &n.next);
    rope->label[0] = haw_rope_hold(cable, 1, &n.next);
    for (int i = 0; i <= rope->arcs; i++) {
        const int e = i > 0 ? haw_ale_mesh_of(rope, i - 1).last : 0;
        number_span(cable, e, i, &n);
    }
    return HAW_OK;
}

/* A drawn place where a straight line meets a sheave, or an end. */
typedef struct mark {
    double x[2], label;
} mark;

static mark touch(const haw_rope *rope, int arc, bool is_out)
{
    const haw_rope_arc *a = &rope->arc[arc];
    const double angle = is_out ? a->out : a->in, *centre = a->centre;
    return (mark){{centre[0] + a->radius * cos(angle), centre[1] + a->radius * sin(angle)},
                  is_out ? a->label_out : a->label_in};
}

/* Label s on the line through two marks: place and dr/ds. */
static void on_line(const mark *from, const mark *to, double s, double *node)
{
    const double length = to->label - from->label;
    for (int j = 0; j < 2; j++) {
        const double slope = (to->x[j] - from->x[j]) / length;
        node[j] = from->x[j] + slope * (s - from->label);
        node[HAW_ALE_NODE_SLOPE + j] = slope;
    }
}

static void on_arc(const haw_rope_arc *arc, double s, double *node)
{
    const double part = (s - arc->label_in) / (arc->label_out - arc->label_in);
    const double rate = (arc->out - arc->in) / (arc->label_out - arc->label_in);
    const double angle = arc->in + (arc->out - arc->in) * part;
    const double *centre = arc->centre, along = arc->radius * rate;
    node[0] = centre[0] + arc->radius * cos(angle);
    node[1] = centre[1] + arc->radius * sin(angle);
    node[HAW_ALE_NODE_SLOPE] = -along * sin(angle);
    node[HAW_ALE_NODE_SLOPE + 1] = along * cos(angle);
}

static void start_mesh(const haw_rope *rope, int arc, double *q)
{
    const haw_rope_arc *drawn = &rope->arc[arc];
    const haw_ale_mesh mesh = haw_ale_mesh_of(rope, arc);
    const mark in = touch(rope, arc, false), out = touch(rope, arc, true);
    const mark before = touch(rope, arc - 1, true), after = touch(rope, arc + 1, false);
    for (int i = mesh.first; i <= mesh.last; i++) {
        const double s = haw_ale_label(rope, arc, i, drawn->label_in, drawn->label_out);
        double *node = q + haw_ale_node(rope, i);
        if (i < mesh.in) {
            on_line(&before, &in, s, node);
        } else if (i > mesh.out) {
            on_line(&out, &after, s, node);
        } else {
            on_arc(drawn, s, node);
        }
        node[HAW_ALE_NODE_LABEL] = s;
    }
}

static void start(const haw_cable *cable, double *q)
{
    const haw_rope *rope = cable->rope;
    haw_rope_start(cable, q);
    for (int i = 0; i < rope->arcs; i++) {
        start_mesh(rope, i, q);
    }
}

/* ---- speeds and equilibria ---- */

/* The positions of its ends: [r1, r1', r2, ...] on a sheave, [r1, r2, ...] of a span. */
static const int *end_positions(const haw_rope *rope, int e, int end)
{
    return rope->element[e].dof + (rope->element[e].is_span ? 2 : 4) * end;
}

static double speed(const haw_cable *cable, const double *u)
{
    const haw_rope *rope = cable->rope;
    double most = 0;
    for (int e = 0; e < rope->elements; e++) {
        for (int end = 0; end < 2; end++) {
            const int *x = end_positions(rope, e, end);
            most = fmax(most, hypot(u[x[0]], u[x[1]]) + fabs(u[rope->label[e + end]]));
        }
    }
    return most;
}

/* Of the positions of the elements' ends; a span has its modes besides. */
static double excess(const haw_cable *cable, const double *q, const double *d, double move)
{
    const haw_rope *rope = cable->rope;
    double most = haw_rope_excess(cable, q, d, move);
    for (int e = 0; e < rope->elements; e++) {
        const double most_change = HAW_ROPE_CHANGE * haw_rope_length(cable, e, q);
        const int *a = end_positions(rope, e, 0), *b = end_positions(rope, e, 1);
        const int modes = rope->element[e].is_span ? haw_ale_kind_of(rope, e)->dofs - 2 : 0;
        const double turn = hypot(d[b[0]] - d[a[0]], d[b[1]] - d[a[1]]) / most_change;
        most = fmax(most, turn);
        most = fmax(most, fmax(hypot(d[a[0]], d[a[1]]), hypot(d[b[0]], d[b[1]])) / move);
        for (int k = 4; k < modes; k++) {
            most = fmax(most, fabs(d[rope->element[e].dof[k]]) / fmin(move, most_change));
        }
    }
    return most;
}

const haw_cable_ops haw_cable_ale = {
    HAW_ROPE_ROW(
        "ale",
        "rope over sheaves: cubic elements on the sheaves and modal spans, with a mesh that "
        "moves along the material; plane",
        "J. L. Escalona, Multibody Syst. Dyn. 2024, doi 10.1007/s11044-024-10000-w"),
    .takes_hard = true,
    .layout = layout,
    .start = start,
    .energy = energy,
    .kinetic = kinetic,
    .forces = forces,
    .inertia = inertia,
    .blocks = blocks,
    .point = point,
    .bounds = bounds,
    .state = state,
    .tension = tension,
    .sheave_tension = haw_ale_sheave_tension,
    .side_tension = haw_ale_side_tension,
    .sheave_label = haw_ale_sheave_label,
    .guide = haw_ale_guide,
    .recentre = haw_ale_recentre,
    .speed = speed,
    .excess = excess,
};
