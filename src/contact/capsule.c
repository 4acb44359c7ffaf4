/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Capsules: the grid points, and of every piece between two of them the material point with the
 * smallest gap where that lies in between. The curve of the element is searched itself, not its
 * chord. A piece that follows the surface is as near to it everywhere: its contact is its middle.
 * What differs of the gap there is the shape of the element, which the contact force changes, so
 * that the nearest point would jump from step to step: the yarn rocks and works itself loose.
 *
 * Under a compliant law every piece has its point, at one of its ends too: half of the stiffness
 * per length is that of the pieces, half that of the grid points (haw_pair_weight). A point that
 * jumps from the end of a landing piece to its middle would make energy: it goes there in
 * proportion.
 */
#include "contact/press.h"

#include <math.h>

enum { ITERATIONS = 60 };

/* As a fraction of a piece: nearer to its end a minimum counts as being there. */
static const double end_zone = 0.02;

/* A piece follows the surface if the gaps of its ends and of its middle differ by less than this
 * part of its length: no point of a parabola is nearer than all three by more than an eighth of it.
 */
static const double FOLLOWS = 0.05;

/* Under a compliant law the point is where the gap is smallest with this part of the length times
 * (x - 1/2)^2 more: at an end while the piece leans by more. */
static const double LEANS = 0.1;

typedef struct piece {
    const haw_view *view;
    int e;
    double from, width; /* local coordinates of the element */
    double lean;        /* LEANS times the length, 0: set-valued [m] */
} piece;

/* What is least at the fraction x of a piece: the smallest gap, INFINITY beyond the end of the
 * surface, and the lean. */
static double gap_at(const piece *p, double x)
{
    double place[3];
    haw_feet feet;
    double gap = HUGE_VAL;
    const double s = p->from + p->width * x;
    haw_view_position(p->view, p->e, s, p->view->q, place);
    haw_view_feet(p->view, place, p->e + s, HUGE_VAL, &feet);
    for (int i = 0; i < feet.count; i++) {
        gap = fmin(gap, feet.foot[i].gap);
    }
    return gap + p->lean * (x - 0.5) * (x - 0.5);
}

/* A place of a search with its value. */
typedef struct sample {
    double x, f;
} sample;

typedef struct bracket {
    double a, b;                /* ends */
    sample best, second, third; /* the lowest so far */
    double step, previous;      /* last step, and the one before it */
} bracket;

/* Step to the vertex of the parabola through the three lowest, or 0 where it is of no use. */
static double parabola(const bracket *s, double tolerance)
{
    const double x = s->best.x, w = s->second.x, v = s->third.x;
    const double r = (x - w) * (s->best.f - s->third.f), t = (x - v) * (s->best.f - s->second.f);
    double p = (x - v) * t - (x - w) * r, q = 2 * (t - r);
    p = q > 0 ? -p : p;
    q = fabs(q);
    const bool useful = isfinite(p) && fabs(p) < fabs(0.5 * q * s->previous) &&
                        p > q * (s->a - x + tolerance) && p < q * (s->b - x - tolerance);
    return useful ? p / q : 0;
}

/* Take a new place into the bracket. */
static void keep(bracket *s, sample u)
{
    const bool is_left = u.x < s->best.x;
    if (u.f <= s->best.f) {
        *(is_left ? &s->b : &s->a) = s->best.x;
        s->third = s->second;
        s->second = s->best;
        s->best = u;
        return;
    }
    *(is_left ? &s->a : &s->b) = u.x;
    if (u.f <= s->second.f || s->second.x == s->best.x) {
        s->third = s->second;
        s->second = u;
    } else if (u.f <= s->third.f || s->third.x == s->best.x || s->third.x == s->second.x) {
        s->third = u;
    }
}

/* R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 5. */
static double minimise(const piece *p)
{
    const double golden = 0.3819660112501051, tolerance = 1e-8;
    const sample middle = {0.5, gap_at(p, 0.5)};
    bracket s = {.b = 1, .best = middle, .second = middle, .third = middle};
    for (int i = 0; i < ITERATIONS; i++) {
        const double x = s.best.x;
        if (fabs(x - 0.5 * (s.a + s.b)) <= 2 * tolerance - 0.5 * (s.b - s.a)) {
            break;
        }
        double step = parabola(&s, tolerance);
        s.previous = s.step;
        if (step == 0) {
            s.previous = x < 0.5 * (s.a + s.b) ? s.b - x : s.a - x;
            step = golden * s.previous;
        }
        s.step = step;
        const double u = x + (fabs(step) < tolerance ? copysign(tolerance, step) : step);
        keep(&s, (sample){u, gap_at(p, u)});
    }
    return s.best.x;
}

static double choose(const piece *p, double length)
{
    if (p->lean > 0) {
        return minimise(p);
    }
    const double middle = gap_at(p, 0.5);
    const double bend = fmax(fabs(gap_at(p, 0) - middle), fabs(gap_at(p, 1) - middle));
    return bend < FOLLOWS * length ? 0.5 : minimise(p);
}

/* Contact of piece j of an element, where it is nearer in between than at both of its ends. */
static haw_status touch_piece(haw_contacts *contacts, const haw_view *view, int e, int j)
{
    const haw_pair *pair = view->pair;
    const int fine = pair->points_per_element, points = fine * view->cable->line.elements;
    const int place = points + 1 + fine * e + j, id = pair->first_point + pair->feet * place;
    const int count = contacts->count;
    const double length = view->cable->line.le / fine;
    const piece p = {view, e, (double)j / fine, 1.0 / fine,
                     pair->law->set_valued ? 0 : LEANS * length};
    double *chosen = contacts->chosen == NULL ? NULL : contacts->chosen + id;
    const double x = chosen == NULL || isnan(*chosen) ? choose(&p, length) : *chosen;
    if (pair->law->set_valued && (x < end_zone || x > 1 - end_zone)) {
        return HAW_OK;
    }
    HAW_TRY(haw_view_touch(contacts, view, place, e, p.from + p.width * x));
    if (chosen != NULL && contacts->count > count) {
        *chosen = x;
    }
    return HAW_OK;
}

static haw_status find_capsules(haw_contacts *contacts, const haw_view *view)
{
    return haw_points_touch(contacts, view, touch_piece);
}

const haw_narrow haw_narrow_capsule = {
    .name = "capsules",
    .summary =
        "the points of the grid, and the nearest point of every piece between them, or its middle",
    .find = find_capsules,
    .clasp = &haw_press_clasp,
};
