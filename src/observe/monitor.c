/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contacts over time: sums over points, averaged between frames (single points open and close from
 * step to step; only sums are physical), and events.
 */
#include "base/lie.h"
#include "contact/knot.h"
#include "linalg/inline.h"
#include "observe/belt.h"

#include <math.h>
#include <string.h>

enum { NO_SLIP_STATE = 2 };

const char *haw_event_name(haw_event_kind kind)
{
    static const char *const name[] = {"first contact", "contact", "separation",
                                       "stick",         "slip",    "wrap"};
    return name[kind];
}

/* What never changes in the frame. */
static void bind(haw_simulation *simulation, haw_observation *o)
{
    haw_frame *frame = &o->frame;
    frame->ledger = &simulation->ledger;
    frame->certificate = &simulation->certificate;
    frame->pairs = simulation->model.pairs;
    frame->pair = o->pair;
    frame->point_force = o->point_force;
    frame->point_state = o->point_state;
    frame->point_gap = o->point_gap;
    frame->torque = o->torque;
    frame->touch = o->touch;
    frame->probe_values = o->probe_values;
    frame->probe = o->probe_value;
}

haw_status haw_monitor_create(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    haw_arena *arena = o->arena;
    const haw_model *model = &simulation->model;
    const size_t points = (size_t)model->points, bodies = (size_t)model->bodies + 1;
    const size_t pairs = (size_t)model->pairs + 1, rows = (size_t)simulation->state->rows + 1;
    o->point_state = haw_arena_allocate(arena, points + 1, 1);
    o->point_gap = haw_arena_allocate(arena, points + 1, sizeof(double));
    o->marked = haw_arena_allocate(arena, points + 1, sizeof(int));
    o->touch = haw_arena_allocate(arena, points + 1, sizeof *o->touch);
    o->torque_impulse = haw_arena_allocate(arena, bodies, sizeof(double));
    o->torque = haw_arena_allocate(arena, bodies, sizeof(double));
    o->point_impulse = haw_arena_allocate(arena, rows, sizeof(double));
    o->point_force = haw_arena_allocate(arena, rows, sizeof(double));
    o->pair_impulse = haw_arena_allocate(arena, pairs, sizeof *o->pair_impulse);
    o->pair = haw_arena_allocate(arena, pairs, sizeof *o->pair);
    o->history = haw_arena_allocate(arena, pairs, sizeof *o->history);
    HAW_TRY(haw_arena_status(arena));
    for (size_t i = 0; i < points; i++) {
        o->point_state[i] = HAW_POINT_OPEN;
        o->point_gap[i] = (double)NAN;
    }
    for (int i = 0; i < model->pairs; i++) {
        o->history[i].slip = o->history[i].candidate = NO_SLIP_STATE;
        o->pair[i].gap_min = simulation->contacts->gap_min[i];
    }
    bind(simulation, o);
    return HAW_OK;
}

/* What one step shows of one pair. */
typedef struct pair_step {
    double tangential; /* sum of the loads along t, in the plane */
    bool winds;        /* about the axis of the body: angles are those of t1, of others of n */
    double turned;     /* between the outermost closed points [rad] */
    int closed, sticking;
    const haw_touch *first, *last; /* closed points so far */
    int widest;                    /* open piece between two of them, in grid points */
    double across;                 /* angle over it [rad] */
} pair_step;

/* The touches of one pair, which stand together. */
typedef struct touch_run {
    const haw_pair *pair;
    int first, end;
} touch_run;

/*
 * Compliant laws know the regime of a point. Of the others, a point sticks if its tangential load
 * is inside the disk of friction by more than rounding; in the plane friction acts against the
 * slip, and without friction the velocity tells its side.
 */
static HAW_INLINE haw_point_state contact_state(ptrdiff_t d, const haw_pair *pair, double mu,
                                                const double *load, const double *rate,
                                                const double *history)
{
    double tangential = 0;
    if (!(load[0] > 0)) {
        return HAW_POINT_OPEN;
    }
    if (pair->compliance.normal != NULL && mu > 0) {
        return (haw_point_state)(int)history[1];
    }
    for (int k = 1; k < d; k++) {
        tangential = hypot(tangential, load[k]);
    }
    if (tangential < mu * load[0] * (1 - 1e-6)) {
        return HAW_POINT_STICK;
    }
    if (d > 2) {
        return HAW_POINT_FORWARD; /* every slip */
    }
    const double side = load[1] != 0 ? -load[1] : rate[1];
    return side < 0 ? HAW_POINT_BACKWARD : HAW_POINT_FORWARD;
}

/* Only the points of this step and of the one before are touched: the grid is much larger. */
static void open_marked(haw_observation *o)
{
    for (int i = 0; i < o->marked_count; i++) {
        o->point_state[o->marked[i]] = HAW_POINT_OPEN;
        o->point_gap[o->marked[i]] = (double)NAN;
    }
    o->marked_count = 0;
}

/* Between two normals; of neighbours in the plane by a series of the arc sine. */
static inline double angle_between(const double a[3], const double b[3])
{
    const double sine = a[0] * b[1] - a[1] * b[0], square = sine * sine;
    const bool is_flat = a[2] == 0 && b[2] == 0;
    if (is_flat && square < 1e-3 && a[0] * b[0] + a[1] * b[1] > 0) {
        return fabs(sine) * (1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (5.0 / 112))));
    }
    double cross[3];
    vec3_cross(a, b, cross);
    return atan2(vec3_norm(cross), vec3_dot(a, b));
}

/* From one touch to another. The normals of a groove or cone turn by less than the cable about the
 * axis, and from flank to flank by more. */
static double angle_turned(const pair_step *step, const haw_touch *from, const haw_touch *to)
{
    return step->winds ? angle_between(from->tangent, to->tangent)
                       : angle_between(from->normal, to->normal);
}

/* The contact of a closed cable begins behind its longest open piece, not at the first point. */
static void close_loop(const haw_model *model, int pair, pair_step *step)
{
    const haw_pair *p = &model->pair[pair];
    if (step->closed < 2 || p->cable < 0 || !model->cable[p->cable].line.closed) {
        return;
    }
    const int points = p->feet * p->points_per_element * model->cable[p->cable].line.elements;
    if (step->first->id + points - step->last->id < step->widest) {
        step->turned += angle_turned(step, step->last, step->first) - step->across;
    }
}

/* Of a point with several closed feet the first one counts for the wrap. */
static void add_angle(const haw_pair *pair, const haw_touch *c, pair_step *step)
{
    const haw_touch *last = step->last;
    if (last == NULL) {
        step->first = step->last = c;
        return;
    }
    if (pair->feet > 1 &&
        (c->id - pair->first_point) / pair->feet == (last->id - pair->first_point) / pair->feet) {
        return;
    }
    const double angle = angle_turned(step, last, c);
    step->turned += angle;
    if (c->id - last->id > step->widest) {
        step->widest = c->id - last->id;
        step->across = angle;
    }
    step->last = c;
}

/* States and gaps of the points; what the step shows of the pair. */
static HAW_INLINE void add_states(ptrdiff_t d, const haw_simulation *simulation,
                                  const touch_run *run, pair_step *step)
{
    haw_observation *o = simulation->observation;
    const haw_contacts *contacts = simulation->contacts;
    const double *loads = haw_contacts_load(contacts), *history = simulation->state->history;
    for (int i = run->first; i < run->end; i++) {
        const haw_touch *c = &contacts->item[i];
        const double *load = loads + d * i;
        const haw_point_state state =
            contact_state(d, run->pair, contacts->problem.mu[i], load, contacts->gamma_plus + d * i,
                          history + (ptrdiff_t)c->id * HAW_HISTORY);
        o->marked[o->marked_count++] = c->id;
        o->point_state[c->id] = (signed char)state;
        o->point_gap[c->id] = c->gap;
        if (state != HAW_POINT_OPEN) {
            step->closed++;
            step->sticking += state == HAW_POINT_STICK;
            step->tangential += d > 2 ? 0 : load[1];
            add_angle(run->pair, c, step);
        }
    }
}

static haw_status emit(const haw_observation *o, double t, int pair, haw_event_kind kind,
                       double value)
{
    const haw_observer *observer = o->observer;
    if (observer == NULL || observer->event == NULL) {
        return HAW_OK;
    }
    const haw_event event = {t, pair, kind, value};
    return observer->event(observer->user, &event);
}

/* Impulses act within a step: its middle is where contacts are detected. */
static double event_time(const haw_simulation *simulation)
{
    return simulation->state->t - 0.5 * simulation->h;
}

/* A stick or slip state counts once it lasted a twentieth of the separation time; ropes creep. */
static haw_status watch_slip(const haw_simulation *simulation, int pair, const pair_step *step)
{
    haw_pair_history *history = &simulation->observation->history[pair];
    const haw_pair *of = &simulation->model.pair[pair];
    const double t = event_time(simulation), least = simulation->settings.separation / 20;
    if (of->options.friction == 0) {
        return HAW_OK;
    }
    const bool creeps = haw_pair_has_knots(of) && step->sticking > 0;
    const int now = creeps || step->sticking == step->closed ? 0 : (step->tangential > 0 ? -1 : 1);
    if (now != history->candidate) {
        history->candidate = now;
        history->candidate_since = t;
    }
    if (now == history->slip || t - history->candidate_since < least) {
        return HAW_OK;
    }
    history->slip = now;
    return emit(simulation->observation, history->candidate_since, pair,
                now == 0 ? HAW_EVENT_STICK : HAW_EVENT_SLIP, now);
}

static haw_status watch_closed(const haw_simulation *simulation, int pair, const pair_step *step)
{
    haw_pair_history *history = &simulation->observation->history[pair];
    const double t = event_time(simulation);
    history->last_impulse = t;
    history->wrap_max = fmax(history->wrap_max, step->turned);
    if (!history->in_contact) {
        const haw_event_kind kind =
            history->was_in_contact ? HAW_EVENT_CONTACT : HAW_EVENT_FIRST_CONTACT;
        history->in_contact = history->was_in_contact = true;
        history->slip = history->candidate = NO_SLIP_STATE;
        HAW_TRY(emit(simulation->observation, t, pair, kind, 0));
    }
    return watch_slip(simulation, pair, step);
}

static haw_status end_contact(haw_observation *o, int pair, bool separated)
{
    haw_pair_history *history = &o->history[pair];
    history->in_contact = false;
    const double t = history->last_impulse, wrap = history->wrap_max;
    history->wrap_max = 0;
    HAW_TRY(emit(o, t, pair, HAW_EVENT_WRAP, wrap));
    return separated ? emit(o, t, pair, HAW_EVENT_SEPARATION, 0) : HAW_OK;
}

static haw_status watch_pair(const haw_simulation *simulation, int pair, const pair_step *step)
{
    haw_observation *o = simulation->observation;
    const haw_pair_history *history = &o->history[pair];
    haw_pair_frame *frame = &o->pair[pair];
    frame->closed = step->closed;
    frame->sticking = step->sticking;
    frame->wrap_angle = fmax(frame->wrap_angle, step->turned);
    frame->gap_min = simulation->contacts->gap_min[pair];
    if (step->closed > 0) {
        return watch_closed(simulation, pair, step);
    }
    const double open = simulation->state->t - history->last_impulse;
    if (history->in_contact && open > simulation->settings.separation) {
        return end_contact(o, pair, true);
    }
    return HAW_OK;
}

/* Time over which the loads of the step act, as impulses they have it already [s]. */
static double duration(const haw_simulation *simulation)
{
    return simulation->contacts->phase == HAW_STATICS ? simulation->h : 1;
}

/* Impulses of a touch onto those of its body, `dofs` of them. */
static HAW_INLINE void add_rows(ptrdiff_t d, int dofs, const haw_touch *c, const double *impulse,
                                double *sum)
{
    for (int a = 0; a < dofs; a++) {
        for (int k = 0; k < d; k++) {
            sum[a] += c->side[1].row[k][a] * impulse[k];
        }
    }
}

/* On the cable that the scene names second: the opposite of that on the point, its moment about the
 * origin; `sign` -1 where the point is of that cable. */
static void add_force(const haw_touch *c, double sign, const double *impulse, double *sum)
{
    double second[3], force[3], moment[3];
    vec3_cross(c->normal, c->tangent, second);
    for (int i = 0; i < 3; i++) {
        force[i] = -sign * (impulse[0] * c->normal[i] + impulse[1] * c->tangent[i] +
                            impulse[2] * second[i]);
    }
    vec3_cross(c->x, force, moment);
    vec3_add(1, force, sum);
    vec3_add(1, moment, sum + 3);
}

/* In space rows over a body's angular velocity are in its frame, moments in the inertial one. */
static void add_turned(const haw_simulation *simulation, const touch_run *run, const double own[6],
                       double sum[6])
{
    const haw_body *body = &simulation->model.body[run->pair->body];
    double moment[3];
    quaternion_rotate(simulation->state->q + body->first_q + 3, own + 3, moment);
    vec3_add(1, own, sum);
    vec3_add(1, moment, sum + 3);
}

static HAW_INLINE void add_impulses(ptrdiff_t d, const haw_simulation *simulation,
                                    const touch_run *run, double time)
{
    static const int plane[3] = {0, 1, 5}, space[6] = {0, 1, 2, 3, 4, 5};
    const haw_contacts *contacts = simulation->contacts;
    const double *loads = haw_contacts_load(contacts);
    const bool is_line = run->pair->body < 0; /* its forces are vectors, whatever the dimension */
    const int rows = d > 2 ? 6 : 3, dofs = is_line ? 6 : rows;
    const int *place = dofs > 3 ? space : plane;
    double *on_point = simulation->observation->point_impulse;
    double *on_body = simulation->observation->pair_impulse[run->pair - simulation->model.pair];
    double sum[6];
    for (int a = 0; a < dofs; a++) {
        sum[a] = on_body[place[a]];
    }
    for (int i = run->first; i < run->end; i++) {
        const haw_touch *c = &contacts->item[i];
        double impulse[HAW_DIRECTIONS] = {0}, own[6] = {0};
        for (int k = 0; k < d; k++) {
            impulse[k] = time * loads[d * i + k];
            on_point[d * c->id + k] += impulse[k];
        }
        if (is_line) {
            const bool is_back = c->id - run->pair->first_point >= run->pair->ahead;
            add_force(c, is_back != run->pair->is_swapped ? -1 : 1, impulse, sum);
            continue;
        }
        add_rows(d, rows, c, impulse, d > 2 ? own : sum);
        if (d > 2) {
            add_turned(simulation, run, own, sum);
        }
    }
    for (int a = 0; a < dofs; a++) {
        on_body[place[a]] = sum[a];
    }
}

/* What keeps a prescribed spin: the reaction on the body's angle and on the ends of cables that
 * ride on it, of a step or of an equilibrium; a start may hold more than the run does. */
static void add_torques(const haw_simulation *simulation, const double *reaction, double time)
{
    const haw_model *model = &simulation->model;
    const int spin = (int)haw_body_dofs(model) - 1;
    for (int b = 0; b < model->bodies; b++) {
        const haw_body *body = &model->body[b];
        double torque = body->held[spin] ? reaction[body->first + spin] : 0;
        for (int i = 0; i < model->cables; i++) {
            torque += haw_cable_torque(&model->cable[i], b, simulation->state->q, reaction);
        }
        simulation->observation->torque_impulse[b] += time * torque;
    }
}

/* Touches of a pair in part 0 or 1 of the list, of set-valued and of compliant laws, each of which
 * is in the order of pairs: from next[part] on, which goes behind them. */
static touch_run next_run(const haw_simulation *simulation, int pair, int part, int next[2])
{
    const haw_contacts *contacts = simulation->contacts;
    const int end = part == 0 ? simulation->set_valued : contacts->count;
    touch_run run = {&simulation->model.pair[pair], next[part], next[part]};
    while (run.end < end && contacts->item[run.end].pair == pair) {
        run.end++;
    }
    next[part] = run.end;
    return run;
}

/* What this step shows of a pair, whose impulses are added to those since the last frame. */
static pair_step add_pair(const haw_simulation *simulation, int pair, int next[2])
{
    const int d = simulation->contacts->dimension;
    const haw_model *model = &simulation->model;
    const int body = model->pair[pair].body;
    pair_step step = {.winds = body >= 0 && model->body[body].surface.ops->is_drum};
    for (int part = 0; part < 2; part++) {
        const touch_run run = next_run(simulation, pair, part, next);
        HAW_BY_DIMENSION(d, add_states, simulation, &run, &step);
        HAW_BY_DIMENSION(d, add_impulses, simulation, &run, duration(simulation));
    }
    close_loop(model, pair, &step);
    return step;
}

/* Impulses of the equilibria before count on, but their forces are past. */
static void begin_equilibrium(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    const haw_model *model = &simulation->model;
    for (int i = 0; i < model->pairs; i++) {
        for (int a = 0; a < 6; a++) {
            o->pair[i].impulse[a] += o->pair_impulse[i][a];
            o->pair_impulse[i][a] = 0;
        }
    }
    memset(o->point_impulse, 0, (size_t)simulation->state->rows * sizeof(double));
    memset(o->torque_impulse, 0, (size_t)model->bodies * sizeof(double));
    o->frame_time = simulation->state->t - simulation->h;
}

haw_status haw_monitor_step(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    int next[2] = {0, simulation->set_valued};
    if (haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC)) {
        begin_equilibrium(simulation);
    }
    /* The wrap angle of a frame is the largest since the frame before. */
    for (int pair = 0; pair < o->frame.pairs && o->was_shown; pair++) {
        o->pair[pair].wrap_angle = 0;
    }
    o->was_shown = false;
    open_marked(o);
    const bool is_static = simulation->contacts->phase == HAW_STATICS;
    add_torques(simulation, is_static ? simulation->support : simulation->reaction,
                duration(simulation));
    for (int pair = 0; pair < simulation->model.pairs; pair++) {
        const pair_step step = add_pair(simulation, pair, next);
        HAW_TRY(watch_pair(simulation, pair, &step));
    }
    return HAW_OK;
}

void haw_monitor_start(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    int next[2] = {0, simulation->set_valued};
    if (simulation->contacts->count == 0 && simulation->model.start != HAW_START_STATIC) {
        return;
    }
    add_torques(simulation, simulation->support, simulation->h);
    for (int pair = 0; pair < simulation->model.pairs; pair++) {
        const pair_step step = add_pair(simulation, pair, next);
        o->pair[pair].closed = step.closed;
        o->pair[pair].sticking = step.sticking;
        o->pair[pair].wrap_angle = step.turned;
        for (int a = 0; a < 6; a++) { /* impulses count from the start on */
            o->pair[pair].impulse[a] = -o->pair_impulse[pair][a];
        }
    }
    /* they act for the length of a step, which ends with the first frame */
    o->frame_time = simulation->state->t - simulation->h;
}

haw_status haw_monitor_finish(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    for (int pair = 0; pair < simulation->model.pairs; pair++) {
        HAW_TRY(o->history[pair].in_contact ? end_contact(o, pair, false) : HAW_OK);
    }
    return HAW_OK;
}

void haw_monitor_restart(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    const size_t pairs = (size_t)simulation->model.pairs;
    memset(o->point_impulse, 0, (size_t)simulation->state->rows * sizeof *o->point_impulse);
    memset(o->torque_impulse, 0, (size_t)simulation->model.bodies * sizeof *o->torque_impulse);
    memset(o->pair_impulse, 0, pairs * sizeof *o->pair_impulse);
    open_marked(o);
    haw_probes_restart(o);
    for (size_t i = 0; i < pairs; i++) {
        o->history[i] = (haw_pair_history){.slip = NO_SLIP_STATE, .candidate = NO_SLIP_STATE};
        o->pair[i].wrap_angle = 0;
    }
    o->frame_time = simulation->state->t;
}

/* ---- frames ---- */

/* Mean forces since the previous frame from the impulses since then; of equilibria those of the
 * last one, as reactions and tensions are. */
static void average_pair(haw_observation *o, int i, double inverse)
{
    const haw_pair *pair = &o->frame.model->pair[i];
    haw_pair_frame *frame = &o->pair[i];
    double *impulse = o->pair_impulse[i];
    const int d = o->frame.model->dimension;
    frame->normal_sum = frame->tangential_sum = 0;
    for (int k = pair->first_point; k < pair->first_point + pair->points; k++) {
        const double *point = o->point_impulse + (ptrdiff_t)d * k;
        frame->normal_sum += inverse * point[0];
        frame->tangential_sum += inverse * (d > 2 ? hypot(point[1], point[2]) : point[1]);
    }
    for (int a = 0; a < 6; a++) {
        frame->impulse[a] += impulse[a];
    }
    for (int a = 0; a < 3; a++) {
        frame->force[a] = inverse * impulse[a];
        frame->moment[a] = inverse * impulse[3 + a];
    }
    memset(impulse, 0, sizeof o->pair_impulse[i]);
}

void haw_monitor_frame(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    const double elapsed = simulation->state->t - o->frame_time;
    const double inverse = elapsed > 0 ? 1 / elapsed : 0;
    for (int i = 0; i < simulation->model.pairs; i++) {
        average_pair(o, i, inverse);
    }
    for (int k = 0; k < simulation->state->rows; k++) {
        o->point_force[k] = inverse * o->point_impulse[k];
        o->point_impulse[k] = 0;
    }
    for (int b = 0; b < simulation->model.bodies; b++) {
        o->torque[b] = inverse * o->torque_impulse[b];
        o->torque_impulse[b] = 0;
    }
    o->frame_time = simulation->state->t;
    haw_coarse_warn(simulation);
}

static void show_touch(const haw_simulation *simulation, int i, haw_touch_frame *touch)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *c = &contacts->item[i];
    const int d = contacts->dimension;
    const double time = duration(simulation);
    *touch = (haw_touch_frame){.pair = c->pair, .id = c->id, .gap = c->gap, .share = c->share};
    memcpy(touch->normal, c->normal, sizeof c->normal);
    memcpy(touch->tangent, c->tangent, sizeof c->tangent);
    memcpy(touch->x, c->x, sizeof c->x);
    for (int k = 0; k < d; k++) {
        touch->impulse[k] = time * haw_contacts_load(contacts)[d * i + k];
        touch->rate[k] = contacts->gamma_plus[d * i + k];
    }
}

void haw_monitor_refresh(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    haw_frame *frame = &o->frame;
    frame->t = simulation->state->t;
    frame->step = simulation->state->step;
    frame->h = simulation->h;
    frame->touches = 0;
    int next[2] = {0, simulation->set_valued};
    for (int pair = 0; pair < simulation->model.pairs; pair++) {
        for (int part = 0; part < 2; part++) {
            const touch_run run = next_run(simulation, pair, part, next);
            for (int i = run.first; i < run.end; i++) {
                show_touch(simulation, i, &o->touch[frame->touches++]);
            }
        }
    }
    haw_courses_find(o);
    haw_belt_refresh(o);
}
