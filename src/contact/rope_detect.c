/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed knots of hard contact between ropes and sheaves, and their gaps. */
#include "contact/grow.h"
#include "contact/rope.h"

#include <math.h>

static haw_status list_knot(haw_contacts *contacts, const haw_pair *pair, const double *q,
                            const double *u, haw_rope_touch *touch)
{
    const haw_rope *rope = contacts->model->cable[pair->cable].rope;
    HAW_TRY(haw_contacts_reserve(contacts, contacts->count + 1));
    haw_contact *item = &contacts->item[contacts->count++];
    item->id = touch->id;
    item->pair = (int)(pair - contacts->model->pair);
    item->body = contacts->model->body[pair->body].first;
    item->gap = touch->gap;
    item->share = touch->share;
    item->convection = haw_rope_ale_convection(rope, touch, q, u);
    haw_rope_ale_rows(rope, touch);
    haw_rope_rows(rope, touch, item);
    return HAW_OK;
}

haw_status haw_rope_detect(haw_contacts *contacts, int pair, const double *q, const double *u)
{
    const haw_pair *of = &contacts->model->pair[pair];
    const haw_rope_side side = haw_rope_side_of(contacts->model, of);
    const haw_rope_kernel *kernel = haw_rope_kernel_find(side.cable->rope);
    const double margin = of->compliance.normal == NULL ? contacts->margin : -HUGE_VAL;
    haw_rope_touch touch;
    double label[2];
    int first, last;
    kernel->range(&side, q, label);
    haw_rope_knots(of, label, &first, &last);
    contacts->gap_min[pair] = HUGE_VAL;
    haw_status status = HAW_OK;
    for (int k = first; k <= last && status == HAW_OK; k++) {
        touch.id = of->first_point + k;
        touch.label = k * of->spacing;
        kernel->place(&side, q, u, 1, &touch);
        contacts->gap_min[pair] = fmin(contacts->gap_min[pair], touch.gap);
        status = touch.gap <= margin ? list_knot(contacts, of, q, u, &touch) : HAW_OK;
    }
    return status;
}

double haw_rope_gap(const haw_contacts *contacts, const haw_contact *contact, const double *q)
{
    const haw_model *model = contacts->model;
    const haw_pair *pair = &model->pair[contact->pair];
    const haw_rope *rope = model->cable[pair->cable].rope;
    const double label = (contact->id - pair->first_point) * pair->spacing;
    const double *center = q + model->body[pair->body].first;
    double x[2];
    haw_rope_ale_point(rope, label, q, x);
    return hypot(x[0] - center[0], x[1] - center[1]) - rope->arc[pair->arc].radius;
}
