/* SPDX-License-Identifier: BSD-3-Clause */
#include "observe/rope_wrap.h"

#include "contact/knot.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double FAR = 0.02;     /* turn of a sheave for a figure of creep [rad] */
static const double AT_REST = 1e-9; /* of a sheave [1/s], [rad] */
static const double SLIDES = 1e-3;  /* speed of a rope on a sheave at rest over the radius [1/s] */

haw_status haw_rope_wrap_create(haw_simulation *simulation)
{
    haw_belt *belt = simulation->belt;
    size_t most = 0, arcs = 0;
    for (int i = 0; i < simulation->model.pairs; i++) {
        const size_t points = (size_t)simulation->model.pair[i].points;
        most = haw_pair_is_rope(&simulation->model, &simulation->model.pair[i]) && points > most
                   ? points
                   : most;
    }
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_rope *rope = simulation->model.cable[i].rope;
        arcs = rope != NULL && (size_t)rope->arcs > arcs ? (size_t)rope->arcs : arcs;
    }
    belt->knot = haw_arena_allocate(&simulation->arena, most + 1, sizeof *belt->knot);
    belt->course = haw_arena_allocate(&simulation->arena, arcs + 1, sizeof *belt->course);
    return belt->knot != NULL && belt->course != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

/* ---- knots ---- */

/* The angle next to the drawn middle of the arc, turned so that it grows with the labels. */
static double arc_angle(const haw_rope_arc *arc, const haw_reeving_arc *now, double direction)
{
    const double middle = 0.5 * (now->out - now->in) * arc->turn;
    const double angle = arc->turn * (direction - now->in);
    return angle - 2 * pi * floor((angle - middle) / (2 * pi) + 0.5);
}

/*
 * Tension at a label: of contact elements by their means, which converge where the tension within
 * them oscillates, linear between their middles; else the element's own.
 */
static double smooth_tension(const haw_simulation *simulation, const haw_cable *cable, int e,
                             double label, double own)
{
    const haw_rope *rope = cable->rope;
    const haw_state *state = simulation->state;
    const double *q = state->q;
    const double middle = 0.5 * (q[rope->label[e]] + q[rope->label[e + 1]]);
    const int other = label < middle ? e - 1 : e + 1;
    if (!rope->ops->takes_hard || rope->element[e].is_span || rope->element[other].is_span) {
        return own;
    }
    const double next = 0.5 * (q[rope->label[other]] + q[rope->label[other + 1]]);
    const double part = (label - middle) / (next - middle);
    return (1 - part) * rope->ops->tension(&simulation->model, cable, e, q, state->u) +
           part * rope->ops->tension(&simulation->model, cable, other, q, state->u);
}

static void fill_knot(const haw_simulation *simulation, int i, const haw_reeving_arc *now,
                      haw_rope_knot *knot)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *c = &contacts->item[i];
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const haw_cable *cable = &simulation->model.cable[pair->cable];
    const haw_rope *rope = cable->rope;
    const haw_rope_arc *arc = &rope->arc[pair->arc];
    const haw_state *state = simulation->state;
    const haw_body *body = &simulation->model.body[arc->body];
    const double *load = haw_contacts_load(contacts) + (ptrdiff_t)2 * i;
    const double time = contacts->phase == HAW_STATICS ? simulation->h : 1;
    const double length = simulation->h * pair->spacing;
    haw_rope_point at;
    knot->share = c->share;
    knot->label = (c->id - pair->first_point) * pair->spacing;
    const int e = haw_rope_find(rope, state->q, knot->label);
    rope->ops->axial(cable, e, knot->label, state->q, state->u, &at);
    knot->direction = atan2(c->normal[1], c->normal[0]);
    knot->angle = arc_angle(arc, now, knot->direction);
    knot->slip = contacts->gamma_plus[2 * i + 1];
    knot->speed = arc->turn * (arc->radius * state->u[body->first + 2] - knot->slip);
    knot->normal = time * load[0] / (knot->share * length);
    knot->tangential = time * load[1] / (knot->share * length);
    knot->tension = smooth_tension(simulation, cable, e, knot->label, at.axial.tension);
    knot->strain = at.axial.strain;
}

int haw_rope_wrap_knots(const haw_simulation *simulation, int pair, haw_rope_knot *knot)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_rope *rope = simulation->model.cable[simulation->model.pair[pair].cable].rope;
    haw_reeving_arc *course = simulation->belt->course;
    int count = 0;
    haw_reeving_course(&simulation->model, rope, simulation->state->q, course);
    for (int i = 0; i < contacts->count; i++) {
        if (contacts->item[i].pair == pair && haw_contacts_load(contacts)[2 * i] > 0) {
            fill_knot(simulation, i, &course[simulation->model.pair[pair].arc], &knot[count++]);
        }
    }
    return count;
}

/* ---- the wrap ---- */

/*
 * True if the rope enters at the lower label: as it runs; at rest, where vibration leaves small
 * speeds of any sign, as the sheave has turned, or towards the larger tension.
 */
static bool enters_low(const haw_simulation *simulation, const haw_rope_arc *arc, double speed,
                       const double side[2])
{
    const haw_body *body = &simulation->model.body[arc->body];
    const double spin = simulation->state->u[body->first + 2];
    const double turned = simulation->state->q[body->first + 2] - body->start[2];
    const bool turns = fabs(spin) > AT_REST;
    if (fabs(speed) > (turns ? 1e-3 * fabs(spin) : SLIDES) * arc->radius) {
        return speed > 0;
    }
    if (turns || fabs(turned) > AT_REST) {
        return arc->turn * (turns ? -spin : turned) > 0;
    }
    return side[1] > side[0];
}

/*
 * Label that is at a fixed place of the arc, but for a constant: mean over the nodes between the
 * tangent points of theirs, less what they are beyond their even places.
 */
static double label_there(const haw_simulation *simulation, const haw_rope *rope,
                          const haw_rope_arc *arc, const haw_reeving_arc *now)
{
    const double *q = simulation->state->q, *pose = q + simulation->model.body[arc->body].first;
    const int overflow = (arc->elements - rope->per_arc) / 2;
    double sum = 0;
    for (int k = 0; k <= rope->per_arc; k++) {
        const int node = arc->first_element + overflow + k;
        sum += q[rope->label[node]];
        if (rope->ops->guide != NULL) { /* else the nodes have their places */
            const int *dof = rope->element[node - 1].dof + 4;
            const double place = now->in + (now->out - now->in) * k / rope->per_arc;
            const double angle = atan2(q[dof[1]] - pose[1], q[dof[0]] - pose[0]);
            sum -= arc->turn * arc->radius * remainder(angle - place, 2 * pi) /
                   hypot(q[dof[2]], q[dof[3]]);
        }
    }
    return sum / (rope->per_arc + 1);
}

/* (R omega - c) / (R omega), c the unstrained length that passes per time, since a frame from which
 * on the sheave has turned far enough that vibrations of the rope do not count. */
static void measure_creep(const haw_simulation *simulation, const haw_rope *rope,
                          const haw_rope_arc *arc, const haw_reeving_arc *now, haw_belt_wrap *wrap)
{
    const int turn = simulation->model.body[arc->body].first + 2;
    const double angle = simulation->state->q[turn], since = angle - wrap->mark[1];
    if (wrap->is_marked && fabs(since) < FAR) {
        wrap->creep = fabs(simulation->state->u[turn]) > AT_REST ? wrap->creep : (double)NAN;
        return;
    }
    const double label = label_there(simulation, rope, arc, now);
    const double way = arc->radius * arc->turn * since;
    wrap->creep = wrap->is_marked ? 1 + (label - wrap->mark[0]) / way : (double)NAN;
    wrap->is_marked = true;
    wrap->mark[0] = label;
    wrap->mark[1] = angle;
}

/* Force of an element on the node whose place begins at its dof `at`, its share of the weight
 * included [N]. */
static double node_force(const haw_simulation *simulation, const haw_rope *rope, int e, int at)
{
    const haw_ale_kind *kind = &rope->kind[rope->element[e].is_span ? 1 : 0];
    double q[HAW_ROPE_DOFS], u[HAW_ROPE_DOFS], f[HAW_ROPE_DOFS] = {0};
    haw_rope_gather(rope, e, simulation->state->q, q);
    haw_rope_gather(rope, e, simulation->state->u, u);
    kind->ops->force(kind, &rope->section, q, u, f, f);
    return hypot(f[at], f[at + 1]);
}

/* Place and label of one of the nodes of an element. */
static void node_place(const haw_simulation *simulation, const haw_rope *rope, int e, int node,
                       double place[3])
{
    const int *dof = rope->element[e].dof;
    const double *q = simulation->state->q;
    place[0] = q[dof[4 * node]];
    place[1] = q[dof[4 * node + 1]];
    place[2] = q[dof[8 + node]];
}

/*
 * Tension where the mesh of the sheave begins: what passes through that node is exact by the
 * balance of what hangs on it, however the tension oscillates within elements and wherever the rope
 * leaves the sheave. The weight of the straight mesh up to the tangent point is taken from it.
 */
static double node_tension(const haw_simulation *simulation, const haw_rope *rope,
                           const haw_rope_arc *arc, int end)
{
    const int overflow = (arc->elements - rope->per_arc) / 2;
    const int outer = end == 0 ? arc->first_element : arc->first_element + arc->elements - 1;
    const int inner = end == 0 ? outer + overflow : outer - overflow;
    const double *gravity = rope->section.gravity;
    double from[3], to[3];
    if (overflow == 0) {
        return node_force(simulation, rope, end == 0 ? outer - 1 : outer + 1, end == 0 ? 2 : 0);
    }
    node_place(simulation, rope, outer, end, from);
    node_place(simulation, rope, inner, end, to);
    const double way[2] = {to[0] - from[0], to[1] - from[1]};
    const double weight = rope->section.density * fabs(to[2] - from[2]) *
                          (gravity[0] * way[0] + gravity[1] * way[1]) / hypot(way[0], way[1]);
    return node_force(simulation, rope, outer, 4 * end) - weight;
}

/* At the tangent points; of arc1d by the span's own tension there. */
static double side_tension(const haw_simulation *simulation, const haw_cable *cable,
                           const haw_rope_arc *arc, int end)
{
    const haw_rope *rope = cable->rope;
    const haw_state *state = simulation->state;
    const int first = arc->first_element, last = first + arc->elements - 1;
    haw_rope_point at;
    if (rope->ops->takes_hard) {
        return node_tension(simulation, rope, arc, end);
    }
    const int span = end == 0 ? first - 1 : last + 1;
    const haw_rope_element *cell = &rope->element[end == 0 ? first : last];
    const double label = state->q[cell->dof[end]];
    rope->ops->axial(cable, span, label, state->q, state->u, &at);
    return at.axial.tension;
}

/* Of a set-valued law single knots are open between closed ones, which then stand for them. */
static void fill_chords(const haw_rope_arc *arc, const haw_pair *pair, int count,
                        const haw_rope_knot *knot, haw_belt_wrap *wrap)
{
    const double spacing = pair->spacing;
    const bool jumps = pair->compliance.normal == NULL;
    wrap->tangential_max = 0;
    for (int i = 0; i < count; i++) {
        const double before = i > 0 && jumps ? knot[i].label - knot[i - 1].label : spacing;
        const double behind = i < count - 1 && jumps ? knot[i + 1].label - knot[i].label : spacing;
        const double length = 0.5 * knot[i].share * (before + behind);
        wrap->chord[i] = (haw_belt_chord){.angle = (1 + knot[i].strain) * length / arc->radius,
                                          .tension = knot[i].tension,
                                          .normal = knot[i].normal,
                                          .tangential = knot[i].tangential};
        wrap->tangential_max = fmax(wrap->tangential_max, fabs(knot[i].tangential));
    }
}

void haw_rope_wrap(const haw_simulation *simulation, int index, haw_belt_wrap *wrap)
{
    const haw_pair *pair = &simulation->model.pair[index];
    const haw_cable *cable = &simulation->model.cable[pair->cable];
    const haw_rope_arc *arc = &cable->rope->arc[pair->arc];
    haw_rope_knot *knot = simulation->belt->knot;
    const int count = haw_rope_wrap_knots(simulation, index, knot);
    double speed = 0;
    wrap->count = count;
    for (int i = 0; i < 2; i++) {
        wrap->side[i] = side_tension(simulation, cable, arc, i);
    }
    measure_creep(simulation, cable->rope, arc, &simulation->belt->course[pair->arc], wrap);
    if (count == 0) {
        return;
    }
    fill_chords(arc, pair, count, knot, wrap);
    for (int i = 0; i < count; i++) {
        speed += knot[i].speed / count;
    }
    const bool forward = enters_low(simulation, arc, speed, wrap->side);
    wrap->entry = knot[forward ? 0 : count - 1].direction;
    wrap->exit = knot[forward ? count - 1 : 0].direction;
    wrap->length = knot[count - 1].label - knot[0].label;
    if (!forward) {
        haw_belt_reverse(count, wrap->chord);
        wrap->side[0] = side_tension(simulation, cable, arc, 1);
        wrap->side[1] = side_tension(simulation, cable, arc, 0);
    }
    const haw_reeving_arc *now = &simulation->belt->course[pair->arc];
    const haw_rope_passage passed = {knot, count, forward, arc->turn * (now->out - now->in)};
    if (pair->compliance.normal != NULL) {
        haw_rope_slip(&passed, pair->compliance.t.mu_kinetic, wrap);
    } else {
        haw_rope_hard_slip(&passed, pair->options.friction, wrap);
    }
}

/* ---- places on ropes ---- */

static int find(const haw_simulation *simulation, int cable, double fraction, double *label)
{
    const haw_rope *rope = simulation->model.cable[cable].rope;
    *label = fraction * rope->length;
    return haw_rope_find(rope, simulation->state->q, *label);
}

void haw_rope_place(const haw_simulation *simulation, int cable, double fraction, double x[2])
{
    const haw_cable *of = &simulation->model.cable[cable];
    double label;
    const int e = find(simulation, cable, fraction, &label);
    haw_rope_point at;
    of->rope->ops->axial(of, e, label, simulation->state->q, NULL, &at);
    x[0] = at.x[0];
    x[1] = at.x[1];
}

void haw_rope_tension(const haw_simulation *simulation, const haw_probe *probe, double *value)
{
    const haw_cable *of = &simulation->model.cable[probe->index];
    double label;
    const int e = find(simulation, probe->index, 0.5 * (probe->range[0] + probe->range[1]), &label);
    haw_rope_point at;
    of->rope->ops->axial(of, e, label, simulation->state->q, simulation->state->u, &at);
    value[0] = at.axial.tension;
}
