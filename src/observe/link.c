/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Twist, writhe and linking number of a cable (G. Calugareanu, J. H. White, F. B. Fuller):
 *
 *     Lk = Tw / 2 pi + Wr,
 *
 * which stays what it is while the cable does not pass through itself and its ends are held.
 *
 * The writhe is Gauss' double integral over the polygon of the nodes and the middles of elements,
 * exact for each pair of its sides (K. Klenin, J. Langowski, Biopolymers 54 (2000) 307, eqs. 15 and
 * 16a). Unless the ends of a cable are in one place, it goes on straight beyond them, for ever.
 *
 * The twist of a cable is that of its strains. Its linking number takes the twist of its sections
 * about the same polygon, from the middle of a side to that of the next, to which the frame is
 * carried by the least rotation: so it is exact on any mesh, and a change of it says that the cable
 * has passed through itself.
 */
#include "base/lie.h"
#include "observe/probe.h"

#include <math.h>
#include <string.h>

enum { PER_ELEMENT = 2 }; /* sides of the polygon */

static const double two_pi = 6.283185307179586477;
/* Length of what stands for the rest of a line where both ends go on, over the cable: what it
 * leaves out is the reverse of it. */
static const double FAR = 1e6;
/* Sides in one plane are not seen to cross; of sides in one line the area is rounding, too. */
static const double ROUNDING = 64 * 2.2e-16;
static const double TOGETHER = 1e-9; /* of two ends, over the length of the cable */

static const haw_cable *cable_of(const haw_observation *o, const haw_probe *p)
{
    return &o->frame.model->cable[p->index];
}

/* Against the stress-free shape. */
void haw_link_twist(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    const haw_beam *beam = &cable->beam;
    v[0] = 0;
    for (int e = 0; e < beam->elements; e++) {
        haw_space_strain strain;
        beam->ops->strain(beam, e, 0.5, o->frame.state->q + cable->first_q, NULL, &strain);
        const double free = beam->natural != NULL ? beam->natural[HAW_STRAINS * e + 3] : 0;
        v[0] += beam->le * (strain.strain[3] - free);
    }
}

/* The direction of a x b into n; 0 where they are parallel. */
static void find_normal(const double a[3], const double b[3], double n[3])
{
    vec3_cross(a, b, n);
    const double size = vec3_norm(n);
    for (int i = 0; i < 3; i++) {
        n[i] = size > 0 ? n[i] / size : 0;
    }
}

/* asin(a . b), as exact near a right angle as elsewhere. */
static double arc_sine(const double a[3], const double b[3])
{
    double n[3];
    vec3_cross(a, b, n);
    return atan2(vec3_dot(a, b), vec3_norm(n));
}

/* Signed part of the sphere of directions from which the sides ab and cd are seen to cross, over
 * 4 pi. @param is_ray  d is a direction, in which the second one goes on for ever */
static double crossing(const double *a, const double *b, const double *c, const double *d,
                       bool is_ray)
{
    double ac[3], ad[3], bd[3], bc[3], ab[3], cd[3], n[4][3], turn[3], area = 0;
    for (int i = 0; i < 3; i++) {
        ac[i] = c[i] - a[i];
        ad[i] = is_ray ? d[i] : d[i] - a[i];
        bd[i] = is_ray ? d[i] : d[i] - b[i];
        bc[i] = c[i] - b[i];
        ab[i] = b[i] - a[i];
        cd[i] = is_ray ? d[i] : d[i] - c[i];
    }
    find_normal(ac, ad, n[0]);
    find_normal(is_ray ? ab : ad, bd, n[1]); /* ad x bd = ab x d + a x b */
    find_normal(bd, bc, n[2]);
    find_normal(bc, ac, n[3]);
    for (int i = 0; i < 4; i++) {
        area += arc_sine(n[i], n[(i + 1) % 4]);
    }
    vec3_cross(cd, ab, turn);
    const double side = vec3_dot(turn, ac);
    const double noise =
        ROUNDING * (vec3_norm(a) + vec3_norm(c) + vec3_norm(ab)) * vec3_norm(cd) * vec3_norm(ac);
    return fabs(side) <= noise ? 0 : copysign(area, side) / (2 * two_pi);
}

/* Places along the cable into x [3 (elements PER_ELEMENT + 1)]. @return their number */
static int find_places(const haw_cable *cable, const double *q, double *x)
{
    const int count = PER_ELEMENT * cable->line.elements;
    for (int k = 0; k <= count; k++) {
        const int e = k < count ? k / PER_ELEMENT : cable->line.elements - 1;
        const double s = k < count ? (double)(k % PER_ELEMENT) / PER_ELEMENT : 1;
        haw_cable_point at;
        cable->ops->point(cable, e, s, q, NULL, HAW_POINT_PLACE, &at);
        for (int i = 0; i < 3; i++) {
            x[3 * k + i] = at.x[i];
        }
    }
    return count + 1;
}

/* What the sides from `first` to before `end` make with a line, or with a ray: those that share a
 * point with it make nothing. */
static double sum_over(const double *x, int first, int end, const double *from, const double *to,
                       bool is_ray)
{
    double sum = 0;
    for (int k = first; k < end; k++) {
        sum += crossing(x + (ptrdiff_t)3 * k, x + (ptrdiff_t)3 * k + 3, from, to, is_ray);
    }
    return sum;
}

/* The line that goes on from an end of the cable: its direction there, outwards, and a place on it.
 */
static void find_tail(const haw_cable *cable, int end, const double *q, const double *x,
                      double away[3], double tail[3])
{
    haw_cable_point at;
    const double reach = FAR * cable->line.le * cable->line.elements;
    haw_cable_direct(cable, end == 0 ? 0 : cable->line.elements - 1, end, q, &at);
    for (int i = 0; i < 3; i++) {
        away[i] = (end == 0 ? -1 : 1) * at.rotation[3 * i];
        tail[i] = x[i] + reach * away[i];
    }
}

static bool is_ring(const haw_cable *cable, const double *first, const double *last)
{
    const double gap[3] = {last[0] - first[0], last[1] - first[1], last[2] - first[2]};
    return vec3_norm(gap) <= TOGETHER * cable->line.le * cable->line.elements;
}

void haw_link_writhe(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    const double *q = o->frame.state->q;
    double *x = o->work, sum = 0;
    const int sides = find_places(cable, q, x) - 1;
    const double *last = x + (ptrdiff_t)3 * sides;
    const bool ring = is_ring(cable, x, last);
    for (int k = 2; k < sides; k++) {
        const double *side = x + (ptrdiff_t)3 * k;
        sum += sum_over(x, ring && k == sides - 1 ? 1 : 0, k - 1, side, side + 3, false);
    }
    if (!ring) {
        double start[3], end[3], back[3], on[3];
        find_tail(cable, 0, q, x, back, start);
        find_tail(cable, 1, q, last, on, end);
        sum += sum_over(x, 0, sides - 1, last, on, true) - sum_over(x, 1, sides, x, back, true);
        sum += crossing(start, x, last, end, false);
    }
    v[0] = 2 * sum;
}

/* ---- sections about the polygon ---- */

/* A side with the second axis of the section in its middle. */
typedef struct side {
    double along[3], axis[3];
} side;

static void unify(double t[3])
{
    const double size = vec3_norm(t);
    for (int i = 0; i < 3; i++) {
        t[i] /= size;
    }
}

static void find_axis(const haw_cable *cable, const double *q, int e, double s, double axis[3])
{
    haw_cable_point at;
    cable->ops->point(cable, e, s, q, NULL, HAW_POINT_PLACE, &at);
    for (int i = 0; i < 3; i++) {
        axis[i] = at.rotation[3 * i + 1];
    }
}

/* Side k, or what goes on straight beyond the ends. */
static void find_side(const haw_cable *cable, const double *q, const double *x, int k, side *to)
{
    const int sides = PER_ELEMENT * cable->line.elements, e = k / PER_ELEMENT;
    haw_cable_point tail;
    if (k < 0 || k >= sides) {
        haw_cable_direct(cable, k < 0 ? 0 : cable->line.elements - 1, k < 0 ? 0 : 1, q, &tail);
        for (int i = 0; i < 3; i++) {
            to->along[i] = tail.rotation[3 * i];
            to->axis[i] = tail.rotation[3 * i + 1];
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        to->along[i] = x[3 * k + 3 + i] - x[3 * k + i];
    }
    unify(to->along);
    find_axis(cable, q, e, (k % PER_ELEMENT + 0.5) / PER_ELEMENT, to->axis);
}

/* Angle between the axis of a, carried along by the least rotation, and that of b. */
static double turn_between(const side *a, const side *b)
{
    const double *t = a->along, *u = b->along, out = vec3_dot(t, a->axis);
    const double both[3] = {t[0] + u[0], t[1] + u[1], t[2] + u[2]};
    double carried[3], normal[3];
    for (int i = 0; i < 3; i++) {
        carried[i] = a->axis[i] - out * t[i];
    }
    vec3_add(-vec3_dot(both, carried) / (1 + vec3_dot(t, u)), both, carried);
    vec3_cross(carried, b->axis, normal);
    return atan2(vec3_dot(u, normal), vec3_dot(carried, b->axis));
}

static double turn_at(const haw_cable *cable, const double *q, const double *x, int k)
{
    side a, b;
    find_side(cable, q, x, k - 1, &a);
    find_side(cable, q, x, k, &b);
    return turn_between(&a, &b);
}

/* Where the ends of a ring were joined their sections differ, by what no section turns. */
static double turn_at_joint(const haw_cable *cable, const double *q, const double *x)
{
    const int sides = PER_ELEMENT * cable->line.elements;
    side a, b, end, start;
    find_side(cable, q, x, sides - 1, &a);
    find_side(cable, q, x, 0, &b);
    for (int i = 0; i < 3; i++) {
        end.along[i] = a.along[i] + b.along[i];
    }
    unify(end.along);
    memcpy(start.along, end.along, sizeof start.along);
    find_axis(cable, q, cable->line.elements - 1, 1, end.axis);
    find_axis(cable, q, 0, 0, start.axis);
    return turn_between(&a, &end) + turn_between(&start, &b);
}

/* What sections turn about the polygon beyond what the strains say. */
static double find_excess(const haw_cable *cable, const double *q, const double *x)
{
    const haw_beam *beam = &cable->beam;
    const int sides = PER_ELEMENT * cable->line.elements;
    const bool ring = is_ring(cable, x, x + (ptrdiff_t)3 * sides);
    double sum =
        ring ? turn_at_joint(cable, q, x) : turn_at(cable, q, x, 0) + turn_at(cable, q, x, sides);
    for (int k = 1; k < sides; k++) {
        sum += turn_at(cable, q, x, k);
    }
    for (int e = 0; e < beam->elements; e++) {
        haw_space_strain strain;
        beam->ops->strain(beam, e, 0.5, q + cable->first_q, NULL, &strain);
        sum -= beam->le * strain.strain[3];
    }
    return sum;
}

void haw_link_number(const haw_observation *o, const haw_probe *p, double *v)
{
    const haw_cable *cable = cable_of(o, p);
    double twist;
    haw_link_twist(o, p, &twist);
    haw_link_writhe(o, p, v);
    twist += haw_cable_turns(cable) ? find_excess(cable, o->frame.state->q, o->work) : 0;
    v[0] += twist / two_pi;
}
