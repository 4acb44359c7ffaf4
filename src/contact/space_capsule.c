/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Capsules: of every piece between two neighbouring grid points the material point with the
 * smallest gap, and both ends of the cable. The curve of the element is searched itself, not its
 * chord.
 */
#include "contact/space_view.h"

#include <math.h>

enum { ITERATIONS = 60 };

/* As a fraction of a piece: nearer to its end a minimum counts as being there. */
static const double end_zone = 1e-6, held_zone = 1e-2;

/* On a piece that follows the surface all points are equally near: a drawing error of this part of
 * the piece's length decides for its middle, so that rounding does not. */
static const double levelling = 1e-9;

typedef struct piece {
    const haw_space_view *view;
    int e;
    double from, width; /* local coordinates of the element */
    double tilt;        /* levelling times the length [m] */
} piece;

/* Smallest gap at the fraction x of a piece, INFINITY beyond the end of the surface. */
static double gap_at(const piece *p, double x)
{
    haw_pose place;
    haw_feet feet;
    double gap = HUGE_VAL;
    haw_space_view_place(p->view, p->e, p->from + p->width * x, p->view->q, &place);
    haw_space_view_feet(p->view, place.x, HUGE_VAL, &feet);
    for (int i = 0; i < feet.count; i++) {
        gap = fmin(gap, feet.foot[i].gap);
    }
    return gap + p->tilt * (x - 0.5) * (x - 0.5);
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

/* The nearest point of a piece; at an end it is that exactly, and at a prescribed one from a
 * hundredth of the piece on, where its rows are next to nothing. */
static double nearest(const piece *p)
{
    const haw_space_view *view = p->view;
    const bool starts = p->e == 0 && p->from == 0;
    const bool ends = p->e == view->cable->beam.elements - 1 && p->from + 1.5 * p->width > 1;
    const double low = starts && !haw_space_carries(view, 0) ? held_zone : end_zone;
    const double high = ends && !haw_space_carries(view, p->e + 1) ? held_zone : end_zone;
    const double x = minimise(p);
    if (x < low) {
        return 0;
    }
    return x > 1 - high ? 1 : x;
}

/*
 * Pieces of one element. A minimum at a node of the cable's end is that of the end itself; one at
 * the end of a piece that the piece before has taken is not taken again.
 */
static haw_status touch_pieces(haw_contacts *contacts, const haw_space_view *view, int e,
                               bool *taken)
{
    const int fine = haw_pair_fineness(view->pair), elements = view->cable->beam.elements;
    piece p = {view, e, 0, 1.0 / fine, levelling * view->cable->beam.le / fine};
    for (int j = 0; j < fine; j++) {
        p.from = (double)j / fine;
        const double x = nearest(&p);
        const bool is_end =
            (x == 0 && e == 0 && j == 0) || (x == 1 && e == elements - 1 && j == fine - 1);
        const bool again = x == 0 && *taken;
        *taken = x == 1;
        const double s = x == 1 ? (double)(j + 1) / fine : p.from + p.width * x;
        HAW_TRY(is_end || again ? HAW_OK : haw_space_touch(contacts, view, e * fine + j, e, s));
    }
    return HAW_OK;
}

static haw_status touch_end(haw_contacts *contacts, const haw_space_view *view, int end)
{
    const int elements = view->cable->beam.elements, e = end == 0 ? 0 : elements - 1;
    const int place = haw_pair_fineness(view->pair) * elements + end;
    if (!haw_space_carries(view, end == 0 ? 0 : elements) || !haw_space_near(view, e)) {
        return HAW_OK;
    }
    return haw_space_touch(contacts, view, place, e, end);
}

haw_status haw_space_capsules(haw_contacts *contacts, const haw_space_view *view)
{
    bool taken = false;
    HAW_TRY(touch_end(contacts, view, 0));
    for (int e = 0; e < view->cable->beam.elements; e++) {
        const bool near = haw_space_near(view, e);
        taken = taken && near;
        HAW_TRY(near ? touch_pieces(contacts, view, e, &taken) : HAW_OK);
    }
    return touch_end(contacts, view, 1);
}
