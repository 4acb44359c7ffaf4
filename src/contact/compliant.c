/* SPDX-License-Identifier: BSD-3-Clause */
/* Compliant contact from its creation to the acceptance of a step, but for what it evaluates. */
#include "contact/chord.h"

#include <string.h>

static bool is_compliant(const haw_pair *pair)
{
    return pair->compliance.normal != NULL;
}

bool haw_compliant_any(const haw_model *model)
{
    for (int i = 0; i < model->pairs; i++) {
        if (is_compliant(&model->pair[i])) {
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

static haw_touch_kind choose_kind(const haw_pair *pair, const haw_body *body)
{
    if (pair->cable < 0) {
        return HAW_TOUCH_PROXY;
    }
    if (pair->kinematics == HAW_KINEMATICS_CHORD) {
        return HAW_TOUCH_CHORD;
    }
    return body->shape->is_circle ? HAW_TOUCH_CIRCLE : HAW_TOUCH_SHAPE;
}

/* Stiffnesses and dampings of a point with this share of a full one's. */
static void set_share(haw_compliant_pair *pair, int which, double share, double friction)
{
    haw_normal_parameters *n = &pair->normal_of[which];
    haw_friction_parameters *t = &pair->tangential_of[which];
    *n = pair->pair->compliance.n;
    *t = pair->pair->compliance.t;
    n->stiffness *= share;
    n->damping *= share;
    t->stiffness *= share;
    t->damping *= share;
    t->viscous *= share;
    if (!isnan(friction)) {
        t->mu_static = t->mu_kinetic = friction;
    }
}

/* Points at the two ends of a grid may have less than a full share. */
static void set_parameters(const haw_model *model, haw_compliant_pair *pair, double friction)
{
    set_share(pair, 0, 1, friction);
    set_share(pair, 1, 1, friction);
    for (int i = 0; i < 2; i++) {
        const int point = i == 0 ? 0 : pair->pair->points - 1;
        const double share = pair->cable == NULL ? 1 : haw_pair_weight(model, pair->pair, point);
        pair->end[i] = -1;
        if (share < 1) {
            pair->end[i] = pair->pair->first_point + point;
            set_share(pair, 1, share, friction);
        }
    }
}

static haw_status set_basis(haw_compliant *c, haw_compliant_pair *pair)
{
    pair->basis = haw_arena_allocate(&c->arena, (size_t)pair->n + 1, sizeof *pair->basis);
    HAW_TRY(haw_arena_status(&c->arena));
    if (pair->cable == NULL) {
        pair->basis[0][0] = pair->basis[1][0] = 1; /* its centre */
        return HAW_OK;
    }
    const haw_line *line = &pair->cable->line;
    if (line->ops->basis == NULL || line->ops->dofs > 2 * HAW_SHAPES) {
        return haw_fail(c->context, HAW_ERR_INPUT,
                        "cable '%s': element '%s' has no compliant contact, which "
                        "needs positions "
                        "that are linear in its coordinates",
                        pair->cable->name, line->ops->row.name);
    }
    for (int j = 0; j <= pair->n; j++) {
        double *b = pair->basis[j];
        line->ops->basis(line, (double)j / pair->n, b, b + HAW_SHAPES);
        for (int a = line->ops->dofs / 2; a < HAW_SHAPES; a++) {
            b[a] = b[HAW_SHAPES + a] = 0;
        }
    }
    return HAW_OK;
}

/* Knots at the two nodes of an element of 8 coordinates depend on half of them.
 */
static int find_support(const double basis[2 * HAW_SHAPES])
{
    bool uses[2] = {false, false};
    for (int a = 0; a < 2 * HAW_SHAPES; a++) {
        uses[a / 2 % 2] = uses[a / 2 % 2] || basis[a] != 0;
    }
    return uses[0] && uses[1] ? -1 : (uses[1] ? HAW_SHAPES : 0);
}

static haw_status set_twice(haw_compliant *c, haw_compliant_pair *pair)
{
    pair->twice = haw_arena_allocate(&c->arena, (size_t)pair->n + 1, sizeof *pair->twice);
    pair->support = haw_arena_allocate(&c->arena, (size_t)pair->n + 1, sizeof *pair->support);
    HAW_TRY(haw_arena_status(&c->arena));
    for (int j = 0; j <= pair->n; j++) {
        pair->support[j] = find_support(pair->basis[j]);
        for (int a = 0; a < 4 * HAW_SHAPES; a++) {
            pair->twice[j][a] = pair->basis[j][a / 2];
        }
    }
    return HAW_OK;
}

static haw_status set_pair(haw_compliant *c, int index, haw_compliant_pair *pair)
{
    const haw_pair *p = &c->model->pair[index];
    const haw_body *body = &c->model->body[p->body];
    const haw_cable *cable = p->cable < 0 ? NULL : &c->model->cable[p->cable];
    *pair = (haw_compliant_pair){.pair = p,
                                 .kind = choose_kind(p, body),
                                 .body = body,
                                 .cable = cable,
                                 .index = index,
                                 .n = cable == NULL ? 1 : p->points_per_element,
                                 .switched = p->compliance.post_newton,
                                 .has_offset = cable != NULL && p->offset != 0,
                                 .offset = cable == NULL ? 0 : p->offset,
                                 .normal = p->compliance.normal,
                                 .tangential = p->compliance.tangential};
    const haw_shape_ops *shape = body->shape;
    if (pair->kind == HAW_TOUCH_CHORD && !shape->is_circle) {
        return haw_fail(c->context, HAW_ERR_INPUT,
                        "contact with '%s': chords touch circles only, use kinematics: curve",
                        body->name);
    }
    pair->chord = cable == NULL ? 0 : cable->line.le / pair->n;
    pair->radius = shape->radius(body->shape_options);
    pair->period = shape->period(body->shape_options);
    if (pair->kind == HAW_TOUCH_PROXY) {
        pair->period *= 1 + p->proxy_radius * shape->bend(body->shape_options, 0);
    }
    set_parameters(c->model, pair, NAN);
    HAW_TRY(set_basis(c, pair));
    return set_twice(c, pair);
}

/* Boxes are those of cables: all pairs of one cable share them. */
static int place_boxes(haw_compliant *c)
{
    int boxes = 0;
    for (int i = 0; i < c->pairs; i++) {
        haw_compliant_pair *pair = &c->pair[i];
        int first = -1;
        for (int k = 0; k < i && pair->cable != NULL; k++) {
            first = c->pair[k].cable == pair->cable ? c->pair[k].first_box : first;
        }
        pair->owns_boxes = pair->cable != NULL && first < 0;
        pair->first_box = pair->owns_boxes ? boxes : first;
        boxes += pair->owns_boxes ? pair->cable->line.elements : 0;
    }
    return boxes;
}

static haw_status allocate_arrays(haw_compliant *c)
{
    const haw_model *model = c->model;
    const size_t points = (size_t)model->points + 1, dofs = (size_t)model->dofs;
    int largest = 1;
    for (int i = 0; i < c->pairs; i++) {
        largest = c->pair[i].n > largest ? c->pair[i].n : largest;
        c->uses_impact = c->uses_impact || c->pair[i].normal->uses_impact;
        c->searches = c->searches || !c->pair[i].switched;
    }
    const size_t boxes = (size_t)place_boxes(c) + 1;
    haw_arena *arena = &c->arena;
    c->q = haw_arena_allocate(arena, dofs, sizeof(double));
    c->u = haw_arena_allocate(arena, dofs, sizeof(double));
    c->start_u = haw_arena_allocate(arena, dofs, sizeof(double));
    c->gap_min = haw_arena_allocate(arena, (size_t)model->pairs, sizeof(double));
    c->box = haw_arena_allocate(arena, boxes, sizeof *c->box);
    c->block = haw_arena_allocate(arena, (size_t)largest + 1, sizeof *c->block);
    c->rows = haw_arena_allocate(arena, (size_t)largest + 1, sizeof *c->rows);
    c->spare = haw_arena_allocate(arena, (size_t)largest + 1, sizeof *c->spare);
    c->seen = haw_arena_allocate(arena, points, 1);
    c->flips = haw_arena_allocate(arena, points, 1);
    c->trial = haw_arena_allocate(arena, points, HAW_HISTORY * sizeof(double));
    c->impact = haw_arena_allocate(arena, c->uses_impact ? points : 1, sizeof(double));
    const bool complete = c->q != NULL && c->u != NULL && c->start_u != NULL &&
                          c->gap_min != NULL && c->box != NULL && c->block != NULL &&
                          c->rows != NULL && c->spare != NULL && c->seen != NULL &&
                          c->flips != NULL && c->trial != NULL && c->impact != NULL;
    if (!complete) {
        return HAW_ERR_NOMEM;
    }
    return HAW_OK;
}

static haw_status set_pairs(haw_compliant *c)
{
    for (int i = 0; i < c->model->pairs; i++) {
        const haw_pair *pair = &c->model->pair[i];
        const bool is_ours = is_compliant(pair) && !haw_pair_has_knots(pair);
        HAW_TRY(is_ours ? set_pair(c, i, &c->pair[c->pairs++]) : HAW_OK);
    }
    return haw_knots_create(c->context, &c->arena, c->model, &c->comb);
}

static haw_status set_up(haw_compliant *c)
{
    c->pair = haw_arena_allocate(&c->arena, (size_t)c->model->pairs + 1, sizeof *c->pair);
    HAW_TRY(haw_arena_status(&c->arena));
    HAW_TRY(set_pairs(c));
    HAW_TRY(allocate_arrays(c));
    return haw_compliant_reserve(c, 1, 1);
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
        haw_knots_free(compliant->comb);
        haw_release(compliant->context, compliant->patch);
        haw_release(compliant->context, compliant->knot);
        haw_release(compliant->context, compliant->touch);
        haw_arena_fini(&compliant->arena);
        haw_release(compliant->context, compliant);
    }
}

haw_status haw_compliant_reserve(haw_compliant *compliant, int knots, int touches)
{
    haw_compliant *c = compliant;
    void *patch = c->patch, *knot = c->knot, *touch = c->touch;
    haw_status status =
        haw_grow(c->context, c->patches + 1, sizeof *c->patch, &c->patch_capacity, &patch);
    c->patch = patch;
    if (status == HAW_OK) {
        status = haw_grow(c->context, c->knots + knots, sizeof *c->knot, &c->knot_capacity, &knot);
        c->knot = knot;
    }
    if (status == HAW_OK) {
        status = haw_grow(c->context, c->touches + touches, sizeof *c->touch, &c->touch_capacity,
                          &touch);
        c->touch = touch;
    }
    return status;
}

void haw_compliant_friction(haw_compliant *compliant, double friction)
{
    haw_knots_friction(compliant->comb, friction);
    for (int i = 0; i < compliant->pairs; i++) {
        set_parameters(compliant->model, &compliant->pair[i], friction);
    }
}

void haw_compliant_begin(haw_compliant *compliant, const haw_state *state, haw_phase phase,
                         double h)
{
    haw_compliant *c = compliant;
    const size_t points = (size_t)c->model->points;
    c->phase = phase;
    c->h = h;
    c->history = state->history;
    haw_knots_begin(c->comb, state, phase, h);
    memset(c->seen, -1, points);
    memset(c->flips, 0, points);
    if (c->uses_impact) {
        memcpy(c->start_u, state->u, (size_t)c->model->dofs * sizeof(double));
        for (size_t i = 0; i < points; i++) {
            c->impact[i] = NAN;
        }
    }
    if (haw_compliant_is_switched(c)) {
        memcpy(c->trial, state->history, points * HAW_HISTORY * sizeof(double));
    }
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

int haw_compliant_held(const haw_compliant *compliant)
{
    return compliant->held + haw_knots_held(compliant->comb);
}

int haw_compliant_closed(const haw_compliant *compliant)
{
    return compliant->touches + haw_knots_closed(compliant->comb);
}

double haw_compliant_energy(const haw_compliant *compliant)
{
    double sum = haw_knots_energy(compliant->comb);
    for (int i = 0; i < compliant->patches; i++) {
        const haw_patch *patch = &compliant->patch[i];
        const haw_compliant_pair *pair = &compliant->pair[patch->pair];
        for (int j = 0; j < patch->count; j++) {
            const haw_press *touch = &compliant->touch[patch->touch + j];
            const haw_normal_parameters *n = &pair->normal_of[touch->share];
            const double gap = touch->gap < 0 ? touch->gap : 0;
            const bool is_frozen =
                pair->switched && compliant->phase == HAW_DYNAMICS; /* may be tensile */
            sum += is_frozen ? 0.5 * n->stiffness * touch->gap * touch->gap
                             : pair->normal->energy(n, gap);
        }
    }
    return sum;
}

/* ---- accepting a step: histories into the state, closed points into the contacts ---- */

static void open_points(const haw_compliant_pair *pair, double *history)
{
    double *h = history + (ptrdiff_t)pair->pair->first_point * HAW_HISTORY;
    for (int i = 0; i < pair->pair->points; i++, h += HAW_HISTORY) {
        haw_history_open(h);
    }
}

/* The bristle is relaxed where it would be without its deflection after the return map. */
static void keep_touch(const haw_compliant *c, const haw_compliant_pair *pair,
                       const haw_press *touch, double *history)
{
    double *h = history + (ptrdiff_t)touch->id * HAW_HISTORY;
    const bool is_static = c->phase == HAW_STATICS;
    const bool slides = pair->tangential != NULL && pair->tangential->uses_slide;
    const double deflection = is_static ? 0 : touch->f.deflection;
    h[0] = pair->switched ? touch->gap : touch->impact;
    h[1] = is_static ? HAW_REGIME_STICK : (double)touch->f.regime;
    h[2] = slides ? touch->slide - deflection : deflection;
}

static void keep_histories(const haw_compliant *c, double *history)
{
    for (int i = 0; i < c->pairs; i++) {
        const haw_compliant_pair *pair = &c->pair[i];
        if (pair->switched && c->phase == HAW_DYNAMICS) {
            const size_t first = (size_t)pair->pair->first_point * HAW_HISTORY;
            memcpy(history + first, c->trial + first,
                   (size_t)pair->pair->points * HAW_HISTORY * sizeof(double));
        } else {
            open_points(pair, history);
        }
    }
    for (int i = 0; i < c->patches; i++) {
        const haw_patch *patch = &c->patch[i];
        const haw_compliant_pair *pair = &c->pair[patch->pair];
        for (int j = 0; j < patch->count && !(pair->switched && c->phase == HAW_DYNAMICS); j++) {
            keep_touch(c, pair, &c->touch[patch->touch + j], history);
        }
    }
}

/* row += weight J^T d of a knot; with an offset a force d also acts through the slope. */
static HAW_INLINE void add_knot_row(const haw_compliant_pair *pair, int j, const haw_knot *knot,
                                    const double d[2], double row[2 * HAW_SHAPES])
{
    const double *shape = pair->twice[j], *slope = shape + 2 * HAW_SHAPES;
    for (int a = 0; a < 2 * HAW_SHAPES; a += 2) {
        row[a] += shape[a] * d[0];
        row[a + 1] += shape[a + 1] * d[1];
    }
    if (pair->has_offset) {
        const double *t = knot->tangent;
        const double moment = -pair->offset * knot->inverse * (t[0] * d[0] + t[1] * d[1]);
        const double m[2] = {-t[1] * moment, t[0] * moment};
        for (int a = 0; a < 2 * HAW_SHAPES; a += 2) {
            row[a] += slope[a] * m[0];
            row[a + 1] += slope[a + 1] * m[1];
        }
    }
}

static void set_cable_rows(const haw_compliant *c, const haw_patch *patch, const haw_press *touch,
                           haw_touch *contact)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const haw_knot *knot = c->knot + patch->knot;
    const double *n = touch->normal, direction[2][2] = {{n[0], n[1]}, {n[1], -n[0]}};
    const haw_element_ops *ops = pair->cable->line.ops;
    haw_side_set(&contact->side[0], pair->pair->cable, -1,
                 pair->cable->first + ops->stride * patch->element, ops->dofs);
    contact->element = patch->element;
    contact->s = (touch->knot + touch->rho) / pair->n;
    for (int i = 0; i < 2; i++) {
        double row[2 * HAW_SHAPES] = {0};
        for (int k = 0; k < (touch->rho > 0 ? 2 : 1); k++) {
            const int j = touch->knot + k;
            const double weight = k == 0 ? 1 - touch->rho : touch->rho;
            const double d[2] = {weight * direction[i][0], weight * direction[i][1]};
            add_knot_row(pair, j, &knot[j], d, row);
        }
        memcpy(contact->side[0].row[i], row, sizeof row);
    }
}

static void set_rows(const haw_compliant *c, const haw_patch *patch, const haw_press *touch,
                     haw_touch *contact)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const double *n = touch->normal;
    if (pair->cable == NULL) {
        const double row[2][3] = {{n[0], n[1], 0}, {n[1], -n[0], pair->pair->proxy_radius}};
        haw_touch_side *side = &contact->side[0];
        haw_side_set(side, -1, pair->pair->proxy, c->model->body[pair->pair->proxy].first, 3);
        memcpy(side->row[0], row[0], sizeof row[0]);
        memcpy(side->row[1], row[1], sizeof row[1]);
        contact->element = -1;
        contact->s = 0;
    } else {
        set_cable_rows(c, patch, touch, contact);
    }
    const double body_row[2][3] = {{-n[0], -n[1], -touch->arm_n}, {-n[1], n[0], touch->arm_t}};
    haw_touch_side *body = &contact->side[1];
    haw_side_set(body, -1, pair->pair->body, pair->body->first, 3);
    memcpy(body->row[0], body_row[0], sizeof body_row[0]);
    memcpy(body->row[1], body_row[1], sizeof body_row[1]);
}

static void add_contact(const haw_compliant *c, const haw_patch *patch, const haw_press *touch,
                        haw_contacts *contacts)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const haw_friction_parameters *t = &pair->tangential_of[touch->share];
    double slope;
    const double mu =
        pair->switched ? t->mu_static : haw_friction_coefficient(t, touch->rate[1], &slope);
    const double force[2] = {touch->n.force, -touch->f.force};
    haw_touch *item = haw_contacts_append(contacts, touch->rate, force, c->h, mu);
    item->id = touch->id;
    item->pair = pair->index;
    item->gap = touch->gap;
    haw_touch_set_plane(item, touch->normal);
    set_rows(c, patch, touch, item);
}

static void list_patch(const haw_compliant *c, const haw_patch *patch, haw_contacts *contacts)
{
    for (int j = 0; j < patch->count; j++) {
        const haw_press *touch = &c->touch[patch->touch + j];
        if (touch->gap <= 0 || touch->n.force != 0 || touch->f.force != 0) {
            add_contact(c, patch, touch, contacts);
        }
    }
}

/* In the order of the model's pairs, which is that of the patches. */
static void list_closed(const haw_compliant *c, haw_contacts *contacts)
{
    int next = 0;
    for (int i = 0; i < c->model->pairs; i++) {
        haw_knots_list(c->comb, i, contacts);
        for (; next < c->patches && c->pair[c->patch[next].pair].index == i; next++) {
            list_patch(c, &c->patch[next], contacts);
        }
    }
}

haw_status haw_compliant_commit(haw_compliant *compliant, haw_state *state, haw_contacts *contacts)
{
    haw_compliant *c = compliant;
    contacts->count = 0;
    contacts->phase = c->phase;
    HAW_TRY(haw_contacts_reserve_rows(contacts, haw_compliant_closed(c)));
    for (int i = 0; i < c->pairs; i++) {
        contacts->gap_min[c->pair[i].index] = c->gap_min[c->pair[i].index];
    }
    list_closed(c, contacts);
    contacts->problem.contacts = contacts->count;
    keep_histories(c, state->history);
    haw_knots_keep(c->comb, state);
    return HAW_OK;
}
