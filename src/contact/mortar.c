/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One contact per node: gap, rows and way of the points of the two elements beside it, weighted
 * with the node's hat function Phi and the trapezoidal rule (A. Bosten, A. Cosimo, J. Linn, O.
 * Bruls, Multibody Syst. Dyn. 54 (2022) 479-512, with a rigid surface as master),
 *
 *     g_A = sum_k w_k Phi_A(s_k) c(g_k) / sum_k w_k Phi_A(s_k) c'(g_k),   c(g) = g for g <= 0.
 *
 * Every point has its own normal and tangents, so that the rows are the derivatives of g_A (at a
 * fixed divisor) and of the weighted way; the node's own foot gives the frame of the contact.
 *
 * Where contact ends within an element the integral is to end, too: with c(g) = g the node would
 * sink in as deep as the free part of the element is high. c(g) = d (1 - exp(-g / d)) for g > 0, a
 * fraction d of the radius, lets that part count next to nothing, without a jump as it lands.
 */
#include "contact/narrow.h"

#include <math.h>
#include <string.h>

/* d over the radius; smallest sum of weights of a node that is near. */
static const double fraction = 1, least = 1e-6;

/* A point that a node takes part of its gap from. */
typedef struct mortar_point {
    int element;
    double s;
    double weight; /* w Phi, up to a common factor */
} mortar_point;

static int node_of(const haw_touch *touch)
{
    return touch->element + (touch->s > 0 ? 1 : 0);
}

/* First of the two elements beside a node, and their number. */
static int beside(const haw_view *view, int node, int *first)
{
    const int elements = view->cable->line.elements;
    *first = node > 0 ? node - 1 : 0;
    return (node < elements ? node + 1 : elements) - *first;
}

/* A neighbour's node has no weight; the node itself belongs to both elements, with half in each. */
static int count_points(const haw_view *view, int node)
{
    int first;
    return beside(view, node, &first) * view->pair->points_per_element;
}

static mortar_point point_at(const haw_view *view, int node, int i)
{
    const int n = view->pair->points_per_element, away = i % n; /* grid points from the node */
    int first;
    (void)beside(view, node, &first);
    const double s = (double)away / n;
    const int e = first + i / n;
    return (mortar_point){e, e < node ? 1 - s : s, away == 0 ? 0.5 : 1 - s};
}

/* What a gap counts in the sum, and its derivative. */
static double soft_gap(const haw_view *view, double gap, double *slope)
{
    const double depth = fraction * view->radius;
    *slope = gap > 0 ? exp(-gap / depth) : 1;
    return gap > 0 ? depth * (1 - *slope) : gap;
}

/* A point as a contact of its own, its weight before the division. */
static bool find_part(const haw_view *view, const mortar_point *p, const double normal[3],
                      haw_touch_part *part)
{
    haw_cable_point point;
    haw_foot foot;
    double slope;
    haw_view_point(view, p->element, p->s, view->q, true, &point);
    if (!haw_view_foot(view, point.x, normal, &foot)) {
        return false;
    }
    haw_touch_set_frame(&foot, &part->point);
    haw_view_set_cable(view, p->element, p->s, &point, &foot, &part->point);
    (void)soft_gap(view, foot.gap, &slope);
    part->weight = p->weight * slope;
    part->softening = foot.gap > 0 ? part->weight / (fraction * view->radius) : 0;
    return true;
}

static int count_parts(const haw_view *view, const haw_touch *touch)
{
    return count_points(view, node_of(touch));
}

static bool take_part(const haw_view *view, const haw_touch *touch, int i, haw_touch_part *part)
{
    const mortar_point p = point_at(view, node_of(touch), i);
    part->point.pair = touch->pair;
    if (!find_part(view, &p, touch->normal, part)) {
        return false;
    }
    part->weight /= touch->share;
    part->softening /= touch->share;
    return true;
}

/* Touch += weight times a point, whose element begins in `column`; its weight, or 0. */
static double add_point(const haw_view *view, const mortar_point *p, int column, haw_touch *contact)
{
    haw_touch_part part;
    double slope;
    if (!find_part(view, p, contact->normal, &part)) {
        return 0;
    }
    contact->gap += p->weight * soft_gap(view, part.point.gap, &slope);
    *view->gap_min = fmin(*view->gap_min, part.point.gap);
    for (int k = 0; k < HAW_DIRECTIONS; k++) {
        for (int a = 0; a < HAW_SPACE_DOFS; a++) {
            contact->side[0].row[k][column + a] += part.weight * part.point.side[0].row[k][a];
        }
        for (int a = 0; a < HAW_BODY_DOFS; a++) {
            contact->side[1].row[k][a] += part.weight * part.point.side[1].row[k][a];
        }
    }
    return part.weight;
}

/* Gap and rows of a node; false: no point of it is near. */
static bool weigh(const haw_view *view, int node, haw_touch *contact)
{
    const int stride = view->cable->stride;
    int first;
    double sum = 0;
    const int count = stride * (beside(view, node, &first) - 1) + view->cable->element_dofs;
    haw_side_set(&contact->side[1], -1, view->pair->body, view->body->first,
                 view->moves + view->turns);
    haw_side_set(&contact->side[0], view->pair->cable, -1, view->cable->first + stride * first,
                 count);
    contact->gap = 0;
    memset(contact->side[0].row, 0, sizeof contact->side[0].row);
    memset(contact->side[1].row, 0, sizeof contact->side[1].row);
    for (int i = 0; i < count_points(view, node); i++) {
        const mortar_point p = point_at(view, node, i);
        sum += add_point(view, &p, stride * (p.element - first), contact);
    }
    if (!(sum > least)) {
        return false;
    }
    contact->share = sum;
    contact->gap /= sum;
    for (int k = 0; k < HAW_DIRECTIONS; k++) {
        for (int a = 0; a < count; a++) {
            contact->side[0].row[k][a] /= sum;
        }
        for (int a = 0; a < HAW_BODY_DOFS; a++) {
            contact->side[1].row[k][a] /= sum;
        }
    }
    return true;
}

static haw_status touch_node(haw_contacts *contacts, const haw_view *view, int node)
{
    const int last = view->cable->line.elements - 1, e = node > last ? last : node;
    haw_pose place;
    haw_feet feet;
    haw_view_place(view, e, node - e, view->q, &place);
    haw_view_feet(view, place.x, node, HUGE_VAL, &feet);
    for (int i = 0; i < feet.count; i++) {
        haw_touch *contact;
        HAW_TRY(haw_view_add(contacts, view, view->pair->feet * node + i, &feet.foot[i], &contact));
        contact->element = e;
        contact->s = node - e;
        memcpy(contact->x, place.x, sizeof contact->x);
        if (!weigh(view, node, contact) || contact->gap > view->margin) {
            contacts->count--;
        }
    }
    return HAW_OK;
}

static haw_status find_mortar(haw_contacts *contacts, const haw_view *view)
{
    const int elements = view->cable->line.elements;
    bool before = false;
    for (int node = 0; node <= elements; node++) {
        bool after = false;
        HAW_TRY(node < elements ? haw_view_near(view, node, &after) : HAW_OK);
        const bool counts =
            (before || after) &&
            haw_view_carries(view, node < elements ? node : node - 1, node < elements ? 0 : 1);
        HAW_TRY(counts ? touch_node(contacts, view, node) : HAW_OK);
        before = after;
    }
    return HAW_OK;
}

static double mortar_gap(const haw_view *view, const haw_touch *touch)
{
    const int node = node_of(touch);
    double sum = 0, slope;
    for (int i = 0; i < count_points(view, node); i++) {
        const mortar_point point = point_at(view, node, i);
        double x[3];
        haw_foot foot;
        haw_view_position(view, point.element, point.s, view->q, x);
        if (haw_view_foot(view, x, touch->normal, &foot)) {
            sum += point.weight * soft_gap(view, foot.gap, &slope);
        }
    }
    return sum / touch->share;
}

static void mortar_way(const haw_passage *p, const haw_touch *touch, double *way)
{
    const int node = node_of(touch);
    for (int i = 0; i < count_points(&p->now, node); i++) {
        const mortar_point point = point_at(&p->now, node, i);
        haw_pose now, then;
        haw_foot foot;
        haw_passage_place(p, point.element, point.s, &now, &then);
        if (haw_view_foot(&p->now, now.x, touch->normal, &foot)) {
            double slope;
            (void)soft_gap(&p->now, foot.gap, &slope);
            haw_passage_add(p, &now, &then, &foot, point.weight * slope / touch->share, way);
        }
    }
}

const haw_narrow haw_narrow_mortar = {
    .name = "mortar",
    .summary = "gap, rows and displacement, weighted to the nodes",
    .find = find_mortar,
    .gap = mortar_gap,
    .way = mortar_way,
    .parts = count_parts,
    .part = take_part,
};
