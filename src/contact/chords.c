/* SPDX-License-Identifier: BSD-3-Clause */
/* Touches of chords, the straight lines between grid points: each where it is nearest to a foot's
 * side of the surface. Chords of curves in the plane have a faster path (chord.c). */
#include "base/lie.h"
#include "contact/press.h"

enum { ITERATIONS = 40 };

/* A place at the end of a chord is this part of its length inside, so that it tells the chord. */
static const double inset = 1e-9;

/* Where all of a chord is equally near, a drawing error of this part of its length decides for its
 * middle, so that rounding does not. */
static const double levelling = 1e-9;

static const double enough = 1e-9;

/* Derivatives of the gap to rho, the normals being those of the feet nearest to `normal`; a chord
 * that follows the surface touches with its middle (levelling). */
static bool slope_at(const haw_view *view, const haw_chord *chord, double rho,
                     const double normal[3], double slope[2])
{
    const double *a = chord->end[0].x, *c = chord->along;
    const double x[3] = {a[0] + rho * c[0], a[1] + rho * c[1], a[2] + rho * c[2]};
    haw_foot foot;
    const bool is_there = haw_view_foot(view, x, normal, &foot);
    if (is_there) {
        haw_chord_slope(chord, foot.normal, foot.tangent, foot.bend, rho, slope);
    }
    return is_there;
}

void haw_chord_slope(const haw_chord *chord, const double normal[3], const double tangent[3],
                     const double bend[2], double rho, double slope[2])
{
    const double *c = chord->along, level = levelling * sqrt(chord->square);
    double second[3];
    vec3_cross(normal, tangent, second);
    const double along[2] = {vec3_dot(tangent, c), vec3_dot(second, c)};
    slope[0] = vec3_dot(normal, c) + level * (2 * rho - 1);
    slope[1] = bend[0] * along[0] * along[0] + bend[1] * along[1] * along[1] + 2 * level;
}

/* Newton's method within a bracket, from the chord's rho. On a hollow surface the ends are nearest:
 * the first, which is the last of its neighbour. */
double haw_chord_nearest(const haw_view *view, const haw_chord *chord, const double normal[3])
{
    double low = inset, high = 1 - inset, slope[2], rho = fmax(low, fmin(chord->rho, high));
    for (int i = 0; i < ITERATIONS && slope_at(view, chord, rho, normal, slope); i++) {
        if (slope[1] <= 0) {
            return slope_at(view, chord, inset, normal, slope) && slope[0] < 0 ? 1 - inset : inset;
        }
        *(slope[0] < 0 ? &low : &high) = rho;
        const double newton = rho - slope[0] / slope[1];
        const double next = fmax(inset, fmin(newton, 1 - inset));
        const double to = next >= low && next <= high ? next : 0.5 * (low + high);
        const double step = fabs(to - rho);
        rho = to;
        if (step < enough) { /* the error that is left is about its square */
            break;
        }
    }
    return rho;
}

/* The chord on the side of a surface with this normal. */
static haw_status touch_side(haw_contacts *contacts, const haw_view *view, int place, int slot,
                             haw_chord *chord, const double normal[3])
{
    const int n = view->chords, e = place / n;
    haw_cable_point point;
    haw_foot foot;
    haw_touch *touch;
    chord->rho = haw_chord_nearest(view, chord, normal);
    haw_chord_point(view, e, chord, true, &point);
    if (!haw_view_foot(view, point.x, normal, &foot)) {
        return HAW_OK;
    }
    *view->gap_min = fmin(*view->gap_min, foot.gap);
    if (foot.gap > view->margin) {
        return HAW_OK;
    }
    HAW_TRY(haw_view_add(contacts, view, view->pair->feet * place + slot, &foot, &touch));
    haw_view_set_cable(view, e, (place % n + chord->rho) / n, &point, &foot, touch);
    return HAW_OK;
}

/* At all feet of its middle that some of it may reach. */
static haw_status touch_chord(haw_contacts *contacts, const haw_view *view, int place)
{
    const int n = view->chords;
    double middle[3];
    haw_chord chord;
    haw_feet feet;
    haw_view_chord(view, place / n, (place % n + 0.5) / n, view->q, true, &chord);
    for (int i = 0; i < 3; i++) {
        middle[i] = chord.end[0].x[i] + 0.5 * chord.along[i];
    }
    const double reach = view->margin + 0.5 * sqrt(chord.square);
    haw_view_feet(view, middle, (place + 0.5) / n, reach + HAW_FAR_FEET * view->radius, &feet);
    ++*view->looked;
    for (int i = 0; i < feet.count; i++) {
        const haw_foot *foot = &feet.foot[i];
        HAW_TRY(foot->gap > reach ? HAW_OK
                                  : touch_side(contacts, view, place, i, &chord, foot->normal));
    }
    return HAW_OK;
}

static haw_status touch_element(haw_contacts *contacts, const haw_view *view, int e)
{
    int from, to;
    haw_view_span(view, e, &from, &to);
    for (int j = from > 0 ? from - 1 : 0; j < view->chords && j <= to; j++) {
        HAW_TRY(touch_chord(contacts, view, e * view->chords + j));
    }
    return HAW_OK;
}

static haw_status find_chords(haw_contacts *contacts, const haw_view *view)
{
    int e = -1;
    if (!view->lists) {
        return haw_points_find(contacts, view);
    }
    HAW_TRY(haw_view_next(view, &e));
    while (e < view->cable->line.elements) {
        HAW_TRY(touch_element(contacts, view, e));
        HAW_TRY(haw_view_next(view, &e));
    }
    return HAW_OK;
}

const haw_narrow haw_narrow_chord = {
    .name = "chords",
    .summary = "the straight lines between the points of the grid, of compliant laws",
    .find = find_chords,
    .press = &haw_press_line,
    .clasp = &haw_press_clasp,
};
