/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant contact from its creation to the acceptance of a step; how the points of a pair are
 * found, pressed and differentiated is behind its row of the narrow phase. */
#include "contact/clasp.h"

#include <string.h>

bool haw_compliant_any(const haw_model *model)
{
    for (int i = 0; i < model->pairs; i++) {
        if (model->pair[i].compliance.normal != NULL) {
            return true;
        }
    }
    return false;
}

void haw_compliant_reset(haw_state *state)
{
    for (int i = 0; i < state->rows / state->dimension; i++) {
        haw_history_open(state->history + (ptrdiff_t)i * HAW_HISTORY);
    }
}

/* ---- creation ---- */

/* Of a full point; those of a comb differ after stick and after slip. */
static void set_parameters(haw_compliant_pair *pair, double friction)
{
    static const haw_regime last[2] = {HAW_REGIME_STICK, HAW_REGIME_FORWARD};
    const haw_friction_parameters *given = &pair->pair->compliance.t;
    pair->pressing = pair->pair->compliance.n;
    for (int k = 0; k < 2; k++) {
        haw_friction_parameters *t = &pair->rubbing[k];
        *t = pair->ops->anchors ? haw_friction_after(given, last[k]) : *given;
        if (!isnan(friction)) {
            t->mu_static = t->mu_kinetic = friction;
        }
    }
}

/* Curves, whose points are linear in the coordinates, have a row of their own unless a section is
 * around them; of all else the row of the narrow phase lists touches. */
static const haw_press_ops *press_of(const haw_model *model, const haw_pair *pair)
{
    const haw_narrow *row = haw_narrow_of(pair);
    const haw_cable *cable = pair->cable < 0 ? NULL : &model->cable[pair->cable];
    if (!haw_pair_is_flat(model, pair) || (cable != NULL && cable->radius > 0) ||
        model->body[pair->body].surface.ops->arc == NULL || row->press == NULL) {
        return row->clasp;
    }
    const bool is_linear =
        cable == NULL || cable->line.ops == NULL || cable->line.ops->basis != NULL;
    return is_linear ? row->press : row->clasp;
}

static haw_status set_pair(haw_compliant *c, int index)
{
    const haw_pair *p = &c->model->pair[index];
    if (p->compliance.normal == NULL) {
        return HAW_OK;
    }
    const haw_press_ops *press = press_of(c->model, p);
    haw_compliant_pair *pair = &c->pair[c->pairs];
    c->pairs++;
    *pair = (haw_compliant_pair){.pair = p,
                                 .ops = press,
                                 .body = p->body < 0 ? NULL : &c->model->body[p->body],
                                 .cable = p->cable < 0 ? NULL : &c->model->cable[p->cable],
                                 .index = index,
                                 .switched = p->compliance.post_newton && press->change,
                                 .normal = p->compliance.normal,
                                 .tangential = p->compliance.tangential,
                                 .last = p->points - 1,
                                 .to = p->points - 1};
    set_parameters(pair, NAN);
    return pair->ops->create(c, pair);
}

static haw_status set_up(haw_compliant *c)
{
    const haw_model *model = c->model;
    const size_t numbers = (size_t)model->coordinates + 1;
    c->pair = haw_arena_allocate(&c->arena, (size_t)model->pairs + 1, sizeof *c->pair);
    HAW_TRY(haw_arena_status(&c->arena));
    for (int i = 0; i < model->pairs; i++) {
        HAW_TRY(set_pair(c, i));
    }
    double **const vectors[] = {&c->q, &c->u, &c->start_q, &c->start_u};
    for (int i = 0; i < 4; i++) {
        *vectors[i] = haw_arena_allocate(&c->arena, numbers, sizeof(double));
    }
    c->gap_min = haw_arena_allocate(&c->arena, (size_t)model->pairs + 1, sizeof(double));
    HAW_TRY(haw_histories_create(&c->arena, (size_t)model->points, &c->histories));
    HAW_TRY(haw_chords_create(c));
    return haw_compliant_reserve(c, 1, 1, c->most_teeth);
}

haw_status haw_compliant_create(haw_context *context, const haw_model *model,
                                haw_compliant **compliant)
{
    haw_compliant *c = haw_allocate(context, 1, sizeof *c);
    if (c == NULL) {
        return HAW_ERR_NOMEM;
    }
    c->context = context;
    c->model = model;
    haw_arena_init(&c->arena, context);
    const haw_status status = set_up(c);
    if (status != HAW_OK) {
        haw_compliant_free(c);
        c = NULL;
    }
    *compliant = c;
    return status;
}

void haw_compliant_free(haw_compliant *compliant)
{
    if (compliant != NULL) {
        haw_release(compliant->context, compliant->patch);
        haw_release(compliant->context, compliant->knot);
        haw_release(compliant->context, compliant->touch);
        haw_release(compliant->context, compliant->tooth);
        haw_release(compliant->context, compliant->clasp);
        haw_contacts_free(compliant->touched);
        haw_arena_fini(&compliant->arena);
        haw_release(compliant->context, compliant);
    }
}

/* haw_grow of an array that is known by its type. */
#define GROW(c, count, capacity, array)                                                            \
    do {                                                                                           \
        void *grown = (array);                                                                     \
        const haw_status status =                                                                  \
            haw_grow((c)->context, (count), sizeof *(array), &(capacity), &grown);                 \
        (array) = grown;                                                                           \
        HAW_TRY(status);                                                                           \
    } while (0)

haw_status haw_compliant_reserve(haw_compliant *compliant, int knots, int touches, int teeth)
{
    haw_compliant *c = compliant;
    GROW(c, c->patches + 1, c->patch_capacity, c->patch);
    GROW(c, c->knots + knots, c->knot_capacity, c->knot);
    GROW(c, c->touches + touches, c->touch_capacity, c->touch);
    GROW(c, c->teeth + teeth, c->tooth_capacity, c->tooth);
    return HAW_OK;
}

/* ---- a step ---- */

double haw_compliant_gap(const haw_compliant *compliant, int pair)
{
    return compliant->gap_min[pair];
}

void haw_compliant_friction(haw_compliant *compliant, double friction)
{
    for (int i = 0; i < compliant->pairs; i++) {
        set_parameters(&compliant->pair[i], friction);
    }
}

void haw_compliant_loosen(haw_compliant *compliant, bool is_free)
{
    compliant->histories.is_free = is_free;
}

void haw_compliant_begin(haw_compliant *compliant, const haw_state *state, haw_phase phase,
                         double h)
{
    haw_compliant *c = compliant;
    c->phase = phase;
    c->h = h;
    haw_histories_begin(&c->histories, phase, state->history);
    if (c->touched != NULL) {
        haw_contacts_begin(c->touched);
    }
    memcpy(c->start_q, state->q, (size_t)c->model->coordinates * sizeof(double));
    memcpy(c->start_u, state->u, (size_t)c->model->dofs * sizeof(double));
    if (haw_compliant_is_switched(c)) {
        memcpy(c->histories.trial, state->history,
               c->histories.points * HAW_HISTORY * sizeof(double));
    }
}

/* Whether a compliant pair asks for what lies between points. */
static bool has_dips(const haw_compliant *c)
{
    bool any = false;
    for (int i = 0; i < c->pairs && c->touched != NULL; i++) {
        any = any || c->pair[i].pair->proxies == HAW_PROXY_MINIMA;
    }
    return any;
}

bool haw_compliant_refine(haw_compliant *compliant)
{
    haw_compliant *c = compliant;
    for (int i = 0; i < c->pairs && has_dips(c); i++) {
        c->touched->margin = fmax(c->touched->margin, haw_press_margin(&c->pair[i]));
    }
    return has_dips(c) && haw_contacts_refine(c->touched);
}

void haw_compliant_renew(haw_compliant *compliant)
{
    haw_contacts *touched = compliant->touched;
    if (touched != NULL && touched->refinements > 1) {
        touched->refinements = 1;
    }
}

/* Largest change since the last evaluation; infinite where a number is none. */
static double largest_change(const haw_compliant *c, const double *q)
{
    double most = 0, sum = 0;
    for (int i = 0; i < c->model->coordinates; i++) {
        const double change = fabs(q[i] - c->q[i]);
        most = change > most ? change : most;
        sum += change;
    }
    return isfinite(sum) ? most : (double)INFINITY;
}

haw_status haw_compliant_evaluate(haw_compliant *compliant, const double *q, const double *u,
                                  double *normal, double *tangential)
{
    haw_compliant *c = compliant;
    double *const force[2] = {normal, tangential};
    c->moved += c->has_lines && !c->is_blind ? largest_change(c, q) : 0;
    c->is_blind = false;
    memcpy(c->q, q, (size_t)c->model->coordinates * sizeof(double));
    memcpy(c->u, u, (size_t)c->model->dofs * sizeof(double));
    c->patches = c->knots = c->touches = c->teeth = c->clasps = c->closed = c->histories.held = 0;
    c->looked = 0;
    if (c->touched != NULL) {
        HAW_TRY(has_dips(c) && c->touched->refinements == 0 ? haw_clasp_measure(c, c->start_q)
                                                            : HAW_OK);
        haw_contacts_fit(c->touched, q);
        c->touched->count = 0;
        c->touched->q = c->q;
    }
    for (int i = 0; i < c->pairs; i++) {
        haw_compliant_pair *pair = &c->pair[i];
        c->gap_min[pair->index] = HUGE_VAL;
        HAW_TRY(pair->ops->evaluate(c, pair, q, u, force));
    }
    return HAW_OK;
}

void haw_compliant_tangent(haw_compliant *compliant, double rate, haw_system *system)
{
    for (int i = 0; i < compliant->patches; i++) {
        const haw_patch *patch = &compliant->patch[i];
        compliant->pair[patch->pair].ops->tangent(compliant, patch, rate, system);
    }
}

haw_status haw_compliant_couple(const haw_compliant *compliant, haw_system *system)
{
    bool renewed;
    return compliant->clasps > 0
               ? haw_contacts_couple(compliant->touched, haw_contacts_any(compliant->model), system,
                                     &renewed)
               : HAW_OK;
}

bool haw_compliant_is_switched(const haw_compliant *compliant)
{
    for (int i = 0; i < compliant->pairs; i++) {
        if (compliant->pair[i].switched) {
            return true;
        }
    }
    return false;
}

double haw_compliant_switch(haw_compliant *compliant)
{
    double error = 0;
    for (int i = 0; i < compliant->pairs; i++) {
        const haw_compliant_pair *pair = &compliant->pair[i];
        error = haw_press_is_frozen(compliant, pair)
                    ? fmax(error, pair->ops->change(compliant, pair))
                    : error;
    }
    return error;
}

bool haw_compliant_is_sprung(const haw_compliant *compliant)
{
    for (int i = 0; i < compliant->pairs; i++) {
        const haw_compliant_pair *pair = &compliant->pair[i];
        if (!pair->ops->takes_given || !pair->normal->is_linear || pair->pressing.damping > 0) {
            return false;
        }
    }
    return compliant->pairs > 0;
}

void haw_compliant_give(haw_compliant *compliant, const double *force, double sight)
{
    compliant->given = force;
    compliant->sight = sight;
}

void haw_compliant_read(const haw_compliant *compliant, double *force)
{
    memset(force, 0, compliant->histories.points * HAW_GIVEN * sizeof *force);
    for (int i = 0; i < compliant->clasps; i++) {
        const haw_clasp *clasp = &compliant->clasp[i];
        double *own = force + (ptrdiff_t)HAW_GIVEN * clasp->press.id;
        own[0] = clasp->press.n.force / clasp->part;
        for (int k = 0; k < 3; k++) {
            own[1 + k] = clasp->f.force[k] / clasp->part;
        }
    }
}

const haw_contacts *haw_compliant_near(const haw_compliant *compliant)
{
    return compliant->clasps > 0 ? compliant->touched : NULL;
}

int haw_compliant_held(const haw_compliant *compliant)
{
    return compliant->histories.held;
}

int haw_compliant_closed(const haw_compliant *compliant)
{
    return compliant->closed;
}

int haw_compliant_changed(const haw_compliant *compliant)
{
    const haw_histories *histories = &compliant->histories;
    int closed = 0, stayed = 0;
    for (int id = 0; id < (int)histories->points; id++) {
        closed += haw_history_is_new(histories, id) ? 0 : 1;
    }
    for (int i = 0; i < compliant->clasps; i++) {
        stayed += compliant->clasp[i].press.is_new ? 0 : 1;
    }
    return closed + compliant->clasps - 2 * stayed;
}

/* Energy of frozen points may be that of a tension. */
static double press_energy(const haw_compliant *c, const haw_compliant_pair *pair,
                           const haw_press *touch)
{
    const haw_normal_parameters *n = &pair->pressing;
    const double gap = touch->gap < 0 ? touch->gap : 0;
    return touch->share * (haw_press_is_frozen(c, pair)
                               ? 0.5 * n->stiffness * touch->gap * touch->gap
                               : pair->normal->energy(n, gap));
}

int haw_compliant_release(haw_compliant *compliant)
{
    haw_compliant *c = compliant;
    int pulls = 0;
    for (int i = 0; i < c->patches && c->histories.held > 0; i++) {
        const haw_patch *patch = &c->patch[i];
        for (int j = 0; j < patch->count; j++) {
            const haw_press *touch = c->pair[patch->pair].ops->point(c, patch, j);
            if (touch != NULL && touch->gap > 0 && touch->n.force < 0) {
                pulls += haw_history_free(&c->histories, touch->id) ? 1 : 0;
            }
        }
    }
    return pulls;
}

/* Where the bed is part of a rope's own stiffness its energy is among the rope's. */
double haw_compliant_energy(const haw_compliant *compliant)
{
    double sum = 0;
    for (int i = 0; i < compliant->patches; i++) {
        const haw_patch *patch = &compliant->patch[i];
        const haw_compliant_pair *pair = &compliant->pair[patch->pair];
        const bool is_bed = pair->cable != NULL && !pair->cable->ops->takes_hard;
        for (int j = 0; j < patch->count && !is_bed; j++) {
            const haw_press *touch = pair->ops->point(compliant, patch, j);
            sum += touch != NULL ? press_energy(compliant, pair, touch) : 0;
        }
    }
    return sum;
}

/* ---- accepting a step: histories into the state, closed points into the contacts ---- */

/* Static deflections are those of the loading: a comb keeps them. */
static void keep_touch(const haw_compliant *c, const haw_compliant_pair *pair,
                       const haw_press *touch, double *h)
{
    const bool is_relaxed = c->phase == HAW_STATICS && !pair->ops->anchors;
    h[0] = pair->switched ? touch->gap : touch->impact;
    h[1] = is_relaxed ? HAW_REGIME_STICK : (double)touch->f.regime;
    pair->ops->keep(c, pair, touch, is_relaxed, h);
}

/* Points that were in contact at the last step, or were looked at now, are open until they turn out
 * to be closed. */
static void open_points(haw_compliant_pair *pair, double *history)
{
    const bool none = pair->last < pair->first;
    const int from = none || pair->from < pair->first ? pair->from : pair->first;
    const int to = none || pair->to > pair->last ? pair->to : pair->last;
    for (int k = from; k <= to; k++) {
        haw_history_open(history + (ptrdiff_t)(pair->pair->first_point + k) * HAW_HISTORY);
    }
    pair->from = 0;
    pair->to = -1;
}

void haw_compliant_forget(haw_compliant *compliant)
{
    compliant->moved = 0;
    compliant->is_blind = true;
    if (compliant->touched != NULL) {
        haw_contacts_forget(compliant->touched);
    }
    for (int i = 0; i < compliant->pairs; i++) {
        haw_compliant_pair *pair = &compliant->pair[i];
        pair->from = 0;
        pair->to = pair->pair->points - 1;
        if (pair->clear != NULL) {
            memset(pair->clear, 0, (size_t)pair->cable->line.elements * sizeof *pair->clear);
        }
    }
}

static void keep_patch(const haw_compliant *c, const haw_patch *patch, double *history)
{
    haw_compliant_pair *pair = &c->pair[patch->pair];
    for (int j = 0; j < patch->count; j++) {
        const haw_press *touch = pair->ops->point(c, patch, j);
        if (touch != NULL) {
            const int k = touch->id - pair->pair->first_point;
            keep_touch(c, pair, touch, history + (ptrdiff_t)touch->id * HAW_HISTORY);
            pair->from = pair->to < 0 ? k : pair->from;
            pair->to = k;
        }
    }
}

static void keep_histories(const haw_compliant *c, double *history)
{
    for (int i = 0; i < c->pairs; i++) {
        haw_compliant_pair *pair = &c->pair[i];
        if (haw_press_is_frozen(c, pair)) {
            const size_t first = (size_t)pair->pair->first_point * HAW_HISTORY;
            memcpy(history + first, c->histories.trial + first,
                   (size_t)pair->pair->points * HAW_HISTORY * sizeof(double));
        } else {
            open_points(pair, history);
        }
    }
    for (int i = 0; i < c->patches; i++) {
        if (!haw_press_is_frozen(c, &c->pair[c->patch[i].pair])) {
            keep_patch(c, &c->patch[i], history);
        }
    }
}

/* Those of the body sum its forces up there. */
static void list_touch(const haw_compliant *c, const haw_patch *patch, int i,
                       const haw_press *touch, haw_contacts *contacts)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const haw_friction_parameters *t = haw_press_friction(c, pair, touch->id);
    const int at = contacts->count++, d = contacts->dimension, first = d * at;
    const double duration = c->phase == HAW_STATICS ? 1 : c->h;
    double *load = haw_contacts_load(contacts), slope, rate[HAW_DIRECTIONS], force[HAW_DIRECTIONS];
    haw_touch *item = &contacts->item[at];
    pair->ops->describe(c, patch, i, item, rate, force);
    for (int k = 0; k < d; k++) {
        load[first + k] = duration * force[k];
        contacts->gamma_plus[first + k] = contacts->gamma_free[first + k] =
            contacts->gamma_minus[first + k] = rate[k];
    }
    contacts->problem.mu[at] =
        pair->switched ? t->mu_static : haw_friction_coefficient(t, touch->rate[1], &slope);
    item->id = touch->id;
    item->pair = pair->index;
    item->gap = touch->gap;
    item->share = touch->share;
}

/* Points of a line that are held closed, or were at the last switch, may have no force. */
static bool is_listed(const haw_compliant_pair *pair, const haw_press *touch)
{
    return pair->ops->anchors || touch->gap <= 0 || touch->n.force != 0 || touch->f.force != 0;
}

haw_status haw_compliant_commit(haw_compliant *compliant, haw_state *state, haw_contacts *contacts)
{
    haw_compliant *c = compliant;
    contacts->phase = c->phase;
    contacts->looked_max = c->looked > contacts->looked_max ? c->looked : contacts->looked_max;
    HAW_TRY(haw_contacts_reserve_rows(contacts, contacts->count + c->closed));
    for (int i = 0; i < c->pairs; i++) {
        contacts->gap_min[c->pair[i].index] = c->gap_min[c->pair[i].index];
    }
    for (int i = 0; i < c->patches; i++) {
        const haw_patch *patch = &c->patch[i];
        const haw_compliant_pair *pair = &c->pair[patch->pair];
        for (int j = 0; j < patch->count; j++) {
            const haw_press *touch = pair->ops->point(c, patch, j);
            if (touch != NULL && is_listed(pair, touch)) {
                list_touch(c, patch, j, touch, contacts);
            }
        }
    }
    const size_t bytes = (size_t)state->coordinates * sizeof(double);
    c->rest_q = memcmp(c->q, state->q, bytes) == 0 ? NULL : state->q;
    keep_histories(c, state->history);
    return HAW_OK;
}
