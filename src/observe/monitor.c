/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is worth knowing of contacts: sums over points, to be averaged between frames (single points
 * open and close from step to step; only sums are physical), and events.
 */
#include "base/lie.h"
#include "contact/knot.h"
#include "observe/probe.h"

#include <math.h>
#include <string.h>

enum { NO_SLIP_STATE = 2 };

const char *haw_event_name(haw_event_kind kind)
{
    static const char *const name[] = {"first contact", "contact", "separation",
                                       "stick",         "slip",    "wrap"};
    return name[kind];
}

/* All points open, no moment. */
static haw_status create_points(haw_simulation *simulation)
{
    haw_arena *arena = &simulation->arena;
    const size_t points = (size_t)simulation->model.points;
    const size_t bodies = (size_t)simulation->model.bodies + 1;
    simulation->point_state = haw_arena_allocate(arena, points + 1, 1);
    simulation->point_gap = haw_arena_allocate(arena, points + 1, sizeof(double));
    simulation->marked = haw_arena_allocate(arena, points + 1, sizeof(int));
    simulation->torque_impulse = haw_arena_allocate(arena, bodies, sizeof(double));
    simulation->torque = haw_arena_allocate(arena, bodies, sizeof(double));
    if (simulation->point_state == NULL || simulation->point_gap == NULL ||
        simulation->marked == NULL || simulation->torque_impulse == NULL ||
        simulation->torque == NULL) {
        return HAW_ERR_NOMEM;
    }
    memset(simulation->point_state, HAW_POINT_OPEN, points);
    for (size_t i = 0; i < points; i++) {
        simulation->point_gap[i] = (double)NAN;
    }
    return HAW_OK;
}

haw_status haw_monitor_create(haw_simulation *simulation)
{
    haw_arena *arena = &simulation->arena;
    const size_t pairs = (size_t)simulation->model.pairs + 1;
    const size_t rows = (size_t)simulation->state->rows + 1;
    HAW_TRY(create_points(simulation));
    simulation->point_impulse = haw_arena_allocate(arena, rows, sizeof(double));
    simulation->point_force = haw_arena_allocate(arena, rows, sizeof(double));
    simulation->pair_impulse = haw_arena_allocate(arena, pairs, sizeof *simulation->pair_impulse);
    simulation->pair = haw_arena_allocate(arena, pairs, sizeof *simulation->pair);
    simulation->history = haw_arena_allocate(arena, pairs, sizeof *simulation->history);
    if (simulation->point_impulse == NULL || simulation->point_force == NULL ||
        simulation->pair_impulse == NULL || simulation->pair == NULL ||
        simulation->history == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < simulation->model.pairs; i++) {
        simulation->history[i].slip = simulation->history[i].candidate = NO_SLIP_STATE;
        simulation->pair[i].gap_min = (double)INFINITY;
    }
    return HAW_OK;
}

/* What one step shows of one pair. */
typedef struct pair_step {
    double load[2]; /* sums of N and T, in the plane */
    double turned;  /* between the outermost closed normals [rad] */
    int closed, sticking;
    const haw_touch *first, *last; /* closed points so far */
    int widest;                    /* open piece between two of them, in grid points */
    double across;                 /* angle over it [rad] */
} pair_step;

/* In space, of set-valued laws: inside the friction disk by more than rounding, or on its edge. */
static haw_point_state disk_state(const haw_simulation *simulation, int i)
{
    const haw_contacts *contacts = simulation->contacts;
    const double *load = haw_contacts_load(contacts) + (ptrdiff_t)3 * i;
    const double mu = simulation->model.pair[contacts->item[i].pair].options.friction;
    if (!(load[0] > 0)) {
        return HAW_POINT_OPEN;
    }
    const bool sticks = hypot(load[1], load[2]) < mu * load[0] * (1 - 1e-6);
    return sticks ? HAW_POINT_STICK : HAW_POINT_FORWARD;
}

/*
 * Compliant laws know the regime of a point. Of the others, a point sticks if its tangential
 * load is inside the cone by more than rounding; friction acts against the slip, and without
 * friction the velocity tells its side.
 */
static haw_point_state contact_state(const haw_simulation *simulation, int i)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *c = &contacts->item[i];
    if (contacts->dimension == 3) {
        return disk_state(simulation, i);
    }
    const double *load = haw_contacts_load(contacts) + (ptrdiff_t)2 * i;
    const double mu = contacts->problem.mu[i];
    if (!(load[0] > 0)) {
        return HAW_POINT_OPEN;
    }
    if (simulation->model.pair[c->pair].compliance.normal != NULL && mu > 0) {
        return (haw_point_state)(int)simulation->state->history[c->id * HAW_HISTORY + 1];
    }
    if (fabs(load[1]) < mu * load[0] * (1 - 1e-6)) {
        return HAW_POINT_STICK;
    }
    const double side = load[1] != 0 ? -load[1] : contacts->gamma_plus[2 * i + 1];
    return side < 0 ? HAW_POINT_BACKWARD : HAW_POINT_FORWARD;
}

/* Only the points of this step and of the one before are touched: the grid is much larger. */
static void open_marked(haw_simulation *simulation)
{
    for (int i = 0; i < simulation->marked_count; i++) {
        simulation->point_state[simulation->marked[i]] = HAW_POINT_OPEN;
        simulation->point_gap[simulation->marked[i]] = (double)NAN;
    }
    simulation->marked_count = 0;
}

static haw_point_state mark_contact(haw_simulation *simulation, int i)
{
    const haw_touch *c = &simulation->contacts->item[i];
    const haw_point_state state = contact_state(simulation, i);
    simulation->marked[simulation->marked_count++] = c->id;
    simulation->point_state[c->id] = (signed char)state;
    simulation->point_gap[c->id] = c->gap;
    return state;
}

/* Between unit vectors; those of neighbours are close to each other (series of the arc sine). */
static double angle_between(const double a[2], const double b[2])
{
    const double sine = a[0] * b[1] - a[1] * b[0], cosine = a[0] * b[0] + a[1] * b[1];
    const double square = sine * sine;
    if (cosine > 0 && square < 1e-3) {
        return fabs(sine) * (1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (5.0 / 112))));
    }
    return fabs(atan2(sine, cosine));
}

/* The same of normals in space. */
static double angle_across(const haw_touch *a, const haw_touch *b)
{
    double cross[3];
    vec3_cross(a->normal, b->normal, cross);
    return atan2(vec3_norm(cross), vec3_dot(a->normal, b->normal));
}

/* The contact of a closed cable begins behind its longest open piece, not at the first point. */
static void close_loop(const haw_model *model, int pair, pair_step *step)
{
    const haw_pair *p = &model->pair[pair];
    if (step->closed < 2 || p->cable < 0 || !model->cable[p->cable].line.closed) {
        return;
    }
    const int points = p->points_per_element * model->cable[p->cable].line.elements;
    if (step->first->id + points - step->last->id < step->widest) {
        step->turned += angle_between(step->last->normal, step->first->normal) - step->across;
    }
}

/* Of a point with several closed feet the first one counts for the wrap. */
static void add_foot(const haw_simulation *simulation, const haw_touch *c, pair_step *step)
{
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const haw_touch *last = step->last;
    if (last != NULL &&
        (c->id - pair->first_point) / pair->feet == (last->id - pair->first_point) / pair->feet) {
        return;
    }
    step->turned += last != NULL ? angle_across(last, c) : 0;
    step->last = c;
}

static void add_contact(haw_simulation *simulation, int i, pair_step *step)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *c = &contacts->item[i];
    const double *load = haw_contacts_load(contacts) + (ptrdiff_t)contacts->dimension * i;
    const haw_point_state state = mark_contact(simulation, i);
    if (state == HAW_POINT_OPEN) {
        return;
    }
    step->closed++;
    step->sticking += state == HAW_POINT_STICK;
    if (contacts->dimension == 3) {
        add_foot(simulation, c, step);
        return;
    }
    if (step->last != NULL) {
        const double angle = angle_between(step->last->normal, c->normal);
        step->turned += angle;
        if (c->id - step->last->id > step->widest) {
            step->widest = c->id - step->last->id;
            step->across = angle;
        }
    } else {
        step->first = c;
    }
    step->last = c;
    step->load[0] += load[0];
    step->load[1] += load[1];
}

static haw_status emit(const haw_simulation *simulation, double t, int pair, haw_event_kind kind,
                       double value)
{
    const haw_observer *observer = simulation->observer;
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
static haw_status watch_slip(haw_simulation *simulation, int pair, const pair_step *step)
{
    haw_pair_history *history = &simulation->history[pair];
    const haw_pair *of = &simulation->model.pair[pair];
    const double t = event_time(simulation), least = simulation->settings.separation / 20;
    if (of->options.friction == 0) {
        return HAW_OK;
    }
    const bool creeps = haw_pair_is_rope(&simulation->model, of) && step->sticking > 0;
    const int now = creeps || step->sticking == step->closed ? 0 : (step->load[1] > 0 ? -1 : 1);
    if (now != history->candidate) {
        history->candidate = now;
        history->candidate_since = t;
    }
    if (now == history->slip || t - history->candidate_since < least) {
        return HAW_OK;
    }
    history->slip = now;
    return emit(simulation, history->candidate_since, pair,
                now == 0 ? HAW_EVENT_STICK : HAW_EVENT_SLIP, now);
}

static haw_status watch_closed(haw_simulation *simulation, int pair, const pair_step *step)
{
    haw_pair_history *history = &simulation->history[pair];
    const double t = event_time(simulation);
    history->last_impulse = t;
    history->wrap_max = fmax(history->wrap_max, step->turned);
    if (!history->in_contact) {
        const haw_event_kind kind =
            history->was_in_contact ? HAW_EVENT_CONTACT : HAW_EVENT_FIRST_CONTACT;
        history->in_contact = history->was_in_contact = true;
        history->slip = history->candidate = NO_SLIP_STATE;
        HAW_TRY(emit(simulation, t, pair, kind, 0));
    }
    return watch_slip(simulation, pair, step);
}

static haw_status end_contact(haw_simulation *simulation, int pair, bool separated)
{
    haw_pair_history *history = &simulation->history[pair];
    history->in_contact = false;
    const double t = history->last_impulse, wrap = history->wrap_max;
    history->wrap_max = 0;
    HAW_TRY(emit(simulation, t, pair, HAW_EVENT_WRAP, wrap));
    return separated ? emit(simulation, t, pair, HAW_EVENT_SEPARATION, 0) : HAW_OK;
}

static haw_status watch_pair(haw_simulation *simulation, int pair, const pair_step *step)
{
    haw_pair_history *history = &simulation->history[pair];
    haw_pair_frame *frame = &simulation->pair[pair];
    frame->closed = step->closed;
    frame->sticking = step->sticking;
    frame->wrap_angle = fmax(frame->wrap_angle, step->turned);
    frame->gap_min = simulation->contacts->gap_min[pair];
    if (step->closed > 0) {
        return watch_closed(simulation, pair, step);
    }
    const double open = simulation->state->t - history->last_impulse;
    if (history->in_contact && open > simulation->settings.separation) {
        return end_contact(simulation, pair, true);
    }
    return HAW_OK;
}

/* Time over which the loads of the step act, as impulses they have it already [s]. */
static double duration(const haw_simulation *simulation)
{
    return simulation->contacts->phase == HAW_STATICS ? simulation->h : 1;
}

static void add_impulses(haw_simulation *simulation, int i)
{
    static const int plane[3] = {0, 1, 5};
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *c = &contacts->item[i];
    const double time = duration(simulation);
    double *on_body = simulation->pair_impulse[c->pair];
    for (int k = 0; k < 2; k++) {
        const double impulse = time * haw_contacts_load(contacts)[2 * i + k];
        simulation->point_impulse[2 * c->id + k] += impulse;
        for (int a = 0; a < 3; a++) {
            on_body[plane[a]] += c->side[1].row[k][a] * impulse;
        }
    }
}

/* Rows over a body's angular velocity are in its frame, moments in the inertial one. */
static void add_impulses_in_space(haw_simulation *simulation, int i)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_touch *c = &contacts->item[i];
    const haw_body *body = &simulation->model.body[simulation->model.pair[c->pair].body];
    const double time = duration(simulation);
    double sum[6] = {0}, moment[3];
    for (int k = 0; k < 3; k++) {
        const double impulse = time * haw_contacts_load(contacts)[3 * i + k];
        simulation->point_impulse[3 * c->id + k] += impulse;
        for (int a = 0; a < 6; a++) {
            sum[a] += c->side[1].row[k][a] * impulse;
        }
    }
    quaternion_rotate(simulation->state->q + body->first_q + 3, sum + 3, moment);
    vec3_add(1, sum, simulation->pair_impulse[c->pair]);
    vec3_add(1, moment, simulation->pair_impulse[c->pair] + 3);
}

/* The wrap angle of a frame is the largest since the frame before. */
static void start_interval(haw_simulation *simulation)
{
    for (int i = 0; i < simulation->model.pairs && simulation->was_shown; i++) {
        simulation->pair[i].wrap_angle = 0;
    }
    simulation->was_shown = false;
}

/* What keeps a prescribed spin: the reaction of the step on the body's angle. */
static void add_torques(haw_simulation *simulation)
{
    const int spin = (int)haw_body_dofs(&simulation->model) - 1;
    const double time = duration(simulation);
    for (int b = 0; b < simulation->model.bodies && simulation->reaction != NULL; b++) {
        simulation->torque_impulse[b] +=
            time * simulation->reaction[simulation->model.body[b].first + spin];
    }
}

haw_status haw_monitor_step(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    int i = 0;
    start_interval(simulation);
    open_marked(simulation);
    add_torques(simulation);
    for (int pair = 0; pair < simulation->model.pairs; pair++) {
        pair_step step = {.first = NULL};
        for (; i < contacts->count && contacts->item[i].pair == pair; i++) {
            add_contact(simulation, i, &step);
            if (contacts->dimension == 3) {
                add_impulses_in_space(simulation, i);
            } else {
                add_impulses(simulation, i);
            }
        }
        close_loop(&simulation->model, pair, &step);
        HAW_TRY(watch_pair(simulation, pair, &step));
    }
    return HAW_OK;
}

haw_status haw_monitor_finish(haw_simulation *simulation)
{
    for (int pair = 0; pair < simulation->model.pairs; pair++) {
        const bool ends = simulation->history[pair].in_contact;
        HAW_TRY(ends ? end_contact(simulation, pair, false) : HAW_OK);
    }
    return HAW_OK;
}

void haw_monitor_restart(haw_simulation *simulation)
{
    const size_t rows = (size_t)simulation->state->rows;
    memset(simulation->point_impulse, 0, rows * sizeof(double));
    memset(simulation->torque_impulse, 0, (size_t)simulation->model.bodies * sizeof(double));
    open_marked(simulation);
    haw_probes_restart(simulation);
    memset(simulation->pair_impulse, 0,
           (size_t)simulation->model.pairs * sizeof *simulation->pair_impulse);
    for (int i = 0; i < simulation->model.pairs; i++) {
        simulation->history[i] =
            (haw_pair_history){.slip = NO_SLIP_STATE, .candidate = NO_SLIP_STATE};
        simulation->pair[i].wrap_angle = 0;
    }
    simulation->frame_time = simulation->state->t;
}
