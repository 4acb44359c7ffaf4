/* SPDX-License-Identifier: BSD-3-Clause */
#include "contact/knot.h"
#include "observe/belt.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double FAR = 0.02;     /* turn of a sheave for a figure of creep [rad] */
static const double AT_REST = 1e-9; /* of a sheave [1/s], [rad] */
static const double PLAY = 1e-3;    /* way of a rope that shows its direction, over the radius */
static const double SLIDES = 1e-3;  /* speed of a rope on a sheave at rest over the radius [1/s] */

/* The sheave of a pair of knots at the present state. */
static haw_sheave sheave_of(const haw_frame *frame, int pair)
{
    const haw_pair *p = &frame->model->pair[pair];
    const haw_cable *cable = &frame->model->cable[p->cable];
    return cable->ops->sheave(cable, p->arc, frame->state->q);
}

void haw_courses_find(haw_observation *o)
{
    for (int i = 0; i < o->frame.model->pairs; i++) {
        o->pair[i].arc[0] = o->pair[i].arc[1] = (double)NAN;
        if (haw_pair_has_knots(&o->frame.model->pair[i])) {
            const haw_sheave sheave = sheave_of(&o->frame, i);
            memcpy(o->pair[i].arc, sheave.at, sizeof sheave.at);
        }
    }
}

/* ---- knots ---- */

/* The angle next to the middle of the arc, turned so that it grows with the labels. */
static double arc_angle(const haw_sheave *sheave, double direction)
{
    const double middle = 0.5 * (sheave->at[1] - sheave->at[0]) * sheave->turn;
    const double angle = sheave->turn * (direction - sheave->at[0]);
    return angle - 2 * pi * floor((angle - middle) / (2 * pi) + 0.5);
}

static void fill_knot(const haw_frame *frame, const haw_touch_frame *c, const haw_sheave *sheave,
                      haw_wrap_knot *knot)
{
    const haw_pair *pair = &frame->model->pair[c->pair];
    const haw_cable *cable = &frame->model->cable[pair->cable];
    const double *q = frame->state->q, *u = frame->state->u;
    const double length = frame->h * pair->spacing;
    double local;
    haw_sample at;
    knot->share = c->share;
    knot->label = (c->id - pair->first_point) * pair->spacing;
    const int e = cable->ops->locate(cable, q, knot->label, &local);
    cable->ops->state(cable, e, local, q, u, &at);
    knot->direction = atan2(c->normal[1], c->normal[0]);
    knot->angle = arc_angle(sheave, knot->direction);
    knot->slip = c->rate[1];
    knot->speed = sheave->turn * (sheave->radius * u[sheave->dof] - knot->slip);
    knot->normal = c->impulse[0] / (knot->share * length);
    knot->tangential = c->impulse[1] / (knot->share * length);
    knot->tension = cable->ops->sheave_tension != NULL
                        ? cable->ops->sheave_tension(cable, e, knot->label, q, u)
                        : at.tension;
    knot->strain = at.strain;
}

int haw_wrap_knots(const haw_frame *frame, int pair, haw_wrap_knot *knot)
{
    const haw_sheave sheave = sheave_of(frame, pair);
    int count = 0;
    for (int i = 0; i < frame->touches; i++) {
        if (frame->touch[i].pair == pair && frame->touch[i].impulse[0] > 0) {
            fill_knot(frame, &frame->touch[i], &sheave, &knot[count++]);
        }
    }
    return count;
}

/* ---- the wrap ---- */

/* Which way the rope has run over the sheave last, with the play of its vibrations: the sides do
 * not swap where it comes to rest. */
static void follow(const haw_observation *o, const haw_pair *pair, const haw_sheave *sheave,
                   haw_belt_wrap *wrap)
{
    const haw_cable *cable = &o->frame.model->cable[pair->cable];
    const double label = cable->ops->sheave_label(cable, pair->arc, o->frame.state->q);
    const double play = PLAY * sheave->radius, ran = wrap->anchor - label;
    if (!isfinite(wrap->anchor)) {
        wrap->anchor = label;
    } else if (fabs(ran) > play) {
        wrap->way = ran > 0 ? 1 : -1;
        wrap->anchor = label + wrap->way * play;
    }
}

/*
 * True if the rope enters at the lower label: as it has run; before that as it runs; at rest, where
 * vibration leaves small speeds of any sign, as the sheave has turned, or towards the larger
 * tension.
 */
static bool enters_low(const haw_observation *o, const haw_pair *pair, const haw_sheave *sheave,
                       int way, double speed, const double side[2])
{
    if (way != 0) {
        return way > 0;
    }
    const haw_model *model = o->frame.model;
    const double spin = o->frame.state->u[sheave->dof];
    const double drawn = model->body[pair->body].start[model->kind->spin];
    const double turned = o->frame.state->q[sheave->dof] - drawn;
    const bool turns = fabs(spin) > AT_REST;
    if (fabs(speed) > (turns ? 1e-3 * fabs(spin) : SLIDES) * sheave->radius) {
        return speed > 0;
    }
    if (turns || fabs(turned) > AT_REST) {
        return sheave->turn * (turns ? -spin : turned) > 0;
    }
    return side[1] > side[0];
}

/* (R omega - c) / (R omega), c the unstrained length that passes per time, since a frame from which
 * on the sheave has turned far enough that vibrations of the rope do not count. */
static void measure_creep(const haw_observation *o, const haw_pair *pair, const haw_sheave *sheave,
                          haw_belt_wrap *wrap)
{
    const haw_cable *cable = &o->frame.model->cable[pair->cable];
    const double angle = o->frame.state->q[sheave->dof], since = angle - wrap->mark[1];
    if (wrap->is_marked && fabs(since) < FAR) {
        const bool rests = fabs(o->frame.state->u[sheave->dof]) <= AT_REST;
        wrap->creep = rests ? (double)NAN : wrap->creep;
        return;
    }
    const double label = cable->ops->sheave_label(cable, pair->arc, o->frame.state->q);
    const double way = sheave->radius * sheave->turn * since;
    wrap->creep = wrap->is_marked ? 1 + (label - wrap->mark[0]) / way : (double)NAN;
    wrap->is_marked = true;
    wrap->mark[0] = label;
    wrap->mark[1] = angle;
}

/* Of a set-valued law single knots are open between closed ones, which then stand for them. */
static void fill_chords(double radius, const haw_pair *pair, int count, const haw_wrap_knot *knot,
                        haw_belt_wrap *wrap)
{
    const double spacing = pair->spacing;
    const bool jumps = pair->compliance.normal == NULL;
    wrap->tangential_max = 0;
    for (int i = 0; i < count; i++) {
        const double before = i > 0 && jumps ? knot[i].label - knot[i - 1].label : spacing;
        const double behind = i < count - 1 && jumps ? knot[i + 1].label - knot[i].label : spacing;
        const double length = 0.5 * knot[i].share * (before + behind);
        wrap->chord[i] = (haw_belt_chord){.angle = (1 + knot[i].strain) * length / radius,
                                          .tension = knot[i].tension,
                                          .normal = knot[i].normal,
                                          .tangential = knot[i].tangential};
        wrap->tangential_max = fmax(wrap->tangential_max, fabs(knot[i].tangential));
    }
}

void haw_wrap_measure(const haw_observation *o, int index, haw_belt_wrap *wrap)
{
    const haw_pair *pair = &o->frame.model->pair[index];
    const haw_cable *cable = &o->frame.model->cable[pair->cable];
    const haw_sheave sheave = sheave_of(&o->frame, index);
    haw_wrap_knot *knot = o->belt->knot;
    const int count = haw_wrap_knots(&o->frame, index, knot);
    double speed = 0, side[2];
    wrap->count = count;
    for (int i = 0; i < 2; i++) {
        wrap->side[i] = side[i] =
            cable->ops->side_tension(cable, pair->arc, i, o->frame.state->q, o->frame.state->u);
    }
    follow(o, pair, &sheave, wrap);
    measure_creep(o, pair, &sheave, wrap);
    if (count == 0) {
        return;
    }
    fill_chords(sheave.radius, pair, count, knot, wrap);
    for (int i = 0; i < count; i++) {
        speed += knot[i].speed / count;
    }
    const bool forward = enters_low(o, pair, &sheave, wrap->way, speed, side);
    wrap->entry = knot[forward ? 0 : count - 1].direction;
    wrap->exit = knot[forward ? count - 1 : 0].direction;
    wrap->length = knot[count - 1].label - knot[0].label;
    if (!forward) {
        haw_belt_reverse(count, wrap->chord);
        wrap->side[0] = side[1];
        wrap->side[1] = side[0];
    }
    const double angle = sheave.turn * (sheave.at[1] - sheave.at[0]);
    const haw_wrap_passage passed = {knot, count, forward, angle};
    if (pair->compliance.normal != NULL) {
        haw_wrap_slip(&passed, pair->compliance.t.mu_kinetic, wrap);
    } else {
        haw_wrap_hard_slip(&passed, pair->options.friction, wrap);
    }
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

/*
 * Chords of the slip arc that begins with the first one in the order of `step`, those behind which
 * fewest do not slip: where the rope lifts off its normal force has a peak that friction does not
 * follow, and single chords stick within a slip arc.
 * @param way  of friction, 0: either
 */
static int slip_count(int count, const haw_belt_chord *chord, int step, double mu, double way)
{
    int score = 0, best = 0, slip = 0;
    for (int i = 0; i < count; i++, chord += step) {
        const bool has_way = way == 0 || chord->tangential * way > 0;
        score += mobilised(chord, mu) >= SLIPPING && has_way ? 1 : -1;
        if (score > best) {
            best = score;
            slip = i + 1;
        }
    }
    return slip;
}

static const haw_wrap_knot *knot_at(const haw_wrap_passage *p, int i)
{
    return &p->knot[p->forward ? i : p->count - 1 - i];
}

static double before_exit(const haw_wrap_passage *p, int i)
{
    const double angle = knot_at(p, i)->angle;
    return p->forward ? p->wrap - angle : angle;
}

/* A comb of bristles rises to its limit steadily: its last two knots tell where it is reached. */
static double limit_onset(const haw_wrap_passage *p, const haw_belt_chord *chord, int first,
                          double mu)
{
    const double last = mobilised(&chord[first - 1], mu);
    const double rise = last - mobilised(&chord[first - 2], mu);
    const double part = 1 - last <= rise ? (1 - last) / rise : 0.5;
    return (1 - part) * before_exit(p, first - 1) + part * before_exit(p, first);
}

/* Slip of set-valued friction rises from zero: its first two knots tell where it begins. */
static double slip_onset(const haw_wrap_passage *p, int first)
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
static int slipping_knots(const haw_wrap_passage *p)
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
static void set_angles(const haw_wrap_passage *p, int slip, int entry, double onset,
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

void haw_wrap_slip(const haw_wrap_passage *p, double mu, haw_belt_wrap *wrap)
{
    const haw_belt_chord *chord = wrap->chord;
    double friction = 0; /* over the second half: where it leads, friction has one direction */
    for (int i = p->count / 2; i < p->count; i++) {
        friction += chord[i].tangential;
    }
    const double way = friction < 0 ? -1 : 1;
    const int slip = slip_count(p->count, chord + p->count - 1, -1, mu, way);
    const int first = p->count - slip, entry = slip_count(first, chord, 1, mu, 0);
    const bool has_onset = slip > 0 && first - entry >= 2;
    double onset = slip > 0 ? before_exit(p, first) : 0;
    onset = has_onset ? limit_onset(p, chord, first, mu) : onset;
    set_angles(p, slip, entry, onset, wrap);
    wrap->effect = haw_belt_fit_friction(slip, chord + first, mu);
}

void haw_wrap_hard_slip(const haw_wrap_passage *p, double mu, haw_belt_wrap *wrap)
{
    const int slip = slipping_knots(p), first = p->count - slip;
    const double onset = slip > 1 ? slip_onset(p, first) : 0;
    set_angles(p, slip, 0, slip == 1 ? before_exit(p, first) : onset, wrap);
    wrap->effect = haw_belt_fit_friction(slip, wrap->chord + first, mu);
}
