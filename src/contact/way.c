/* SPDX-License-Identifier: BSD-3-Clause */
/* Way of a contact on the moving surface, and its gap elsewhere. */
#include "base/lie.h"
#include "contact/view.h"

#include <string.h>

/* A contact's pair now and at the start of the step. */
typedef struct passage {
    haw_space_view view;
    haw_pose before;  /* of the surface body */
    const double *q0; /* coordinates before */
} passage;

/*
 * way += weight times that of the material point at rho = -a n: with rho_0 = R_0 R^T rho before, in
 * the material, and p_0 = x_0 + rho_0 on the body then,
 *
 *     w = x + rho - X - Q Q_0^T (p_0 - X_0).
 */
static void add_way(const passage *p, const haw_pose *now, const haw_pose *then,
                    const haw_foot *foot, double weight, double way[3])
{
    double rho[3], local[3], material[3], arm[3], carried[3], w[3], second[3];
    for (int i = 0; i < 3; i++) {
        rho[i] = -p->view.arm * foot->normal[i];
    }
    mat3_apply_t(now->rotation, rho, local);
    mat3_apply(then->rotation, local, material);
    for (int i = 0; i < 3; i++) {
        arm[i] = then->x[i] + material[i] - p->before.x[i];
    }
    mat3_apply_t(p->before.rotation, arm, local);
    mat3_apply(p->view.pose.rotation, local, carried);
    for (int i = 0; i < 3; i++) {
        w[i] = now->x[i] + rho[i] - p->view.pose.x[i] - carried[i];
    }
    vec3_cross(foot->normal, foot->tangent, second);
    way[1] += weight * vec3_dot(foot->tangent, w);
    way[2] += weight * vec3_dot(second, w);
}

static void mortar_way(const passage *p, const haw_touch *contact, double way[3])
{
    const int node = haw_mortar_node(contact);
    for (int i = 0; i < haw_mortar_count(&p->view, node); i++) {
        const haw_mortar_point point = haw_mortar_at(&p->view, node, i);
        haw_pose now, then;
        haw_foot foot;
        haw_space_view_place(&p->view, point.element, point.s, p->view.q, &now);
        haw_space_view_place(&p->view, point.element, point.s, p->q0, &then);
        if (haw_space_view_foot(&p->view, now.x, contact->normal, &foot)) {
            double slope;
            (void)haw_mortar_gap(&p->view, foot.gap, &slope);
            add_way(p, &now, &then, &foot, point.weight * slope / contact->share, way);
        }
    }
}

static void point_way(const passage *p, const haw_touch *contact, double way[3])
{
    haw_pose now, then;
    haw_foot foot;
    memcpy(foot.normal, contact->normal, sizeof foot.normal);
    memcpy(foot.tangent, contact->tangent, sizeof foot.tangent);
    haw_space_view_place(&p->view, contact->element, contact->s, p->view.q, &now);
    haw_space_view_place(&p->view, contact->element, contact->s, p->q0, &then);
    add_way(p, &now, &then, &foot, 1, way);
}

void haw_space_way(const haw_contacts *contacts, const double *before, const double *q, double *way)
{
    passage p = {.q0 = before};
    int pair = -1;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *contact = &contacts->item[i];
        if (contact->pair != pair) {
            pair = contact->pair;
            p.before = haw_space_view_init(contacts, pair, before).pose;
            p.view = haw_space_view_init(contacts, pair, q);
        }
        double *w = way + (ptrdiff_t)3 * i;
        w[0] = contact->gap;
        w[1] = w[2] = 0;
        if (haw_space_is_mortar(&p.view)) {
            mortar_way(&p, contact, w);
        } else {
            point_way(&p, contact, w);
        }
    }
}

static double point_gap(const haw_space_view *view, const haw_touch *contact)
{
    haw_pose place;
    haw_foot foot;
    haw_space_view_place(view, contact->element, contact->s, view->q, &place);
    return haw_space_view_foot(view, place.x, contact->normal, &foot) ? foot.gap : contact->gap;
}

static double mortar_gap(const haw_space_view *view, const haw_touch *contact)
{
    const int node = haw_mortar_node(contact);
    double sum = 0, slope;
    for (int i = 0; i < haw_mortar_count(view, node); i++) {
        const haw_mortar_point point = haw_mortar_at(view, node, i);
        haw_pose place;
        haw_foot foot;
        haw_space_view_place(view, point.element, point.s, view->q, &place);
        if (haw_space_view_foot(view, place.x, contact->normal, &foot)) {
            sum += point.weight * haw_mortar_gap(view, foot.gap, &slope);
        }
    }
    return sum / contact->share;
}

double haw_space_gap(const haw_contacts *contacts, const haw_touch *contact, const double *q)
{
    const haw_space_view view = haw_space_view_init(contacts, contact->pair, q);
    return haw_space_is_mortar(&view) ? mortar_gap(&view, contact) : point_gap(&view, contact);
}
