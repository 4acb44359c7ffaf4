/* SPDX-License-Identifier: BSD-3-Clause */
#include "observe/rope_wrap.h"

#include "contact/knot.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double FAR = 0.02;     /* turn of a sheave for a figure of creep [rad] */
static const double AT_REST = 1e-9; /* of a sheave [1/s], [rad] */
static const double SLIDES = 1e-3;  /* speed of a rope on a sheave at rest over the radius [1/s] */

haw_status haw_courses_create(haw_observation *o)
{
    const haw_model *model = o->frame.model;
    size_t arcs = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_rope *rope = model->cable[i].rope;
        arcs = rope != NULL && (size_t)rope->arcs > arcs ? (size_t)rope->arcs : arcs;
    }
    o->course = haw_arena_allocate(o->arena, arcs + 1, sizeof *o->course);
    return haw_arena_status(o->arena);
}

void haw_courses_find(haw_observation *o)
{
    const haw_model *model = o->frame.model;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        o->pair[i].arc[0] = o->pair[i].arc[1] = (double)NAN;
        if (haw_pair_has_knots(pair)) {
            haw_reeving_course(model->cable[pair->cable].rope, o->frame.state->q, o->course);
            o->pair[i].arc[0] = o->course[pair->arc].in;
            o->pair[i].arc[1] = o->course[pair->arc].out;
        }
    }
}

/* ---- knots ---- */

/* The angle next to the drawn middle of the arc, turned so that it grows with the labels. */
static double arc_angle(const haw_rope_arc *arc, const double now[2], double direction)
{
    const double middle = 0.5 * (now[1] - now[0]) * arc->turn;
    const double angle = arc->turn * (direction - now[0]);
    return angle - 2 * pi * floor((angle - middle) / (2 * pi) + 0.5);
}

/*
 * Tension at a label: of contact elements by their means, which converge where the tension within
 * them oscillates, linear between their middles; else the element's own.
 */
static double smooth_tension(const haw_frame *frame, const haw_cable *cable, int e, double label,
                             double own)
{
    const haw_rope *rope = cable->rope;
    const haw_state *state = frame->state;
    const double *q = state->q;
    const double middle = 0.5 * (q[rope->label[e]] + q[rope->label[e + 1]]);
    const int other = label < middle ? e - 1 : e + 1;
    if (!cable->ops->takes_hard || rope->element[e].is_span || rope->element[other].is_span) {
        return own;
    }
    const double next = 0.5 * (q[rope->label[other]] + q[rope->label[other + 1]]);
    const double part = (label - middle) / (next - middle);
    return (1 - part) * cable->ops->tension(cable, e, q, state->u) +
           part * cable->ops->tension(cable, other, q, state->u);
}

static void fill_knot(const haw_frame *frame, const haw_touch_frame *c, haw_rope_knot *knot)
{
    const haw_pair *pair = &frame->model->pair[c->pair];
    const haw_cable *cable = &frame->model->cable[pair->cable];
    const haw_rope *rope = cable->rope;
    const haw_rope_arc *arc = &rope->arc[pair->arc];
    const haw_state *state = frame->state;
    const haw_body *body = &frame->model->body[arc->body];
    const double length = frame->h * pair->spacing;
    haw_sample at;
    knot->share = c->share;
    knot->label = (c->id - pair->first_point) * pair->spacing;
    const int e = haw_rope_find(rope, state->q, knot->label);
    cable->ops->state(cable, e, knot->label, state->q, state->u, &at);
    knot->direction = atan2(c->normal[1], c->normal[0]);
    knot->angle = arc_angle(arc, frame->pair[c->pair].arc, knot->direction);
    knot->slip = c->rate[1];
    knot->speed = arc->turn * (arc->radius * state->u[body->first + 2] - knot->slip);
    knot->normal = c->impulse[0] / (knot->share * length);
    knot->tangential = c->impulse[1] / (knot->share * length);
    knot->tension = smooth_tension(frame, cable, e, knot->label, at.tension);
    knot->strain = at.strain;
}

int haw_wrap_knots(const haw_frame *frame, int pair, haw_rope_knot *knot)
{
    int count = 0;
    for (int i = 0; i < frame->touches; i++) {
        if (frame->touch[i].pair == pair && frame->touch[i].impulse[0] > 0) {
            fill_knot(frame, &frame->touch[i], &knot[count++]);
        }
    }
    return count;
}

/* ---- the wrap ---- */

/*
 * True if the rope enters at the lower label: as it runs; at rest, where vibration leaves small
 * speeds of any sign, as the sheave has turned, or towards the larger tension.
 */
static bool enters_low(const haw_observation *o, const haw_rope_arc *arc, double speed,
                       const double side[2])
{
    const haw_body *body = &o->frame.model->body[arc->body];
    const double spin = o->frame.state->u[body->first + 2];
    const double turned = o->frame.state->q[body->first + 2] - body->start[2];
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
static double label_there(const haw_observation *o, const haw_rope *rope, const haw_rope_arc *arc,
                          const double now[2])
{
    const double *q = o->frame.state->q, *pose = q + o->frame.model->body[arc->body].first;
    const int overflow = (arc->elements - rope->per_arc) / 2;
    double sum = 0;
    for (int k = 0; k <= rope->per_arc; k++) {
        const int node = arc->first_element + overflow + k;
        sum += q[rope->label[node]];
        if (rope->fraction != NULL) { /* else the nodes have their places */
            const int *dof = rope->element[node - 1].dof + 4;
            const double place = now[0] + (now[1] - now[0]) * k / rope->per_arc;
            const double angle = atan2(q[dof[1]] - pose[1], q[dof[0]] - pose[0]);
            sum -= arc->turn * arc->radius * remainder(angle - place, 2 * pi) /
                   hypot(q[dof[2]], q[dof[3]]);
        }
    }
    return sum / (rope->per_arc + 1);
}

/* (R omega - c) / (R omega), c the unstrained length that passes per time, since a frame from which
 * on the sheave has turned far enough that vibrations of the rope do not count. */
static void measure_creep(const haw_observation *o, const haw_rope *rope, const haw_rope_arc *arc,
                          const double now[2], haw_belt_wrap *wrap)
{
    const int turn = o->frame.model->body[arc->body].first + 2;
    const double angle = o->frame.state->q[turn], since = angle - wrap->mark[1];
    if (wrap->is_marked && fabs(since) < FAR) {
        wrap->creep = fabs(o->frame.state->u[turn]) > AT_REST ? wrap->creep : (double)NAN;
        return;
    }
    const double label = label_there(o, rope, arc, now);
    const double way = arc->radius * arc->turn * since;
    wrap->creep = wrap->is_marked ? 1 + (label - wrap->mark[0]) / way : (double)NAN;
    wrap->is_marked = true;
    wrap->mark[0] = label;
    wrap->mark[1] = angle;
}

/* Force of an element on the node whose place begins at its dof `at`, its share of the weight
 * included [N]. */
static double node_force(const haw_observation *o, const haw_rope *rope, int e, int at)
{
    const haw_ale_kind *kind = &rope->kind[rope->element[e].is_span ? 1 : 0];
    double q[HAW_ROPE_DOFS], u[HAW_ROPE_DOFS], f[HAW_ROPE_DOFS] = {0};
    haw_rope_gather(rope, e, o->frame.state->q, q);
    haw_rope_gather(rope, e, o->frame.state->u, u);
    kind->ops->force(kind, &rope->section, q, u, f, f);
    return hypot(f[at], f[at + 1]);
}

/* Place and label of one of the nodes of an element. */
static void node_place(const haw_observation *o, const haw_rope *rope, int e, int node,
                       double place[3])
{
    const int *dof = rope->element[e].dof;
    const double *q = o->frame.state->q;
    place[0] = q[dof[4 * node]];
    place[1] = q[dof[4 * node + 1]];
    place[2] = q[dof[8 + node]];
}

/*
 * Tension where the mesh of the sheave begins: what passes through that node is exact by the
 * balance of what hangs on it, however the tension oscillates within elements and wherever the rope
 * leaves the sheave. The weight of the straight mesh up to the tangent point is taken from it.
 */
static double node_tension(const haw_observation *o, const haw_rope *rope, const haw_rope_arc *arc,
                           int end)
{
    const int overflow = (arc->elements - rope->per_arc) / 2;
    const int outer = end == 0 ? arc->first_element : arc->first_element + arc->elements - 1;
    const int inner = end == 0 ? outer + overflow : outer - overflow;
    const double *gravity = rope->section.gravity;
    double from[3], to[3];
    if (overflow == 0) {
        return node_force(o, rope, end == 0 ? outer - 1 : outer + 1, end == 0 ? 2 : 0);
    }
    node_place(o, rope, outer, end, from);
    node_place(o, rope, inner, end, to);
    const double way[2] = {to[0] - from[0], to[1] - from[1]};
    const double weight = rope->section.density * fabs(to[2] - from[2]) *
                          (gravity[0] * way[0] + gravity[1] * way[1]) / hypot(way[0], way[1]);
    return node_force(o, rope, outer, 4 * end) - weight;
}

/* At the tangent points; of arc1d by the span's own tension there. */
static double side_tension(const haw_observation *o, const haw_cable *cable,
                           const haw_rope_arc *arc, int end)
{
    const haw_rope *rope = cable->rope;
    const haw_state *state = o->frame.state;
    const int first = arc->first_element, last = first + arc->elements - 1;
    haw_sample at;
    if (cable->ops->takes_hard) {
        return node_tension(o, rope, arc, end);
    }
    const int span = end == 0 ? first - 1 : last + 1;
    const haw_rope_element *cell = &rope->element[end == 0 ? first : last];
    const double label = state->q[cell->dof[end]];
    cable->ops->state(cable, span, label, state->q, state->u, &at);
    return at.tension;
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

void haw_rope_wrap(const haw_observation *o, int index, haw_belt_wrap *wrap)
{
    const haw_pair *pair = &o->frame.model->pair[index];
    const haw_cable *cable = &o->frame.model->cable[pair->cable];
    const haw_rope_arc *arc = &cable->rope->arc[pair->arc];
    haw_rope_knot *knot = o->belt->knot;
    const int count = haw_wrap_knots(&o->frame, index, knot);
    double speed = 0;
    wrap->count = count;
    for (int i = 0; i < 2; i++) {
        wrap->side[i] = side_tension(o, cable, arc, i);
    }
    measure_creep(o, cable->rope, arc, o->frame.pair[index].arc, wrap);
    if (count == 0) {
        return;
    }
    fill_chords(arc, pair, count, knot, wrap);
    for (int i = 0; i < count; i++) {
        speed += knot[i].speed / count;
    }
    const bool forward = enters_low(o, arc, speed, wrap->side);
    wrap->entry = knot[forward ? 0 : count - 1].direction;
    wrap->exit = knot[forward ? count - 1 : 0].direction;
    wrap->length = knot[count - 1].label - knot[0].label;
    if (!forward) {
        haw_belt_reverse(count, wrap->chord);
        wrap->side[0] = side_tension(o, cable, arc, 1);
        wrap->side[1] = side_tension(o, cable, arc, 0);
    }
    const double *now = o->frame.pair[index].arc;
    const haw_rope_passage passed = {knot, count, forward, arc->turn * (now[1] - now[0])};
    if (pair->compliance.normal != NULL) {
        haw_rope_slip(&passed, pair->compliance.t.mu_kinetic, wrap);
    } else {
        haw_rope_hard_slip(&passed, pair->options.friction, wrap);
    }
}

/* ---- places on ropes ---- */

/* Place and tension at a fraction of the length of a rope. */
static haw_sample point_at(const haw_observation *o, int cable, double fraction)
{
    const haw_cable *of = &o->frame.model->cable[cable];
    const haw_state *state = o->frame.state;
    double local;
    const int e = of->ops->locate(of, state->q, fraction * of->rope->length, &local);
    haw_sample at;
    of->ops->state(of, e, local, state->q, state->u, &at);
    return at;
}

void haw_rope_place(const haw_observation *o, int cable, double fraction, double x[2])
{
    const haw_sample at = point_at(o, cable, fraction);
    memcpy(x, at.x, 2 * sizeof *x);
}

void haw_rope_tension(const haw_observation *o, const haw_probe *probe, double *value)
{
    const double middle = 0.5 * (probe->range[0] + probe->range[1]);
    value[0] = point_at(o, probe->index, middle).tension;
}

/* ---- slip and stick ---- */

static const double SLIPPING = 0.999;    /* of mu N, as for belts */
static const double SLIPS = 1e-3;        /* of the fastest slip, of set-valued friction */
static const double SLIPS_AT_ALL = 1e-7; /* of the speed of the rope */

/* Friction over its limit, with the coefficient of the last step. */
static double mobilised(const haw_belt_chord *chord, double mu)
{
    return mu * chord->normal > 0 ? fabs(chord->tangential) / (mu * chord->normal) : 0;
}

/* Where the chords lead to friction has one direction, whatever it does at the other end. */
static double friction_way(int count, const haw_belt_chord *chord)
{
    double sum = 0;
    for (int i = count / 2; i < count; i++) {
        sum += chord[i].tangential;
    }
    return sum < 0 ? -1 : 1;
}

/*
 * Chords of the slip arc that begins at the end of the chords, which slip in the given direction:
 * those before which fewest do not. Where the rope lifts off its normal force has a peak that
 * friction does not follow, and single chords stick within a slip arc.
 */
static int slip_count(int count, const haw_belt_chord *chord, double mu, double way)
{
    int score = 0, best = 0, slip = 0;
    for (int i = count - 1; i >= 0; i--) {
        const bool slips = mobilised(&chord[i], mu) >= SLIPPING && chord[i].tangential * way > 0;
        score += slips ? 1 : -1;
        if (score > best) {
            best = score;
            slip = count - i;
        }
    }
    return slip;
}

/* The same where the rope enters, with friction of either direction. */
static int entry_slip_count(int count, const haw_belt_chord *chord, double mu)
{
    int score = 0, best = 0, slip = 0;
    for (int i = 0; i < count; i++) {
        score += mobilised(&chord[i], mu) >= SLIPPING ? 1 : -1;
        if (score > best) {
            best = score;
            slip = i + 1;
        }
    }
    return slip;
}

static const haw_rope_knot *knot_at(const haw_rope_passage *p, int i)
{
    return &p->knot[p->forward ? i : p->count - 1 - i];
}

static double before_exit(const haw_rope_passage *p, int i)
{
    const double angle = knot_at(p, i)->angle;
    return p->forward ? p->wrap - angle : angle;
}

/* A comb of bristles rises to its limit steadily: its last two knots tell where it is reached. */
static double limit_onset(const haw_rope_passage *p, const haw_belt_chord *chord, int first,
                          double mu)
{
    const double last = mobilised(&chord[first - 1], mu);
    const double rise = last - mobilised(&chord[first - 2], mu);
    const double part = 1 - last <= rise ? (1 - last) / rise : 0.5;
    return (1 - part) * before_exit(p, first - 1) + part * before_exit(p, first);
}

/* Slip of set-valued friction rises from zero: its first two knots tell where it begins. */
static double slip_onset(const haw_rope_passage *p, int first)
{
    const double begin = fabs(knot_at(p, first)->slip);
    const double rise = fabs(knot_at(p, first + 1)->slip) - begin;
    const double part = rise > 0 ? fmin(begin / rise, 1) : 0;
    return before_exit(p, first) + part * (before_exit(p, first) - before_exit(p, first + 1));
}

/*
 * Of set-valued friction single impulses are not unique where knots are dense, but what sticks has
 * no slip velocity.
 */
static int slipping_knots(const haw_rope_passage *p)
{
    double fastest = 0;
    int slip = 0;
    for (int i = 0; i < p->count; i++) {
        fastest = fmax(fastest, fabs(p->knot[i].slip));
    }
    const bool any = fastest > SLIPS_AT_ALL * fabs(p->knot[0].speed);
    while (any && slip < p->count &&
           fabs(knot_at(p, p->count - 1 - slip)->slip) > SLIPS * fastest) {
        slip++;
    }
    return slip;
}

/* Angles of slip and stick between the tangent points; `entry` knots slip where the rope enters. */
static void set_angles(const haw_rope_passage *p, int slip, int entry, double onset,
                       haw_belt_wrap *wrap)
{
    const int sticks = p->count - slip - entry;
    double entered = 0;
    wrap->slip = slip == 0 ? 0 : onset;
    if (sticks > 0 && entry > 0) {
        entered = p->wrap - 0.5 * (before_exit(p, entry - 1) + before_exit(p, entry));
    }
    wrap->stick = sticks > 0 ? p->wrap - wrap->slip - entered : 0;
    wrap->slip = sticks > 0 ? wrap->slip : p->wrap;
}

void haw_rope_slip(const haw_rope_passage *p, double mu, haw_belt_wrap *wrap)
{
    const haw_belt_chord *chord = wrap->chord;
    const int slip = slip_count(p->count, chord, mu, friction_way(p->count, chord));
    const int first = p->count - slip, entry = entry_slip_count(first, chord, mu);
    const bool has_onset = slip > 0 && first - entry >= 2;
    double onset = slip > 0 ? before_exit(p, first) : 0;
    onset = has_onset ? limit_onset(p, chord, first, mu) : onset;
    set_angles(p, slip, entry, onset, wrap);
    wrap->effect = haw_belt_fit_friction(slip, chord + first, mu);
}

void haw_rope_hard_slip(const haw_rope_passage *p, double mu, haw_belt_wrap *wrap)
{
    const int slip = slipping_knots(p), first = p->count - slip;
    const double onset = slip > 1 ? slip_onset(p, first) : 0;
    set_angles(p, slip, 0, slip == 1 ? before_exit(p, first) : onset, wrap);
    wrap->effect = haw_belt_fit_friction(slip, wrap->chord + first, mu);
}
