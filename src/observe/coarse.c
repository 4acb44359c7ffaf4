/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements longer than the radius that they bend round. A curve of so few unknowns follows the
 * surface at its ends at best; what it presses there, and what friction takes from its tension, is
 * off, and the run goes on as if nothing were amiss. ln(T1 / T2) of a rope drawn over a cylinder,
 * half a turn, against that of elements of a quarter of the radius: at 1.5 radii se3 .2 %, bezier
 * 1 %, ancf 4 %, corotational 15 %; at one, bezier-c0 .2 %, all others 1 to 8 %.
 */
#include "base/lie.h"
#include "contact/view.h"
#include "observe/observation.h"

#include <math.h>
#include <string.h>

static const double TURN = 1; /* of an element, and its length over the radius [rad] */
static const double ELEMENTS =
    4; /* to a radian: bezier, bezier-c0, ancf are right to 1e-3, chain to 1e-2 */
static const double COUNTS = 1e-2; /* of the largest load */

static void find_tangent(const haw_cable *cable, int e, double part, const double *q,
                         double tangent[3])
{
    const haw_cable *owner = haw_cable_member(cable, &e);
    haw_sample sample = {.tangent = {0, 0, 0}};
    owner->ops->state(owner, e, haw_cable_local(owner, e, part, q), q, NULL, &sample);
    memcpy(tangent, sample.tangent, sizeof sample.tangent);
}

static double angle_between(const double a[3], const double b[3])
{
    double cross[3];
    vec3_cross(a, b, cross);
    return atan2(vec3_norm(cross), vec3_dot(a, b));
}

/* Angle by which element e turns, and the line in the node nearer to the place. */
static double turn_of(const haw_cable *cable, int e, double part, const double *q)
{
    const int end = part > 0.5 ? 2 : 0, beside = haw_cable_beside(cable, e, end - 1);
    double t[3][3], other[3];
    for (int i = 0; i < 3; i++) {
        find_tangent(cable, e, 0.5 * i, q, t[i]);
    }
    double turn = angle_between(t[0], t[1]) + angle_between(t[1], t[2]);
    if (beside >= 0) {
        find_tangent(cable, beside, end > 0 ? 0 : 1, q, other);
        turn += angle_between(t[end], other);
    }
    return turn;
}

/* The normal turns by bend[k] along t_k; of crossing lines both lie on round sections. */
static void warn_at(haw_simulation *simulation, const haw_touch *c, int side)
{
    const double *q = simulation->state->q;
    const haw_view view = haw_view_at(simulation->contacts, c, q);
    const haw_cable *cable = side == 0 ? view.cable : view.line;
    const int e = side == 0 ? c->element : c->on;
    double along[3], second[3];
    if (view.cable == NULL || cable == NULL || e < 0) {
        return;
    }
    vec3_cross(c->normal, c->tangent, second);
    find_tangent(view.cable, c->element, c->s, q, along);
    const double a = side == 0 ? vec3_dot(along, c->tangent) : 0, b = vec3_dot(along, second);
    const double bend = c->bend[0] * a * a + c->bend[1] * b * b;
    const haw_cable *owner = haw_cable_part(cable, haw_cable_part_of(cable, e));
    const double length = haw_cable_shortest(owner, q);
    const double turn = length * bend > TURN ? turn_of(cable, e, side == 0 ? c->s : c->at, q) : 0;
    if (turn > TURN) {
        simulation->observation->is_coarse = true;
        haw_log(simulation->context, HAW_LOG_WARNING,
                "contact of '%s' and '%s': at t = %g s an element of '%s', %.3g m long, turns by "
                "%.2g rad round a radius of %.3g m: forces and friction there are rough; finer "
                "ones (%.2g m) follow it",
                view.pair->between[0], view.pair->between[1], simulation->state->t, owner->name,
                length, turn, 1 / bend, 1 / (ELEMENTS * bend));
    }
}

void haw_coarse_warn(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    const double *load = haw_contacts_load(contacts);
    double largest = 0;
    for (int i = 0; i < contacts->count; i++) {
        largest = fmax(largest, load[(ptrdiff_t)d * i]);
    }
    for (int i = 0; i < 2 * contacts->count && !simulation->observation->is_coarse; i++) {
        if (load[(ptrdiff_t)d * (i / 2)] > COUNTS * largest) {
            warn_at(simulation, &contacts->item[i / 2], i % 2);
        }
    }
}
