/* SPDX-License-Identifier: BSD-3-Clause */
/* Accepting a step: histories of knots into the state, closed knots into the contact workspace. */
#include "contact/compliant_internal.h"
#include "contact/rope_internal.h"

#include <string.h>

/* Degrees of freedom that are not within a list's width of the first (of a body at the end of a
 * span) are beyond what a contact can hold. */
void haw_rope_rows(const haw_rope *rope, const haw_rope_touch *touch, haw_contact *contact)
{
    const haw_rope_element *element = &rope->element[touch->element];
    int first = element->dof[0], last = first;
    for (int a = 1; a < element->dofs; a++) {
        const int dof = element->dof[a];
        first = dof < first ? dof : first;
        last = dof > last ? dof : last;
    }
    contact->owner = first;
    contact->width = last - first < HAW_OWNER_DOFS ? last - first + 1 : HAW_OWNER_DOFS;
    const bool has_holes = contact->width != element->dofs;
    for (int k = 0; k < 2; k++) {
        if (has_holes) {
            memset(contact->row[k], 0, (size_t)contact->width * sizeof(double));
        }
        for (int a = 0; a < element->dofs; a++) {
            if (element->dof[a] - first < contact->width) {
                contact->row[k][element->dof[a] - first] = touch->row[a][k];
            }
        }
        memcpy(contact->body_row[k], touch->body_row[k], sizeof touch->body_row[k]);
    }
    memcpy(contact->normal, touch->normal, sizeof touch->normal);
    contact->normal[2] = 0;
}

static void list_touch(const haw_rope_contact *c, const haw_rope_pair *pair, haw_rope_touch *touch,
                       haw_contacts *contacts)
{
    const int i = contacts->count++;
    const double h = c->h > 0 ? c->h : 1;
    const double impulse[2] = {h * touch->n.force, -h * touch->f.force};
    haw_contact *item = &contacts->item[i];
    item->id = touch->id;
    item->pair = pair->index;
    item->body = c->model->body[pair->pair->body].first;
    item->gap = touch->gap;
    item->share = touch->share;
    if (pair->kernel->rope->takes_hard) {
        haw_rope_ale_rows(pair->rope, touch);
    }
    haw_rope_rows(pair->rope, touch, item);
    for (int k = 0; k < 2; k++) {
        contacts->impulse[2 * i + k] = impulse[k];
        contacts->gamma_plus[2 * i + k] = touch->rate[k];
        contacts->gamma_free[2 * i + k] = contacts->gamma_minus[2 * i + k] = touch->rate[k];
        contacts->problem.q[2 * i + k] = 0;
    }
    double slope;
    contacts->problem.mu[i] =
        haw_friction_coefficient(haw_knot_friction(c, pair, touch->id), touch->rate[1], &slope);
}

static void list_pair(const haw_rope_contact *c, const haw_rope_pair *pair, haw_contacts *contacts)
{
    haw_rope_touch *touch = &c->touch[pair->touch];
    contacts->gap_min[pair->index] = pair->gap_min;
    for (int i = 0; i < haw_rope_pair_count(pair); i++) {
        if (touch[i].is_closed) {
            list_touch(c, pair, &touch[i], contacts);
        }
    }
}

void haw_rope_contact_list(const haw_rope_contact *contact, int pair, haw_contacts *contacts)
{
    for (int i = 0; i < contact->pairs; i++) {
        const haw_rope_pair *of = &contact->pair[i];
        if (of->index == pair) {
            list_pair(contact, of, contacts);
        }
    }
}

/* The bristle is relaxed where it would be without its deflection after the return map. Static
 * deflections are those of the loading and stay. */
static void keep_touch(const haw_rope_pair *pair, const haw_rope_touch *touch, double *h)
{
    const haw_friction_ops *law = pair->pair->compliance.tangential;
    const bool slides = law != NULL && law->uses_slide;
    h[0] = touch->impact;
    h[1] = (double)touch->f.regime;
    h[2] = slides ? touch->slide - touch->f.deflection : touch->f.deflection;
}

/* Knots that were in contact at the last step, or were looked at now, are open if they are not in
 * contact now. */
static void keep_pair(const haw_rope_contact *c, haw_rope_pair *pair, double *history)
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
        const haw_rope_touch *touch = &c->touch[pair->touch + k - pair->first];
        if (touch->is_closed) {
            keep_touch(pair, touch, h + (ptrdiff_t)k * HAW_HISTORY);
            pair->from = pair->to < 0 ? k : pair->from;
            pair->to = k;
        }
    }
}

void haw_rope_contact_keep(haw_rope_contact *contact, haw_state *state)
{
    for (int i = 0; i < contact->pairs; i++) {
        keep_pair(contact, &contact->pair[i], state->history);
    }
}
