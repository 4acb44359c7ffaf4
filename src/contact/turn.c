/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Second derivatives of touches: what their loads add to a tangent where rows turn. With a
 * surface the normal turns by dn = b_k t_k (t_k . dx) and the tangents likewise; the point's
 * Jacobian changes by itself (haw_cable_ops.point_tangent); and of a mortar touch the weight of a
 * part falls as its gap opens.
 */
#include "base/lie.h"
#include "contact/partner.h"

#include <string.h>

/* What moves the touch on its surface, by degree of freedom of the first side. */
typedef struct motion {
    double row[HAW_DIRECTIONS][HAW_SIDE_DOFS];   /* of x along n, t1, t2 */
    double turn[HAW_SIDE_DOFS];                  /* of the section about n */
    double arm;                                  /* friction acts at x - arm n [m] */
    double stays[HAW_DIRECTIONS][HAW_SIDE_DOFS]; /* of J^T n as n turns towards t1, t2 */
} motion;

/* The rows of a touch are those of the place where friction acts. Not with that place, but with the
 * centreline's point turns the normal: in a groove little wider than the rope by far. */
static void find_motion(const haw_contacts *contacts, const haw_touch *c, int d, motion *m)
{
    const haw_view view = haw_view_at(contacts, c, contacts->q);
    const int count = c->side[0].count;
    double direction[HAW_DIRECTIONS][3];
    haw_cable_point point;
    m->arm = view.arm;
    for (int t = 0; t < d; t++) {
        memcpy(m->row[t], c->side[0].row[t], (size_t)count * sizeof(double));
    }
    if (view.arm == 0) {
        return;
    }
    memcpy(direction[0], c->normal, sizeof direction[0]);
    memcpy(direction[1], c->tangent, sizeof direction[1]);
    vec3_cross(c->normal, c->tangent, direction[2]);
    haw_view_point(&view, c->element, c->s, contacts->q, true, &point);
    for (int a = 0; a < count; a++) {
        const double x[3] = {point.j[0][a], point.j[1][a], point.j[2][a]};
        const double w[3] = {point.w[0][a], point.w[1][a], point.w[2][a]};
        for (int t = 1; t < d; t++) {
            m->row[t][a] = vec3_dot(direction[t], x);
        }
        m->turn[a] = vec3_dot(c->normal, w);
    }
}

/* v = J^T n of the place of a node is taken along by (n x t_k) x v. */
static void find_stays(const haw_touch *c, int d, bool turns, motion *m)
{
    const int node = turns ? HAW_SPACE_DOFS / 2 : d;
    double axis[HAW_DIRECTIONS][3], by[3];
    memset(m->stays, 0, sizeof m->stays);
    vec3_cross(c->normal, c->tangent, axis[1]);
    for (int i = 0; i < 3; i++) {
        axis[2][i] = -c->tangent[i];
    }
    for (int a = 0; a + d <= c->side[0].count; a += node) {
        double v[3] = {0, 0, 0};
        memcpy(v, &m->row[0][a], (size_t)d * sizeof *v);
        for (int t = 1; t < HAW_DIRECTIONS; t++) {
            vec3_cross(axis[t], v, by);
            memcpy(&m->stays[t][a], by, (size_t)d * sizeof *by);
        }
    }
}

/*
 * k -= d(J^T F + w^T (-a n x F)) for F = f_n n + f_k t_k that turns with the normal,
 *     dF = f_n dn - n (f_k b_k xi_k),   d(-a n x F) = -a dn x F = -a n (f_2 b_1 xi_1 - f_1 b_2
 * xi_2), xi_k the way of the centreline's point along t_k. Of mean rows f_n turns in part
 * (haw_touch.turning) on positions, as a whole on the axes of sections.
 */
static inline void add_bend(const haw_touch *c, int d, const double *force, const motion *m,
                            double *k)
{
    const int count = c->side[0].count;
    for (int a = 0; a < count; a++) {
        double gain[HAW_DIRECTIONS], stays[HAW_DIRECTIONS];
        for (int t = 1; t < d; t++) {
            gain[t] = c->bend[t - 1] * (force[0] * m->row[t][a] - force[t] * m->row[0][a]);
            stays[t] = (1 - c->turning) * c->bend[t - 1] * force[0] * m->row[t][a];
        }
        if (d == HAW_DIRECTIONS && m->arm != 0) {
            gain[1] -= m->arm * c->bend[0] * force[2] * m->turn[a];
            gain[2] += m->arm * c->bend[1] * force[1] * m->turn[a];
        }
        for (int b = 0; b < count; b++) {
            double sum = 0;
            for (int t = 1; t < d; t++) {
                sum += gain[t] * m->row[t][b] - stays[t] * m->stays[t][b];
            }
            k[a * count + b] -= sum;
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

void haw_surface_tangent(const haw_contacts *contacts, const haw_touch_part *part,
                         const double *load, double factor, haw_system *system)
{
    const haw_touch *c = &part->point;
    const haw_touch_side *side = &c->side[0];
    const int d = contacts->dimension;
    double whole[HAW_DIRECTIONS] = {0}, force[HAW_DIRECTIONS] = {0}, second[3], f[3], twist[3];
    motion moves = {.arm = 0};
    double k[HAW_SIDE_DOFS * HAW_SIDE_DOFS];
    if (side->cable < 0) {
        return;
    }
    memset(k, 0, (size_t)(side->count * side->count) * sizeof *k);
    for (int i = 0; i < d; i++) {
        whole[i] = factor * load[i];
        force[i] = factor * part->weight * load[i];
    }
    const int index = contacts->model->pair[c->pair].cable;
    const haw_cable *cable = &contacts->model->cable[index];
    find_motion(contacts, c, d, &moves);
    find_stays(c, d, haw_cable_turns(cable), &moves);
    if (d < HAW_DIRECTIONS) {
        add_bend(c, HAW_DIRECTIONS - 1, force, &moves, k);
    } else { /* loops of fixed length */
        add_bend(c, HAW_DIRECTIONS, force, &moves, k);
    }
    if (part->softening != 0) {
        add_softening(c, d, part->softening, whole, k);
    }
    const bool tilts = haw_view_at(contacts, c, contacts->q).tilts;
    if (cable->ops->point_tangent != NULL || tilts) {
        vec3_cross(c->normal, c->tangent, second);
        for (int i = 0; i < 3; i++) {
            f[i] = force[0] * c->normal[i] + force[1] * c->tangent[i] + force[2] * second[i];
            twist[i] = moves.arm * (force[2] * c->tangent[i] - force[1] * second[i]);
        }
        if (tilts) {
            haw_cable_direct_tangent(cable, c->element, c->s, contacts->q, twist, k);
        } else {
            cable->ops->point_tangent(cable, c->element, c->s, contacts->q, f, twist, k);
        }
    }
    haw_system_add_element(system, index, c->element, k);
}

void haw_contacts_tangent(const haw_contacts *contacts, double factor, haw_system *system)
{
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        const haw_partner *partner = haw_partner_of(&contacts->model->pair[touch->pair]);
        const double *load = contacts->impulse + (ptrdiff_t)contacts->dimension * i;
        const int parts = load[0] > 0 ? haw_contacts_parts(contacts, touch) : 0;
        for (int k = 0; k < parts; k++) {
            haw_touch_part part;
            if (haw_contacts_part(contacts, touch, k, &part)) {
                part.point.turning = touch->turning;
                partner->tangent(contacts, &part, load, factor, system);
            }
        }
    }
}
