/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation, step bookkeeping and evaluation of contact between ropes and sheaves. */
#include "contact/rope_internal.h"

#include <math.h>
#include <string.h>

const haw_rope_kernel *haw_rope_kernel_find(const haw_rope *rope)
{
    return rope->ops == haw_rope_kernel_ale.rope ? &haw_rope_kernel_ale : &haw_rope_kernel_arc1d;
}

double haw_rope_spacing(const haw_pair *pair)
{
    return pair->spacing;
}

haw_rope_side haw_rope_side_of(const haw_model *model, const haw_pair *pair)
{
    const bool is_hard = pair->compliance.normal == NULL;
    return (haw_rope_side){.model = model,
                           .cable = &model->cable[pair->cable],
                           .cable_index = pair->cable,
                           .arc = pair->arc,
                           .body = pair->body,
                           .k_n = is_hard ? (double)INFINITY
                                          : pair->compliance.n.stiffness / pair->spacing,
                           .spacing = pair->spacing};
}

void haw_rope_knots(const haw_pair *pair, const double label[2], int *first, int *last)
{
    const double last_knot = pair->points - 1;
    *first = (int)fmin(fmax(ceil(label[0] / pair->spacing), 0), last_knot + 1);
    *last = (int)fmin(fmax(floor(label[1] / pair->spacing), -1), last_knot);
}

/* ---- creation ---- */

static bool is_wanted(const haw_model *model, const haw_pair *pair)
{
    return haw_pair_is_rope(model, pair) && pair->compliance.normal != NULL;
}

/* Twice the knots that fit on the arc as drawn. */
static int most_knots(const haw_rope_pair *pair)
{
    const haw_rope *rope = pair->rope;
    const haw_rope_arc *arc = &rope->arc[pair->pair->arc];
    const double length = arc->radius * fabs(arc->out - arc->in) + 2 * rope->overflow;
    const int knots = 2 * (int)fmin(ceil(length / pair->pair->spacing), pair->pair->points) + 2;
    return knots < pair->pair->points ? knots : pair->pair->points;
}

static haw_status reserve(haw_rope_contact *c, int touches)
{
    if (touches <= c->capacity) {
        return HAW_OK;
    }
    int capacity = c->capacity == 0 ? touches : c->capacity;
    while (capacity < touches) {
        capacity *= 2;
    }
    haw_rope_touch *touch = haw_allocate(c->context, (size_t)capacity, sizeof *touch);
    if (touch == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (c->touches > 0) {
        memcpy(touch, c->touch, (size_t)c->touches * sizeof *touch);
    }
    haw_release(c->context, c->touch);
    c->touch = touch;
    c->capacity = capacity;
    return HAW_OK;
}

static haw_status set_pairs(haw_rope_contact *c)
{
    const double turn = 2 * acos(-1.0);
    int touches = 1;
    for (int i = 0; i < c->model->pairs; i++) {
        const haw_pair *of = &c->model->pair[i];
        if (is_wanted(c->model, of)) {
            haw_rope_pair *pair = &c->pair[c->pairs++];
            const haw_rope *rope = c->model->cable[of->cable].rope;
            *pair = (haw_rope_pair){.pair = of,
                                    .rope = rope,
                                    .kernel = haw_rope_kernel_find(rope),
                                    .side = haw_rope_side_of(c->model, of),
                                    .index = i,
                                    .period = turn * rope->arc[of->arc].radius,
                                    .last = -1,
                                    .to = of->points - 1};
            touches += most_knots(pair);
        }
    }
    haw_rope_contact_friction(c, (double)NAN);
    return reserve(c, touches);
}

static haw_status set_up(haw_rope_contact *c)
{
    const haw_model *model = c->model;
    const size_t dofs = (size_t)model->dofs + 1, points = (size_t)model->points + 1;
    c->pair = haw_arena_allocate(&c->arena, (size_t)model->pairs + 1, sizeof *c->pair);
    c->q = haw_arena_allocate(&c->arena, dofs, sizeof(double));
    c->u = haw_arena_allocate(&c->arena, dofs, sizeof(double));
    c->memo = haw_arena_allocate(&c->arena, points, sizeof *c->memo);
    if (c->pair == NULL || c->q == NULL || c->u == NULL || c->memo == NULL) {
        return HAW_ERR_NOMEM;
    }
    return set_pairs(c);
}

haw_status haw_rope_contact_create(haw_context *context, const haw_model *model,
                                   haw_rope_contact **contact)
{
    haw_rope_contact *c = haw_allocate(context, 1, sizeof *c);
    *contact = NULL;
    if (c == NULL) {
        return HAW_ERR_NOMEM;
    }
    c->context = context;
    c->model = model;
    haw_arena_init(&c->arena, context);
    const haw_status status = set_up(c);
    if (status != HAW_OK) {
        haw_rope_contact_free(c);
        return status;
    }
    *contact = c;
    return HAW_OK;
}

void haw_rope_contact_free(haw_rope_contact *contact)
{
    if (contact != NULL) {
        haw_release(contact->context, contact->touch);
        haw_arena_fini(&contact->arena);
        haw_release(contact->context, contact);
    }
}

/* ---- a step ---- */

void haw_rope_contact_friction(haw_rope_contact *contact, double friction)
{
    static const haw_regime last[2] = {HAW_REGIME_STICK, HAW_REGIME_FORWARD};
    for (int i = 0; i < contact->pairs; i++) {
        haw_rope_pair *pair = &contact->pair[i];
        for (int k = 0; k < 2; k++) {
            pair->t[k] = haw_friction_after(&pair->pair->compliance.t, last[k]);
            if (!isnan(friction)) {
                pair->t[k].mu_static = pair->t[k].mu_kinetic = friction;
            }
        }
    }
}

void haw_rope_contact_begin(haw_rope_contact *contact, const haw_state *state, double h)
{
    haw_rope_contact *c = contact;
    const size_t bytes = (size_t)c->model->dofs * sizeof(double);
    c->h = h;
    c->step++;
    c->history = state->history;
    memcpy(c->q, state->q, bytes);
    memcpy(c->u, state->u, bytes);
}

/* What this step knows of a knot. */
static haw_knot_memo *recall(haw_rope_contact *c, int id)
{
    haw_knot_memo *memo = &c->memo[id];
    if (memo->step != c->step) {
        memo->step = c->step;
        memo->has_start = false;
        memo->is_closed = -1;
        memo->slips = HAW_REGIME_NONE;
        memo->flips = memo->slip_flips = 0;
    }
    return memo;
}

/* Open or closed by the sign of the gap, but for a knot that has changed too often in this step. */
static bool decide_closed(haw_rope_contact *c, const haw_rope_pair *pair,
                          const haw_rope_touch *touch)
{
    haw_knot_memo *memo = recall(c, touch->id);
    const bool is_closed = touch->gap <= 0 && touch->share > 0 && !haw_knot_waits(c, pair, touch);
    if (c->h == 0 || memo->is_closed == is_closed) {
        return is_closed;
    }
    if (memo->is_closed >= 0) {
        if (memo->flips >= HAW_FLIPS_MAX) {
            c->held++;
            return memo->is_closed == 1;
        }
        memo->flips++;
    }
    memo->is_closed = is_closed ? 1 : 0;
    return is_closed;
}

static haw_status evaluate_pair(haw_rope_contact *c, haw_rope_pair *pair, const double *q,
                                const double *u, double *const force[2])
{
    double label[2];
    pair->kernel->range(&pair->side, q, label);
    haw_rope_knots(pair->pair, label, &pair->first, &pair->last);
    const int count = haw_rope_pair_count(pair);
    HAW_TRY(reserve(c, c->touches + count));
    haw_rope_touch *touch = &c->touch[c->touches];
    pair->touch = c->touches;
    pair->gap_min = HUGE_VAL;
    c->touches += count;
    for (int i = 0; i < count; i++) {
        touch[i].id = pair->pair->first_point + pair->first + i;
        touch[i].label = (pair->first + i) * pair->pair->spacing;
    }
    pair->kernel->place(&pair->side, q, u, count, touch);
    for (int i = 0; i < count; i++) {
        pair->gap_min = touch[i].gap < pair->gap_min ? touch[i].gap : pair->gap_min;
        touch[i].is_closed = decide_closed(c, pair, &touch[i]);
        if (touch[i].is_closed) {
            haw_knot_push(c, pair, &touch[i]);
            c->closed++;
        }
    }
    pair->kernel->apply(&pair->side, count, touch, force[0], force[1]);
    return HAW_OK;
}

haw_status haw_rope_contact_evaluate(haw_rope_contact *contact, const double *q, const double *u,
                                     double *normal, double *tangential)
{
    double *const force[2] = {normal, tangential};
    contact->touches = contact->closed = contact->held = 0;
    for (int i = 0; i < contact->pairs; i++) {
        HAW_TRY(evaluate_pair(contact, &contact->pair[i], q, u, force));
    }
    return HAW_OK;
}

void haw_rope_contact_tangent(haw_rope_contact *contact, double rate, haw_system *system)
{
    for (int i = 0; i < contact->pairs; i++) {
        const haw_rope_pair *pair = &contact->pair[i];
        pair->kernel->tangent(&pair->side, haw_rope_pair_count(pair), &contact->touch[pair->touch],
                              rate, system);
    }
}

/* Where the bed is part of the rope's own stiffness its energy is among the rope's. */
double haw_rope_contact_energy(const haw_rope_contact *contact)
{
    double sum = 0;
    for (int i = 0; i < contact->pairs; i++) {
        const haw_rope_pair *pair = &contact->pair[i];
        const haw_compliance *law = &pair->pair->compliance;
        const haw_rope_touch *touch = &contact->touch[pair->touch];
        const int count = pair->kernel->rope->takes_hard ? haw_rope_pair_count(pair) : 0;
        for (int j = 0; j < count; j++) {
            const bool is_pressed = touch[j].is_closed && touch[j].gap <= 0;
            sum += is_pressed ? touch[j].share * law->normal->energy(&law->n, touch[j].gap) : 0;
        }
    }
    return sum;
}

int haw_rope_contact_closed(const haw_rope_contact *contact)
{
    return contact->closed;
}

int haw_rope_contact_held(const haw_rope_contact *contact)
{
    return contact->held;
}
