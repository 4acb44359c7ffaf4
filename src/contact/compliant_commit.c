/* SPDX-License-Identifier: BSD-3-Clause */
/* Accepting a step: histories into the state, closed points into the contact workspace. */
#include "contact/compliant_internal.h"
#include "contact/grow.h"
#include "linalg/inline.h"

#include <math.h>
#include <string.h>

static void open_points(const haw_compliant_pair *pair, double *history)
{
    double *h = history + (ptrdiff_t)pair->pair->first_point * HAW_HISTORY;
    for (int i = 0; i < pair->pair->points; i++, h += HAW_HISTORY) {
        haw_history_open(h);
    }
}

/* The bristle is relaxed where it would be without its deflection after the return map. */
static void keep_touch(const haw_compliant *c, const haw_compliant_pair *pair,
                       const haw_touch *touch, double *history)
{
    double *h = history + (ptrdiff_t)touch->id * HAW_HISTORY;
    const bool is_static = c->h == 0;
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
        if (pair->switched && c->h > 0) {
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
        for (int j = 0; j < patch->count && !(pair->switched && c->h > 0); j++) {
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

static void set_cable_rows(const haw_compliant *c, const haw_patch *patch, const haw_touch *touch,
                           haw_contact *contact)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const haw_knot *knot = c->knot + patch->knot;
    const double *n = touch->normal, direction[2][2] = {{n[0], n[1]}, {n[1], -n[0]}};
    contact->owner = pair->cable->first + pair->cable->line.ops->stride * patch->element;
    contact->width = pair->cable->line.ops->dofs;
    for (int i = 0; i < 2; i++) {
        double row[2 * HAW_SHAPES] = {0};
        for (int k = 0; k < (touch->rho > 0 ? 2 : 1); k++) {
            const int j = touch->knot + k;
            const double weight = k == 0 ? 1 - touch->rho : touch->rho;
            const double d[2] = {weight * direction[i][0], weight * direction[i][1]};
            add_knot_row(pair, j, &knot[j], d, row);
        }
        memcpy(contact->row[i], row, sizeof row);
    }
}

static void set_rows(const haw_compliant *c, const haw_patch *patch, const haw_touch *touch,
                     haw_contact *contact)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const double *n = touch->normal;
    if (pair->cable == NULL) {
        const double row[2][3] = {{n[0], n[1], 0}, {n[1], -n[0], pair->pair->proxy_radius}};
        contact->owner = c->model->body[pair->pair->proxy].first;
        contact->width = 3;
        memcpy(contact->row[0], row[0], sizeof row[0]);
        memcpy(contact->row[1], row[1], sizeof row[1]);
    } else {
        set_cable_rows(c, patch, touch, contact);
    }
    const double body_row[2][3] = {{-n[0], -n[1], -touch->arm_n}, {-n[1], n[0], touch->arm_t}};
    memcpy(contact->body_row[0], body_row[0], sizeof body_row[0]);
    memcpy(contact->body_row[1], body_row[1], sizeof body_row[1]);
}

static void add_contact(const haw_compliant *c, const haw_patch *patch, const haw_touch *touch,
                        haw_contacts *contacts)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const int i = contacts->count++;
    const double h = c->h > 0 ? c->h : 1;
    const haw_friction_parameters *t = &pair->tangential_of[touch->share];
    double slope;
    haw_contact *item = &contacts->item[i];
    item->id = touch->id;
    item->pair = pair->index;
    item->body = pair->body->first;
    item->gap = touch->gap;
    memcpy(item->normal, touch->normal, sizeof touch->normal);
    item->normal[2] = 0;
    set_rows(c, patch, touch, item);
    const double impulse[2] = {h * touch->n.force, -h * touch->f.force};
    for (int k = 0; k < 2; k++) {
        contacts->impulse[2 * i + k] = impulse[k];
        contacts->gamma_plus[2 * i + k] = touch->rate[k];
        contacts->gamma_free[2 * i + k] = contacts->gamma_minus[2 * i + k] = touch->rate[k];
        contacts->problem.q[2 * i + k] = 0;
    }
    contacts->problem.mu[i] =
        pair->switched ? t->mu_static : haw_friction_coefficient(t, touch->rate[1], &slope);
}

static void list_patch(const haw_compliant *c, const haw_patch *patch, haw_contacts *contacts)
{
    for (int j = 0; j < patch->count; j++) {
        const haw_touch *touch = &c->touch[patch->touch + j];
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
        if (c->rope != NULL) {
            haw_rope_contact_list(c->rope, i, contacts);
        }
        for (; next < c->patches && c->pair[c->patch[next].pair].index == i; next++) {
            list_patch(c, &c->patch[next], contacts);
        }
    }
}

haw_status haw_compliant_commit(haw_compliant *compliant, haw_state *state, haw_contacts *contacts)
{
    haw_compliant *c = compliant;
    contacts->count = 0;
    HAW_TRY(haw_contacts_reserve_rows(contacts, haw_compliant_closed(c)));
    for (int i = 0; i < c->pairs; i++) {
        contacts->gap_min[c->pair[i].index] = c->gap_min[c->pair[i].index];
    }
    list_closed(c, contacts);
    contacts->problem.contacts = contacts->count;
    keep_histories(c, state->history);
    if (c->rope != NULL) {
        haw_rope_contact_keep(c->rope, state);
    }
    return HAW_OK;
}
