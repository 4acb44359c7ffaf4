/* SPDX-License-Identifier: BSD-3-Clause */
/* Knots on sheaves: which are near, how compliant laws press them, the touches they make. */
#include "contact/knot.h"

#include "contact/press.h"

#include <math.h>
#include <string.h>

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

/* ---- compliant laws ---- */

/* Twice the knots that fit on the arc as drawn. */
static int most_knots(const haw_compliant_pair *pair)
{
    const haw_rope *rope = pair->cable->rope;
    const haw_rope_arc *arc = &rope->arc[pair->pair->arc];
    const double length = arc->radius * fabs(arc->out - arc->in) + 2 * rope->overflow;
    const int knots = 2 * (int)fmin(ceil(length / pair->pair->spacing), pair->pair->points) + 2;
    return knots < pair->pair->points ? knots : pair->pair->points;
}

/* A knot of the start of the step needs room beside the others. */
static haw_status create_comb(haw_compliant *c, haw_compliant_pair *pair)
{
    pair->side = haw_knot_side_of(c->model, pair->pair);
    pair->kernel = haw_knot_kernel_find(pair->cable);
    pair->period = 2 * acos(-1.0) * pair->cable->rope->arc[pair->pair->arc].radius;
    pair->last = -1;
    c->most_teeth += most_knots(pair) + 1;
    return HAW_OK;
}

static haw_arrival arrive(haw_compliant *c, const haw_compliant_pair *pair, const haw_press *touch)
{
    haw_knot_press start;
    start.at.id = touch->id;
    start.label = (touch->id - pair->pair->first_point) * pair->pair->spacing;
    pair->kernel->place(&pair->side, c->start_q, c->start_u, 1, &start);
    return (haw_arrival){.inset = start.at.inset,
                         .slide = start.at.slide,
                         .impact = start.at.rate[0] < 0 ? -start.at.rate[0] : 0};
}

/* A knot before its entry is not closed yet, whatever its gap. */
static bool waits(haw_compliant *c, const haw_compliant_pair *pair, const haw_press *touch)
{
    return touch->inset < 0 && c->phase == HAW_DYNAMICS && touch->is_new &&
           haw_press_arrival(c, pair, touch)->inset < 0;
}

static void press_knot(haw_compliant *c, const haw_compliant_pair *pair, haw_knot_press *tooth)
{
    haw_press *touch = &tooth->at;
    touch->is_new = haw_history_is_new(&c->histories, touch->id);
    const bool is_closed = touch->gap <= 0 && touch->share > 0 && !waits(c, pair, touch);
    tooth->is_closed = haw_history_close(&c->histories, touch->id, is_closed);
    if (tooth->is_closed) {
        haw_press_push(c, pair, touch);
        c->closed++;
    }
}

static haw_status evaluate_comb(haw_compliant *c, haw_compliant_pair *pair, const double *q,
                                const double *u, double *const force[2])
{
    double label[2];
    pair->kernel->range(&pair->side, q, label);
    haw_knot_range(pair->pair, label, &pair->first, &pair->last);
    const int count = pair->last < pair->first ? 0 : pair->last - pair->first + 1;
    HAW_TRY(haw_compliant_reserve(c, 0, 0, count));
    haw_knot_press *tooth = &c->tooth[c->teeth];
    for (int i = 0; i < count; i++) {
        tooth[i].at.id = pair->pair->first_point + pair->first + i;
        tooth[i].label = (pair->first + i) * pair->pair->spacing;
    }
    pair->kernel->place(&pair->side, q, u, count, tooth);
    double *least = &c->gap_min[pair->index];
    for (int i = 0; i < count; i++) {
        *least = tooth[i].at.gap < *least ? tooth[i].at.gap : *least;
        press_knot(c, pair, &tooth[i]);
    }
    pair->kernel->apply(&pair->side, count, tooth, force[0], force[1]);
    c->patch[c->patches++] = (haw_patch){
        .pair = (int)(pair - c->pair), .element = -1, .touch = c->teeth, .count = count};
    c->teeth += count;
    return HAW_OK;
}

static void tangent(haw_compliant *c, const haw_patch *patch, double rate, haw_system *system)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    pair->kernel->tangent(&pair->side, patch->count, &c->tooth[patch->touch], rate, system);
}

static const haw_press *get_point(const haw_compliant *c, const haw_patch *patch, int i)
{
    const haw_knot_press *tooth = &c->tooth[patch->touch + i];
    return tooth->is_closed ? &tooth->at : NULL;
}

static void describe(const haw_compliant *c, const haw_patch *patch, int i, haw_touch *item,
                     double *rate, double *force)
{
    const haw_knot_press *tooth = &c->tooth[patch->touch + i];
    haw_press_describe(&c->pair[patch->pair], &tooth->at, item, rate, force);
    for (int k = 0; k < 2; k++) {
        memcpy(item->side[1].row[k], tooth->body_row[k], sizeof tooth->body_row[k]);
    }
}

const haw_press_ops haw_press_comb = {
    .anchors = true,
    .create = create_comb,
    .evaluate = evaluate_comb,
    .arrive = arrive,
    .tangent = tangent,
    .point = get_point,
    .describe = describe,
    .keep = haw_press_keep,
};

/* ---- set-valued laws ---- */

/* Sides of a knot, over the degrees of freedom of its element and of the sheave. */
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
    contact->element = touch->element;
    contact->s = touch->label;
}

static haw_status list_knot(haw_contacts *contacts, const haw_knot_side *side, const haw_pair *pair,
                            const double *q, const double *u, haw_knot_press *touch)
{
    const haw_rope *rope = side->cable->rope;
    HAW_TRY(haw_contacts_reserve_rows(contacts, contacts->count + 1));
    haw_touch *item = &contacts->item[contacts->count++];
    item->id = touch->at.id;
    item->pair = (int)(pair - contacts->model->pair);
    item->gap = touch->at.gap;
    item->share = touch->at.share;
    item->convection = haw_knot_ale_convection(rope, touch, q, u);
    haw_knot_ale_rows(rope, touch);
    haw_touch_set_plane(item, touch->at.normal);
    item->x[2] = 0;
    for (int i = 0; i < 2; i++) {
        const double centre = q[contacts->model->body[pair->body].first_q + i];
        item->x[i] = centre + touch->at.level * touch->at.normal[i];
    }
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
        touch.at.id = of->first_point + k;
        touch.label = k * of->spacing;
        kernel->place(&side, view->q, view->u, 1, &touch);
        *view->gap_min = fmin(*view->gap_min, touch.at.gap);
        const bool is_listed = view->lists && touch.at.gap <= view->margin;
        HAW_TRY(is_listed ? list_knot(contacts, &side, of, view->q, view->u, &touch) : HAW_OK);
    }
    return HAW_OK;
}

const haw_narrow haw_narrow_knot = {
    .name = "knots",
    .summary = "points fixed to the rope's material, which move through the elements",
    .find = find_knots,
    .press = &haw_press_comb,
};
