/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spans and slip zones of belts at frames. Cubic cables have their axial force at x = 0
 * and x = L / 2 of each element, between which it is interpolated: elsewhere the strain of the
 * cubic oscillates (K. Ntarladima, M. Pieber, J. Gerstmayr, Nonlinear Dynamics 2023).
 */
#include "observe/belt.h"

#include "base/lie.h"
#include "contact/knot.h"
#include "contact/view.h"

#include <math.h>
#include <string.h>

static const double STILL = 1e-8; /* strain of what rests: the tolerance of all equilibria */

haw_status haw_belt_line_create(haw_arena *arena, const haw_cable *cable, haw_belt_line *line)
{
    const int n = cable->line.elements;
    const bool closed = cable->line.closed;
    line->tension_value = haw_arena_allocate(arena, 2 * (size_t)n + 1, sizeof(double));
    line->speed_value = haw_arena_allocate(arena, (size_t)n, sizeof(double));
    line->tension =
        (haw_belt_samples){2 * n + (closed ? 0 : 1), 0, 0.5, closed, line->tension_value};
    line->speed = (haw_belt_samples){n, 0.5, 1, closed, line->speed_value};
    return haw_arena_status(arena);
}

haw_status haw_belt_create(haw_observation *o)
{
    haw_arena *arena = o->arena;
    const size_t pairs = (size_t)o->frame.model->pairs;
    haw_belt *belt = haw_arena_allocate(arena, 1, sizeof *belt);
    HAW_TRY(haw_arena_status(arena));
    belt->wrap = haw_arena_allocate(arena, pairs + 1, sizeof *belt->wrap);
    belt->zone = haw_arena_allocate(arena, pairs + 1, sizeof *belt->zone);
    belt->span = haw_arena_allocate(arena, pairs + 1, sizeof *belt->span);
    belt->line = haw_arena_allocate(arena, (size_t)o->frame.model->cables + 1, sizeof *belt->line);
    size_t most = 0;
    HAW_TRY(haw_arena_status(arena));
    for (size_t i = 0; i < pairs; i++) {
        const size_t points = (size_t)o->frame.model->pair[i].points;
        most = points > most ? points : most;
        belt->wrap[i].chord = haw_arena_allocate(arena, points + 1, sizeof *belt->wrap[i].chord);
    }
    for (int i = 0; i < o->frame.model->cables; i++) {
        HAW_TRY(haw_belt_line_create(arena, &o->frame.model->cable[i], &belt->line[i]));
    }
    belt->knot = haw_arena_allocate(arena, most + 1, sizeof *belt->knot);
    o->belt = belt;
    return haw_arena_status(arena);
}

void haw_belt_refresh(haw_observation *o)
{
    haw_belt *belt = o->belt;
    for (int i = 0; belt != NULL && i < o->frame.model->pairs; i++) {
        belt->wrap[i].is_fresh = false;
    }
    for (int i = 0; belt != NULL && i < o->frame.model->cables; i++) {
        belt->line[i].is_fresh = belt->line[i].has_spans = false;
    }
}

/* ---- samples of a cable ---- */

static double tension_at(const haw_cable *cable, int e, double s, const double *q, const double *u)
{
    haw_sample at;
    cable->ops->state(cable, e, s, q, u, &at);
    return at.tension;
}

void haw_belt_move(const haw_cable *cable, int e, double s, const double *q, const double *u,
                   haw_belt_motion *motion)
{
    const haw_dofs dofs = cable->ops->dofs(cable, e);
    haw_cable_point point;
    haw_sample at;
    cable->ops->point(cable, e, s, q, NULL, HAW_POINT_JACOBIAN, &point);
    cable->ops->state(cable, e, s, q, NULL, &at);
    memset(motion->v, 0, sizeof motion->v);
    for (int i = 0; i < cable->ops->dimension; i++) {
        for (int a = 0; a < dofs.count; a++) {
            motion->v[i] += point.j[i][a] * u[haw_dof_at(&dofs, a)];
        }
    }
    memcpy(motion->x, at.x, sizeof motion->x);
    motion->speed = vec3_dot(motion->v, at.tangent);
}

void haw_belt_line_sample(const haw_cable *cable, const double *q, const double *u,
                          haw_belt_line *line)
{
    const int n = cable->line.elements;
    for (int e = 0; e < n; e++) {
        line->tension_value[2 * e] = tension_at(cable, e, 0, q, u);
        line->tension_value[2 * e + 1] = tension_at(cable, e, 0.5, q, u);
        haw_belt_motion middle_of;
        haw_belt_move(cable, e, 0.5, q, u, &middle_of);
        line->speed_value[e] = middle_of.speed;
    }
    line->tension_value[2 * n] = tension_at(cable, n - 1, 1, q, u);
}

/* The mean of a span without its ends and the line through the means of its halves lead to the
 * tension at its ends, where single elements are bent and oscillate. @return the mean */
static double fill_sides(const haw_observation *o, int cable, const haw_belt_samples *tension,
                         const haw_belt_span *span)
{
    const haw_belt_span window = haw_belt_trim(*span);
    const double middle = 0.5 * (window.begin + window.end);
    const double part = (span->end - span->begin) / (window.end - window.begin);
    const double mean = haw_belt_mean(tension, window);
    const double rise = haw_belt_mean(tension, (haw_belt_span){middle, window.end}) -
                        haw_belt_mean(tension, (haw_belt_span){window.begin, middle});
    const double length = o->frame.model->cable[cable].line.elements;
    for (int i = 0; i < o->frame.model->pairs; i++) {
        haw_belt_wrap *wrap = &o->belt->wrap[i];
        if (o->frame.model->pair[i].cable != cable || wrap->count == 0) {
            continue;
        }
        if (fabs(remainder(wrap->zone.begin - span->end, length)) < 1e-9) {
            wrap->side[wrap->forward ? 0 : 1] = mean + part * rise;
        }
        if (fabs(remainder(wrap->zone.end - span->begin, length)) < 1e-9) {
            wrap->side[wrap->forward ? 1 : 0] = mean - part * rise;
        }
    }
    return mean;
}

static void find_spans(const haw_observation *o, int cable, haw_belt_line *line)
{
    const haw_line *of = &o->frame.model->cable[cable].line;
    haw_belt *belt = o->belt;
    int zones = 0;
    for (int i = 0; i < o->frame.model->pairs; i++) {
        const haw_belt_wrap *wrap = haw_belt_wrap_get(o, i);
        if (o->frame.model->pair[i].cable == cable && wrap->count > 0) {
            belt->zone[zones++] = wrap->zone;
        }
    }
    const int spans = haw_belt_spans(of->elements, of->closed, zones, belt->zone, belt->span);
    for (int i = 0; i < 2; i++) {
        line->tight[i] = line->slack[i] = (double)NAN;
    }
    for (int i = 0; i < spans; i++) {
        const haw_belt_span window = haw_belt_trim(belt->span[i]);
        const double mean[2] = {fill_sides(o, cable, &line->tension, &belt->span[i]),
                                haw_belt_mean(&line->speed, window)};
        if (spans > 1 && !(mean[0] <= line->tight[0])) {
            line->tight[0] = mean[0];
            line->tight[1] = mean[1];
        }
        if (spans > 1 && !(mean[0] >= line->slack[0])) {
            line->slack[0] = mean[0];
            line->slack[1] = mean[1];
        }
    }
}

static haw_belt_line *sampled_line(const haw_observation *o, int cable)
{
    haw_belt_line *line = &o->belt->line[cable];
    if (!line->is_fresh) {
        line->is_fresh = true;
        haw_belt_line_sample(&o->frame.model->cable[cable], o->frame.state->q, o->frame.state->u,
                             line);
    }
    return line;
}

const haw_belt_line *haw_belt_line_get(const haw_observation *o, int cable)
{
    haw_belt_line *line = sampled_line(o, cable);
    if (!line->has_spans) {
        line->has_spans = true;
        find_spans(o, cable, line);
    }
    return line;
}

/* ---- contact zones ---- */

/* Grid points of a pair from its first to its last closed one. */
typedef struct zone {
    const haw_touch_frame *touch; /* of all pairs */
    const haw_pair *pair;
    const haw_line *line;
    int first, end;         /* its range in `touch` */
    int points;             /* of the grid, without the copy of the start of a closed cable */
    int begin, count;       /* grid point, number */
    int begins_at, ends_at; /* in `touch` */
    bool is_clockwise;      /* the body is to the right of the cable, seen against its axis */
} zone;

static bool is_closed(const zone *z, int i)
{
    return z->touch[i].impulse[0] > 0;
}

static int grid_point(const zone *z, int i)
{
    return (z->touch[i].id - z->pair->first_point) / z->pair->feet;
}

/* A closed cable has no first point: its zone begins behind the longest open piece. */
static void bound_zone(zone *z)
{
    int last = -1, before = -1, widest = -1;
    for (int i = z->first; i < z->end; i++) {
        last = is_closed(z, i) ? i : last;
    }
    z->count = 0;
    for (int i = z->first; i <= last; i++) {
        if (!is_closed(z, i)) {
            continue;
        }
        const int previous = before >= 0 ? grid_point(z, before) : grid_point(z, last) - z->points;
        const int open = grid_point(z, i) - previous;
        if (widest < 0 || (z->line->closed && open > widest)) {
            widest = open;
            z->begins_at = i;
            z->ends_at = before >= 0 ? before : last;
        }
        before = i;
    }
    if (last >= 0) {
        const int length = grid_point(z, z->ends_at) - grid_point(z, z->begins_at);
        z->begin = grid_point(z, z->begins_at);
        z->count = 1 + (length >= 0 ? length : length + z->points);
    }
}

/* NULL for a line that is touched: it has neither a centre nor an axis. */
static const haw_body *find_body(const haw_observation *o, const zone *z)
{
    return z->pair->body >= 0 ? &o->frame.model->body[z->pair->body] : NULL;
}

/* Which way the cable runs about the z axis of the body. */
static bool runs_clockwise(const haw_observation *o, const zone *z)
{
    const haw_model *model = o->frame.model;
    const haw_body *body = find_body(o, z);
    const haw_cable *cable = &model->cable[z->pair->cable];
    const double *q = o->frame.state->q;
    const int last = z->line->elements - 1, begin = z->begin / z->pair->points_per_element;
    const int e = begin < last ? begin : last;
    const int turns = (int)haw_body_dofs(model) - model->dimension;
    double turn[3] = {0, 0, 0}, about = 0;
    haw_pose pose;
    haw_sample at;
    if (body == NULL) {
        return false;
    }
    cable->ops->state(cable, e, haw_cable_local(cable, e, 0.5, q), q, NULL, &at);
    vec3_cross(at.tangent, z->touch[z->begins_at].normal, turn);
    haw_body_pose(body, q, turns, &pose);
    for (int i = 0; i < 3; i++) {
        about += turn[i] * pose.rotation[3 * i + 2];
    }
    return about > 0;
}

/* Of points: other proxies have no pieces of cable of their own. */
static bool find_zone(const haw_observation *o, int pair, zone *z)
{
    const haw_frame *frame = &o->frame;
    const haw_pair *p = &o->frame.model->pair[pair];
    if (p->cable < 0 || p->proxies != HAW_PROXY_POINTS ||
        o->frame.model->cable[p->cable].bundle != NULL) {
        return false;
    }
    *z = (zone){.touch = frame->touch, .pair = p, .line = &o->frame.model->cable[p->cable].line};
    z->points = z->line->closed ? p->points_per_element * z->line->elements : p->ahead / p->feet;
    while (z->first < frame->touches && frame->touch[z->first].pair != pair) {
        z->first++;
    }
    z->end = z->first;
    while (z->end < frame->touches && frame->touch[z->end].pair == pair &&
           frame->touch[z->end].id < p->first_point + p->ahead) {
        z->end++;
    }
    bound_zone(z);
    z->is_clockwise = z->count > 0 && runs_clockwise(o, z);
    return z->count > 0;
}

/* In grid points. */
static double middle(const haw_pair *pair)
{
    return pair->kinematics == HAW_KINEMATICS_CHORD ? 0.5 : 0;
}

void haw_belt_middle(const haw_model *model, const haw_pair *pair, int point, int *element,
                     double *s)
{
    haw_pair_point(model, pair, point, element, s);
    *s += *s < 1 ? middle(pair) / pair->points_per_element : 0;
}

/* Radius of the arc of the centreline: the contact line, at the body's own, is `offset` to the left
 * of it, or the radius of the section inside. NAN where there is no arc about a body. */
static double arc_radius(const haw_observation *o, const zone *z)
{
    const haw_body *body = find_body(o, z);
    const double thickness = o->frame.model->cable[z->pair->cable].radius;
    const double radius = body != NULL ? haw_body_radius(body) + thickness : (double)NAN;
    return isfinite(radius) ? radius - (z->is_clockwise ? z->pair->offset : -z->pair->offset)
                            : (double)NAN;
}

/*
 * True if the cable runs from its start to its end over the body. A cable at rest on a body that
 * turns (a capstan) runs against the surface.
 *
 * @param speed  mean of the contact [m/s]
 */
static bool runs_forward(const haw_observation *o, const zone *z, double speed)
{
    const haw_body *body = find_body(o, z);
    const int spins = (int)haw_body_dofs(o->frame.model) - 1;
    const double spin = body != NULL ? o->frame.state->u[body->first + spins] : 0;
    const double surface = (z->is_clockwise ? -spin : spin) * arc_radius(o, z);
    return fabs(speed) <= 1e-6 * fabs(surface) ? surface <= 0 : speed >= 0;
}

/* On a drum: angle about its axis over the length of the cable that stands for a touch. That is on
 * the circle of its point, and a helix is longer than what it covers of it [1/m]. */
static double turn_rate(const haw_observation *o, const zone *z, const haw_touch_frame *touch,
                        int point)
{
    const haw_model *model = o->frame.model;
    const haw_cable *cable = &model->cable[z->pair->cable];
    const double *q = o->frame.state->q;
    const int n = z->pair->points_per_element;
    const int e = point / n < z->line->elements ? point / n : z->line->elements - 1;
    double off[3];
    haw_pose pose;
    haw_sample at;
    cable->ops->state(cable, e, haw_cable_local(cable, e, (point + middle(z->pair)) / n - e, q), q,
                      NULL, &at);
    haw_body_pose(find_body(o, z), q, 3, &pose);
    for (int k = 0; k < 3; k++) {
        off[k] = touch->x[k] - touch->gap * touch->normal[k] - pose.x[k]; /* where it closes */
    }
    const double axis[3] = {pose.rotation[2], pose.rotation[5], pose.rotation[8]};
    const double up = vec3_dot(off, axis), radius = sqrt(vec3_dot(off, off) - up * up);
    double second[3];
    vec3_cross(touch->normal, touch->tangent, second);
    const double round = vec3_dot(at.tangent, touch->tangent),
                 across = vec3_dot(at.tangent, second);
    return fabs(round) / (hypot(round, across) * radius);
}

/* @return the mean speed of the cable along itself [m/s] */
static double fill_chords(const haw_observation *o, const zone *z, haw_belt_wrap *wrap)
{
    const haw_belt_line *samples = sampled_line(o, z->pair->cable);
    const haw_line *line = z->line;
    const double n = z->pair->points_per_element;
    const haw_body *body = find_body(o, z);
    const bool winds = body != NULL && body->surface.ops->is_drum;
    const double length = line->le / n;
    const double rate =
        winds ? turn_rate(o, z, &z->touch[z->begins_at], z->begin) : 1 / arc_radius(o, z);
    double travel = 0;
    for (int k = 0; k < z->count; k++) {
        const double place = (z->begin + k + middle(z->pair)) / n;
        const double force = haw_belt_interpolate(&samples->tension, place);
        const double strain = force / line->stiffness + line->strain0;
        wrap->chord[k] = (haw_belt_chord){.angle = (1 + strain) * length * rate, .tension = force};
        travel += haw_belt_interpolate(&samples->speed, place);
    }
    for (int i = z->first; i < z->end; i++) {
        const int k = (grid_point(z, i) - z->begin + z->points) % z->points;
        const haw_touch_frame *touch = &z->touch[i];
        haw_belt_chord *chord = &wrap->chord[k];
        if (!is_closed(z, i)) {
            continue;
        }
        chord->normal += touch->impulse[0]; /* of both flanks of a groove */
        chord->tangential += hypot(touch->impulse[1], touch->impulse[2]);
        if (winds) {
            const double strain = chord->tension / line->stiffness + line->strain0;
            chord->angle = (1 + strain) * length * turn_rate(o, z, touch, grid_point(z, i));
        }
    }
    return travel / z->count;
}

static void measure(const haw_observation *o, const zone *z, haw_belt_wrap *wrap)
{
    const haw_pair *pair = z->pair;
    const double n = pair->points_per_element;
    const double mu =
        pair->compliance.normal != NULL ? pair->compliance.t.mu_kinetic : pair->options.friction;
    const bool forward = runs_forward(o, z, fill_chords(o, z, wrap));
    const haw_touch_frame *item = z->touch;
    const double *in = item[forward ? z->begins_at : z->ends_at].normal;
    const double *out = item[forward ? z->ends_at : z->begins_at].normal;
    if (!forward) {
        haw_belt_reverse(z->count, wrap->chord);
    }
    const int slip = haw_belt_slip_count(z->count, wrap->chord, mu);
    const haw_belt_chord *zone_of_slip = wrap->chord + z->count - slip;
    wrap->count = z->count;
    wrap->zone.begin = (z->begin + middle(z->pair) - 0.5) / n;
    wrap->zone.end = wrap->zone.begin + z->count / n;
    wrap->forward = forward;
    wrap->entry = atan2(in[1], in[0]);
    wrap->exit = atan2(out[1], out[0]);
    wrap->length = z->count * z->line->le / n;
    wrap->slip = haw_belt_angle(slip, zone_of_slip);
    wrap->stick = haw_belt_angle(z->count - slip, wrap->chord);
    wrap->effect = haw_belt_fit_friction(slip, zone_of_slip, mu);
}

const haw_belt_wrap *haw_belt_wrap_get(const haw_observation *o, int pair)
{
    haw_belt_wrap *wrap = &o->belt->wrap[pair];
    zone z;
    if (wrap->is_fresh) {
        return wrap;
    }
    const double none = (double)NAN;
    *wrap = (haw_belt_wrap){.is_fresh = true,
                            .chord = wrap->chord,
                            .entry = none,
                            .exit = none,
                            .length = 0,
                            .slip = none,
                            .stick = none,
                            .effect = {none, none},
                            .side = {none, none},
                            .creep = wrap->is_marked ? wrap->creep : none,
                            .way = wrap->way,
                            .anchor = wrap->is_marked ? wrap->anchor : none,
                            .is_marked = wrap->is_marked,
                            .mark = {wrap->mark[0], wrap->mark[1]},
                            .tangential_max = none};
    if (haw_pair_has_knots(&o->frame.model->pair[pair])) {
        haw_wrap_measure(o, pair, wrap);
    } else if (find_zone(o, pair, &z)) {
        measure(o, &z, wrap);
    }
    return wrap;
}

/* ---- probes ---- */

#define LINE_PROBE(name, value)                                                                    \
    void name(const haw_observation *o, const haw_probe *p, double *v)                             \
    {                                                                                              \
        const haw_belt_line *line = haw_belt_line_get(o, p->index);                                \
        v[0] = value;                                                                              \
    }

LINE_PROBE(haw_belt_tension_tight, line->tight[0])
LINE_PROBE(haw_belt_tension_slack, line->slack[0])
LINE_PROBE(haw_belt_speed_tight, fabs(line->tight[1]))
LINE_PROBE(haw_belt_speed_slack, fabs(line->slack[1]))

/*
 * (v_1 - v_2) / v_1: what the belt is slower where it is less stretched. None of a belt at rest: a
 * strain that a start or a step leaves goes as a wave, in a step no further than over the belt,
 * and moves it by that strain of c = sqrt(EA / rho A), or of L / h.
 */
void haw_belt_creep(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_belt_line *line = haw_belt_line_get(o, p->index);
    const haw_line *of = &o->frame.model->cable[p->index].line;
    const double wave = sqrt(of->stiffness / of->density);
    const double rest = STILL * fmin(wave, of->elements * of->le / o->frame.h);
    const double speed = line->tight[1];
    v[0] = fabs(speed) > rest ? (speed - line->slack[1]) / speed : (double)NAN;
}

/* With the tensions of the spans beside it. */
static const haw_belt_wrap *complete_wrap(const haw_observation *o, int pair)
{
    const haw_pair *of = &o->frame.model->pair[pair];
    if (of->cable >= 0 && !haw_pair_has_knots(of)) {
        (void)haw_belt_line_get(o, of->cable);
    }
    return haw_belt_wrap_get(o, pair);
}

/* Without a pair there is no value. */
void haw_belt_wrap_value(const haw_observation *o, const haw_probe *p, double *v)
{
    v[0] = (double)NAN;
    if (p->index >= 0) {
        const haw_belt_wrap *wrap = complete_wrap(o, p->index);
        memcpy(v, (const unsigned char *)wrap + p->row->offset, sizeof *v);
    }
}
