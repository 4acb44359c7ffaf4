/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Second derivatives of touches: what their loads add to a tangent where rows turn. With the
 * surface the normal turns by dn = b_k t_k (t_k . dx) and the tangents likewise; the point's
 * Jacobian changes by itself (haw_cable_ops.point_tangent); and of a mortar touch the weight of a
 * part falls as its gap opens.
 */
#include "base/lie.h"
#include "contact/contact.h"

#include <string.h>

/* k -= d(f_n n + f_k t_k) / dx in the rows of the touch, force f [d]. */
static inline void add_bend(const haw_touch *c, int d, const double *force, double *k)
{
    const haw_touch_side *side = &c->side[0];
    for (int a = 0; a < side->count; a++) {
        double gain[HAW_DIRECTIONS];
        for (int t = 1; t < d; t++) {
            gain[t] = force[0] * c->bend[t - 1] * side->row[t][a] -
                      force[t] * c->bend[t - 1] * side->row[0][a];
        }
        for (int b = 0; b < side->count; b++) {
            double sum = 0;
            for (int t = 1; t < d; t++) {
                sum += gain[t] * side->row[t][b];
            }
            k[a * side->count + b] -= sum;
        }
    }
}

/* k += softening (rows' f) x (row of the gap). */
static void add_softening(const haw_touch *c, int d, double softening, const double *force,
                          double *k)
{
    const haw_touch_side *side = &c->side[0];
    for (int a = 0; a < side->count; a++) {
        double pull = 0;
        for (int t = 0; t < d; t++) {
            pull += force[t] * side->row[t][a];
        }
        for (int b = 0; b < side->count; b++) {
            k[a * side->count + b] += softening * pull * side->row[0][b];
        }
    }
}

static void add_part(const haw_contacts *contacts, const haw_touch_part *part, const double *load,
                     double factor, haw_system *system)
{
    const haw_touch *c = &part->point;
    const haw_touch_side *side = &c->side[0];
    const int d = contacts->dimension;
    double whole[HAW_DIRECTIONS] = {0}, force[HAW_DIRECTIONS] = {0}, second[3], f[3];
    double k[HAW_SIDE_DOFS * HAW_SIDE_DOFS];
    if (side->cable < 0) {
        return;
    }
    memset(k, 0, (size_t)(side->count * side->count) * sizeof *k);
    for (int i = 0; i < d; i++) {
        whole[i] = factor * load[i];
        force[i] = factor * part->weight * load[i];
    }
    if (d < HAW_DIRECTIONS) {
        add_bend(c, HAW_DIRECTIONS - 1, force, k);
    } else { /* loops of fixed length */
        add_bend(c, HAW_DIRECTIONS, force, k);
    }
    if (part->softening != 0) {
        add_softening(c, d, part->softening, whole, k);
    }
    const haw_cable *cable = &contacts->model->cable[side->cable];
    if (cable->ops->point_tangent != NULL) {
        vec3_cross(c->normal, c->tangent, second);
        for (int i = 0; i < 3; i++) {
            f[i] = force[0] * c->normal[i] + force[1] * c->tangent[i] + force[2] * second[i];
        }
        cable->ops->point_tangent(cable, c->element, c->s, contacts->q, f, k);
    }
    haw_system_add_element(system, side->cable, c->element, k);
}

void haw_contacts_tangent(const haw_contacts *contacts, double factor, haw_system *system)
{
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        const double *load = contacts->impulse + (ptrdiff_t)contacts->dimension * i;
        const int parts = load[0] > 0 ? haw_contacts_parts(contacts, touch) : 0;
        for (int k = 0; k < parts; k++) {
            haw_touch_part part;
            if (haw_contacts_part(contacts, touch, k, &part)) {
                add_part(contacts, &part, load, factor, system);
            }
        }
    }
}
