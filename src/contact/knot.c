/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots on sheaves: which are near, what a step remembers of them, the laws asked for their share,
 * histories, and the contacts they make. */
#include "contact/knot.h"

#include "contact/narrow.h"
#include "contact/patch.h"

#include <math.h>
#include <string.h>

/* What a step has seen of a knot so far. */
typedef struct haw_knot_memo {
    long step;             /* of haw_knots.step; another: nothing seen yet */
    bool has_start;        /* the three below are set */
    double inset, slide;   /* at the start of the step [m] */
    double impact;         /* speed of approach there [m/s] */
    signed char is_closed; /* at the last look, -1: none yet */
    signed char slips;     /* haw_regime at the last look, HAW_REGIME_NONE: none yet */
    unsigned char flips;   /* of is_closed */
    unsigned char slip_flips;
} haw_knot_memo;

/* A pair with what does not change in a run, and its part of the last evaluation. */
typedef struct haw_knot_pair {
    const haw_pair *pair;
    const haw_rope *rope;
    const haw_knot_kernel *kernel;
    haw_knot_side side;
    haw_friction_parameters t[2]; /* of a full share, after stick and after slip */
    int index;                    /* in the model */
    double period;                /* of the slide [m] */
    double gap_min;               /* of the last evaluation */
    int touch;                    /* its first one, that of knot `first` */
    int first, last;              /* knots that were looked at */
    int from, to;                 /* knots among which the histories of the state are not open */
} haw_knot_pair;

static int knot_count(const haw_knot_pair *pair)
{
    return pair->last < pair->first ? 0 : pair->last - pair->first + 1;
}

struct haw_knots {
    haw_context *context;
    const haw_model *model;
    int pairs;
    haw_knot_pair *pair;
    haw_phase phase;
    double h;              /* of the step [s] */
    long step;             /* steps begun */
    const double *history; /* [points][HAW_HISTORY] at the start of the step */
    double *q, *u;         /* [dofs] at the start of the step */
    haw_knot_memo *memo;   /* [points] */
    haw_knot_press start;  /* a knot at the start of the step */
    int touches, capacity; /* of the last evaluation, also open ones */
    haw_knot_press *touch;
    int closed, held; /* of them */
};

/** Friction of a knot with a full share, by the regime at the start of the step. */
static const haw_friction_parameters *friction_of(const haw_knots *contact,
                                                  const haw_knot_pair *pair, int id)
{
    const double regime = contact->history[(ptrdiff_t)id * HAW_HISTORY + 1];
    const bool slipped = regime == HAW_REGIME_FORWARD || regime == HAW_REGIME_BACKWARD;
    return &pair->t[slipped ? 1 : 0];
}

const haw_knot_kernel *haw_knot_kernel_find(const haw_cable *cable)
{
    return cable->ops == haw_knot_kernel_ale.rope ? &haw_knot_kernel_ale : &haw_knot_kernel_arc1d;
}

haw_knot_side haw_knot_side_of(const haw_model *model, const haw_pair *pair)
{
    const bool is_hard = pair->compliance.normal == NULL;
    return (haw_knot_side){.model = model,
                           .cable = &model->cable[pair->cable],
                           .cable_index = pair->cable,
                           .arc = pair->arc,
                           .body = pair->body,
                           .k_n = is_hard ? (double)INFINITY
                                          : pair->compliance.n.stiffness / pair->spacing,
                           .spacing = pair->spacing};
}

void haw_knot_range(const haw_pair *pair, const double label[2], int *first, int *last)
{
    const double last_knot = pair->points - 1;
    *first = (int)fmin(fmax(ceil(label[0] / pair->spacing), 0), last_knot + 1);
    *last = (int)fmin(fmax(floor(label[1] / pair->spacing), -1), last_knot);
}

/* ---- creation ---- */

/* Twice the knots that fit on the arc as drawn. */
static int most_knots(const haw_knot_pair *pair)
{
    const haw_rope *rope = pair->rope;
    const haw_rope_arc *arc = &rope->arc[pair->pair->arc];
    const double length = arc->radius * fabs(arc->out - arc->in) + 2 * rope->overflow;
    const int knots = 2 * (int)fmin(ceil(length / pair->pair->spacing), pair->pair->points) + 2;
    return knots < pair->pair->points ? knots : pair->pair->points;
}

static haw_status reserve(haw_knots *c, int touches)
{
    void *touch = c->touch;
    const haw_status status = haw_grow(c->context, touches, sizeof *c->touch, &c->capacity, &touch);
    c->touch = touch;
    return status;
}

static haw_status set_pairs(haw_knots *c)
{
    const double turn = 2 * acos(-1.0);
    int touches = 1;
    for (int i = 0; i < c->model->pairs; i++) {
        const haw_pair *of = &c->model->pair[i];
        if (haw_pair_has_knots(of) && of->compliance.normal != NULL) {
            haw_knot_pair *pair = &c->pair[c->pairs++];
            const haw_rope *rope = c->model->cable[of->cable].rope;
            *pair = (haw_knot_pair){.pair = of,
                                    .rope = rope,
                                    .kernel = haw_knot_kernel_find(&c->model->cable[of->cable]),
                                    .side = haw_knot_side_of(c->model, of),
                                    .index = i,
                                    .period = turn * rope->arc[of->arc].radius,
                                    .last = -1,
                                    .to = of->points - 1};
            touches += most_knots(pair);
        }
    }
    haw_knots_friction(c, (double)NAN);
    return reserve(c, touches);
}

haw_status haw_knots_create(haw_context *context, haw_arena *arena, const haw_model *model,
                            haw_knots **contact)
{
    const size_t dofs = (size_t)model->dofs + 1, points = (size_t)model->points + 1;
    haw_knots *c = haw_arena_allocate(arena, 1, sizeof *c);
    *contact = c;
    HAW_TRY(haw_arena_status(arena));
    c->context = context;
    c->model = model;
    c->pair = haw_arena_allocate(arena, (size_t)model->pairs + 1, sizeof *c->pair);
    c->q = haw_arena_allocate(arena, dofs, sizeof(double));
    c->u = haw_arena_allocate(arena, dofs, sizeof(double));
    c->memo = haw_arena_allocate(arena, points, sizeof *c->memo);
    HAW_TRY(haw_arena_status(arena));
    return set_pairs(c);
}

void haw_knots_free(haw_knots *contact)
{
    if (contact != NULL) {
        haw_release(contact->context, contact->touch);
    }
}

/* ---- a step ---- */

void haw_knots_friction(haw_knots *contact, double friction)
{
    static const haw_regime last[2] = {HAW_REGIME_STICK, HAW_REGIME_FORWARD};
    for (int i = 0; i < contact->pairs; i++) {
        haw_knot_pair *pair = &contact->pair[i];
        for (int k = 0; k < 2; k++) {
            pair->t[k] = haw_friction_after(&pair->pair->compliance.t, last[k]);
            if (!isnan(friction)) {
                pair->t[k].mu_static = pair->t[k].mu_kinetic = friction;
            }
        }
    }
}

void haw_knots_begin(haw_knots *contact, const haw_state *state, haw_phase phase, double h)
{
    haw_knots *c = contact;
    const size_t bytes = c->pairs > 0 ? (size_t)c->model->dofs * sizeof(double) : 0;
    c->phase = phase;
    c->h = h;
    c->step++;
    c->history = state->history;
    memcpy(c->q, state->q, bytes);
    memcpy(c->u, state->u, bytes);
}

/* What this step knows of a knot. */
static haw_knot_memo *recall(haw_knots *c, int id)
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

/* ---- forces ---- */

/* More than any friction: a bristle that is held in stick. */
static const double NO_LIMIT = 1e100;

/* The representative of a slide next to zero. */
static double wrap(double slide, double period)
{
    return fabs(slide) <= 0.5 * period ? slide : remainder(slide, period);
}

/* Where the knot was at the start of the step: looked up when it turns out to be a new one. */
static const haw_knot_memo *recall_start(haw_knots *c, const haw_knot_pair *pair, int id)
{
    haw_knot_memo *memo = &c->memo[id];
    if (!memo->has_start) {
        c->start.id = id;
        c->start.label = (id - pair->pair->first_point) * pair->pair->spacing;
        pair->kernel->place(&pair->side, c->q, c->u, 1, &c->start);
        memo->has_start = true;
        memo->inset = c->start.inset;
        memo->slide = c->start.slide;
        memo->impact = c->start.rate[0] < 0 ? -c->start.rate[0] : 0;
    }
    return memo;
}

static bool waits(haw_knots *contact, const haw_knot_pair *pair, const haw_knot_press *touch)
{
    const double *history = contact->history + (ptrdiff_t)touch->id * HAW_HISTORY;
    return touch->inset < 0 && contact->phase == HAW_DYNAMICS &&
           history[1] == (double)HAW_REGIME_NONE &&
           recall_start(contact, pair, touch->id)->inset < 0;
}

/*
 * Deflection of a new bristle. It stands where the knot was at the entry, the moment tau of the
 * step at which the inset vanishes, linear in time:
 *
 *     s_0 + tau (s - s_0),   tau = -i_0 / (i - i_0),
 *
 * so that its deflection is (1 - tau) (s - s_0). A knot that was inside already, or one of statics,
 * has no entry: tau = 0, as the comb is laid on the rope where it lies.
 * @param slope  out: of the deflection to slide and to inset
 */
static double deflect_new(const haw_knots *c, const haw_knot_pair *pair, const haw_knot_memo *start,
                          const haw_knot_press *touch, double slope[2])
{
    const double way = wrap(touch->slide - start->slide, pair->period);
    slope[0] = 1;
    slope[1] = 0;
    if (c->phase == HAW_STATICS || start->inset >= 0) {
        return way;
    }
    if (touch->inset <= 0) { /* held closed outside: it has not come in yet */
        slope[0] = 0;
        return 0;
    }
    const double depth = touch->inset - start->inset, tau = -start->inset / depth;
    slope[0] = 1 - tau;
    slope[1] = way * tau / depth;
    return (1 - tau) * way;
}

static double push_normal(const haw_knot_pair *pair, haw_knot_press *touch)
{
    const haw_compliance *law = &pair->pair->compliance;
    haw_normal_force *f = &touch->n;
    haw_normal_extend(law->normal, &law->n, touch->gap, touch->rate[0], touch->impact, f);
    if (touch->share != 1) {
        f->force *= touch->share;
        f->d_gap *= touch->share;
        f->d_rate *= touch->share;
    }
    return f->force;
}

/* Slip with the sign at which it is held, whatever the deflection. */
static void hold_slip(const haw_friction_parameters *p, const haw_friction_state *state, int sign,
                      haw_friction_force *f)
{
    double slope;
    const double mu = haw_friction_coefficient(p, state->rate, &slope), limit = mu * state->normal;
    const double most = p->stiffness > 0 ? limit / p->stiffness : 0;
    *f = (haw_friction_force){.force = sign * limit + p->viscous * state->rate,
                              .d_rate = sign * slope * state->normal + p->viscous,
                              .d_normal = sign * mu,
                              .regime = sign > 0 ? HAW_REGIME_FORWARD : HAW_REGIME_BACKWARD,
                              .deflection = fmax(-most, fmin(state->slide, most))};
}

/*
 * Stick or slip as the return map finds it, but for a bristle that has changed too often in this
 * step: that keeps its regime, without a limit or at it.
 */
static void settle(haw_knots *c, const haw_friction_ops *law, const haw_friction_parameters *p,
                   const haw_friction_state *state, haw_knot_press *touch)
{
    haw_knot_memo *memo = &c->memo[touch->id];
    if (memo->slips == (int)touch->f.regime || c->phase == HAW_STATICS) {
        return;
    }
    if (memo->slips == HAW_REGIME_NONE || memo->slip_flips < HAW_SLIP_FLIPS_MAX) {
        if (memo->slips != HAW_REGIME_NONE) {
            memo->slip_flips++;
        }
        memo->slips = (signed char)touch->f.regime;
        return;
    }
    c->held++;
    if (memo->slips == HAW_REGIME_STICK) {
        haw_friction_parameters free = *p;
        free.mu_static = free.mu_kinetic = NO_LIMIT;
        law->force(&free, state, &touch->f);
    } else {
        hold_slip(p, state, memo->slips, &touch->f);
    }
}

static haw_friction_parameters share_of(const haw_friction_parameters *whole, double share)
{
    haw_friction_parameters part = *whole;
    part.stiffness *= share;
    part.damping *= share;
    part.viscous *= share;
    return part;
}

/* In statics a mean deflection of lugre's bristles is that of a single one, which slips at the
 * limit at rest. */
static const haw_friction_ops *law_of(const haw_knots *c, const haw_knot_pair *pair)
{
    const haw_friction_ops *law = pair->pair->compliance.tangential;
    const bool is_mean = law != NULL && !law->uses_slide && pair->t[0].stiffness > 0;
    return c->phase == HAW_STATICS && is_mean ? &haw_friction_bristle : law;
}

/* What the law asks for: the deflection of the knot's bristle, or what lugre remembers of it. */
static void recall_bristle(haw_knots *c, const haw_knot_pair *pair, bool is_new,
                           const haw_knot_press *touch, haw_friction_state *state, double slope[2])
{
    const double kept = c->history[(ptrdiff_t)touch->id * HAW_HISTORY + 2];
    slope[0] = 1;
    slope[1] = 0;
    if (!law_of(c, pair)->uses_slide) {
        state->memory = is_new ? 0 : kept;
    } else if (is_new) {
        const haw_knot_memo *start = recall_start(c, pair, touch->id);
        state->slide = deflect_new(c, pair, start, touch, slope);
    } else if (pair->pair->compliance.tangential->uses_slide) {
        state->slide = wrap(touch->slide - kept, pair->period);
    } else {
        const double start = recall_start(c, pair, touch->id)->slide;
        state->slide = kept + wrap(touch->slide - start, pair->period);
    }
}

static void push_tangential(haw_knots *c, const haw_knot_pair *pair, bool is_new,
                            haw_friction_state *state, haw_knot_press *touch)
{
    const haw_friction_ops *law = law_of(c, pair);
    touch->f_inset = 0;
    if (law == NULL) {
        touch->f = (haw_friction_force){.regime = HAW_REGIME_STICK};
        return;
    }
    const haw_friction_parameters *p = friction_of(c, pair, touch->id);
    haw_friction_parameters part;
    if (touch->share != 1) {
        part = share_of(p, touch->share);
        p = &part;
    }
    double slope[2];
    recall_bristle(c, pair, is_new, touch, state, slope);
    law->force(p, state, &touch->f);
    if (law->uses_slide && !law->is_unbounded) {
        settle(c, law, p, state, touch);
    }
    if (is_new) {
        touch->f_inset = touch->f.d_slide * slope[1];
        touch->f.d_slide *= slope[0];
    }
}

static void push(haw_knots *contact, const haw_knot_pair *pair, haw_knot_press *touch)
{
    const double *history = contact->history + (ptrdiff_t)touch->id * HAW_HISTORY;
    const bool is_new = history[1] == (double)HAW_REGIME_NONE;
    touch->impact = 0;
    if (pair->pair->compliance.normal->uses_impact) {
        touch->impact = is_new ? recall_start(contact, pair, touch->id)->impact : history[0];
    }
    /* by value: a compiler that loads the parts of a touch in pairs waits for what was just stored
     */
    const double rate = touch->rate[1], normal = push_normal(pair, touch);
    haw_friction_state state = {.normal = normal, .rate = rate, .h = contact->h};
    push_tangential(contact, pair, is_new, &state, touch);
}

/* ---- evaluation ---- */

/* Open or closed by the sign of the gap, but for a knot that has changed too often in this step. */
static bool decide_closed(haw_knots *c, const haw_knot_pair *pair, const haw_knot_press *touch)
{
    haw_knot_memo *memo = recall(c, touch->id);
    const bool is_closed = touch->gap <= 0 && touch->share > 0 && !waits(c, pair, touch);
    if (c->phase == HAW_STATICS || memo->is_closed == is_closed) {
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

static haw_status evaluate_pair(haw_knots *c, haw_knot_pair *pair, const double *q, const double *u,
                                double *const force[2])
{
    double label[2];
    pair->kernel->range(&pair->side, q, label);
    haw_knot_range(pair->pair, label, &pair->first, &pair->last);
    const int count = knot_count(pair);
    HAW_TRY(reserve(c, c->touches + count));
    haw_knot_press *touch = &c->touch[c->touches];
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
            push(c, pair, &touch[i]);
            c->closed++;
        }
    }
    pair->kernel->apply(&pair->side, count, touch, force[0], force[1]);
    return HAW_OK;
}

haw_status haw_knots_evaluate(haw_knots *contact, const double *q, const double *u, double *normal,
                              double *tangential)
{
    double *const force[2] = {normal, tangential};
    contact->touches = contact->closed = contact->held = 0;
    for (int i = 0; i < contact->pairs; i++) {
        HAW_TRY(evaluate_pair(contact, &contact->pair[i], q, u, force));
    }
    return HAW_OK;
}

void haw_knots_tangent(haw_knots *contact, double rate, haw_system *system)
{
    for (int i = 0; i < contact->pairs; i++) {
        const haw_knot_pair *pair = &contact->pair[i];
        pair->kernel->tangent(&pair->side, knot_count(pair), &contact->touch[pair->touch], rate,
                              system);
    }
}

/* Where the bed is part of the rope's own stiffness its energy is among the rope's. */
double haw_knots_energy(const haw_knots *contact)
{
    double sum = 0;
    for (int i = 0; i < contact->pairs; i++) {
        const haw_knot_pair *pair = &contact->pair[i];
        const haw_compliance *law = &pair->pair->compliance;
        const haw_knot_press *touch = &contact->touch[pair->touch];
        const int count = pair->kernel->rope->takes_hard ? knot_count(pair) : 0;
        for (int j = 0; j < count; j++) {
            const bool is_pressed = touch[j].is_closed && touch[j].gap <= 0;
            sum += is_pressed ? touch[j].share * law->normal->energy(&law->n, touch[j].gap) : 0;
        }
    }
    return sum;
}

int haw_knots_closed(const haw_knots *contact)
{
    return contact->closed;
}

int haw_knots_held(const haw_knots *contact)
{
    return contact->held;
}

/* ---- accepting a step ---- */

/* Frame and sides of a knot, over the degrees of freedom of its element and of the sheave. */
static void set_sides(const haw_knot_side *of, const haw_knot_press *touch, haw_touch *contact)
{
    const haw_rope_element *element = &of->cable->rope->element[touch->element];
    haw_touch_side *rope = &contact->side[0], *sheave = &contact->side[1];
    haw_side_set(rope, of->cable_index, -1, 0, element->dofs);
    haw_side_set(sheave, -1, of->body, of->model->body[of->body].first, 3);
    rope->list = element->dof;
    for (int k = 0; k < 2; k++) {
        for (int a = 0; a < element->dofs; a++) {
            rope->row[k][a] = touch->row[a][k];
        }
        memcpy(sheave->row[k], touch->body_row[k], sizeof touch->body_row[k]);
    }
    haw_touch_set_plane(contact, touch->normal);
    contact->element = touch->element;
    contact->s = touch->label;
}

static void list_touch(const haw_knots *c, const haw_knot_pair *pair, haw_knot_press *touch,
                       haw_contacts *contacts)
{
    double slope;
    const double mu =
        haw_friction_coefficient(friction_of(c, pair, touch->id), touch->rate[1], &slope);
    const double force[2] = {touch->n.force, -touch->f.force};
    haw_touch *item = haw_contacts_append(contacts, touch->rate, force, c->h, mu);
    item->id = touch->id;
    item->pair = pair->index;
    item->gap = touch->gap;
    item->share = touch->share;
    if (pair->kernel->rope->takes_hard) {
        haw_knot_ale_rows(pair->rope, touch);
    }
    set_sides(&pair->side, touch, item);
}

static void list_pair(const haw_knots *c, const haw_knot_pair *pair, haw_contacts *contacts)
{
    haw_knot_press *touch = &c->touch[pair->touch];
    contacts->gap_min[pair->index] = pair->gap_min;
    for (int i = 0; i < knot_count(pair); i++) {
        if (touch[i].is_closed) {
            list_touch(c, pair, &touch[i], contacts);
        }
    }
}

void haw_knots_list(const haw_knots *contact, int pair, haw_contacts *contacts)
{
    for (int i = 0; i < contact->pairs; i++) {
        const haw_knot_pair *of = &contact->pair[i];
        if (of->index == pair) {
            list_pair(contact, of, contacts);
        }
    }
}

/* The bristle is relaxed where it would be without its deflection after the return map. Static
 * deflections are those of the loading and stay. */
static void keep_touch(const haw_knot_pair *pair, const haw_knot_press *touch, double *h)
{
    const haw_friction_ops *law = pair->pair->compliance.tangential;
    const bool slides = law != NULL && law->uses_slide;
    h[0] = touch->impact;
    h[1] = (double)touch->f.regime;
    h[2] = slides ? touch->slide - touch->f.deflection : touch->f.deflection;
}

/* Knots that were in contact at the last step, or were looked at now, are open if they are not in
 * contact now. */
static void keep_pair(const haw_knots *c, haw_knot_pair *pair, double *history)
{
    const int origin = pair->pair->first_point;
    const bool none = pair->last < pair->first;
    const int from = none || pair->from < pair->first ? pair->from : pair->first;
    const int to = none || pair->to > pair->last ? pair->to : pair->last;
    double *h = history + (ptrdiff_t)origin * HAW_HISTORY;
    for (int k = from; k <= to; k++) {
        haw_history_open(h + (ptrdiff_t)k * HAW_HISTORY);
    }
    pair->from = 0;
    pair->to = -1;
    for (int k = pair->first; k <= pair->last; k++) {
        const haw_knot_press *touch = &c->touch[pair->touch + k - pair->first];
        if (touch->is_closed) {
            keep_touch(pair, touch, h + (ptrdiff_t)k * HAW_HISTORY);
            pair->from = pair->to < 0 ? k : pair->from;
            pair->to = k;
        }
    }
}

void haw_knots_keep(haw_knots *contact, haw_state *state)
{
    for (int i = 0; i < contact->pairs; i++) {
        keep_pair(contact, &contact->pair[i], state->history);
    }
}

/* ---- set-valued laws ---- */

static haw_status list_knot(haw_contacts *contacts, const haw_knot_side *side, const haw_pair *pair,
                            const double *q, const double *u, haw_knot_press *touch)
{
    const haw_rope *rope = side->cable->rope;
    HAW_TRY(haw_contacts_reserve(contacts, contacts->count + 1));
    haw_touch *item = &contacts->item[contacts->count++];
    item->id = touch->id;
    item->pair = (int)(pair - contacts->model->pair);
    item->gap = touch->gap;
    item->share = touch->share;
    item->convection = haw_knot_ale_convection(rope, touch, q, u);
    haw_knot_ale_rows(rope, touch);
    set_sides(side, touch, item);
    return HAW_OK;
}

static haw_status find_knots(haw_contacts *contacts, const haw_view *view)
{
    const haw_pair *of = view->pair;
    const haw_knot_side side = haw_knot_side_of(view->model, of);
    const haw_knot_kernel *kernel = haw_knot_kernel_find(side.cable);
    haw_knot_press touch;
    double label[2];
    int first, last;
    kernel->range(&side, view->q, label);
    haw_knot_range(of, label, &first, &last);
    for (int k = first; k <= last; k++) {
        touch.id = of->first_point + k;
        touch.label = k * of->spacing;
        kernel->place(&side, view->q, view->u, 1, &touch);
        *view->gap_min = fmin(*view->gap_min, touch.gap);
        const bool is_listed = view->lists && touch.gap <= view->margin;
        HAW_TRY(is_listed ? list_knot(contacts, &side, of, view->q, view->u, &touch) : HAW_OK);
    }
    return HAW_OK;
}

const haw_narrow haw_narrow_knot = {
    .name = "knots",
    .summary = "points that ride on the rope through the elements",
    .find = find_knots,
    .gap = haw_point_gap,
    .way = haw_point_way,
};
