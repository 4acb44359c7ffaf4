/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounding boxes of cubic elements. */
#include "contact/chord.h"

haw_box haw_hull_box(const double p[4][2])
{
    haw_box box;
    for (int i = 0; i < 2; i++) {
        const double low = p[0][i] < p[1][i] ? p[0][i] : p[1][i];
        const double high = p[0][i] < p[1][i] ? p[1][i] : p[0][i];
        const double low2 = p[2][i] < p[3][i] ? p[2][i] : p[3][i];
        const double high2 = p[2][i] < p[3][i] ? p[3][i] : p[2][i];
        box.min[i] = low < low2 ? low : low2;
        box.max[i] = high > high2 ? high : high2;
    }
    return box;
}

/* x(s) by de Casteljau's scheme, which never leaves the hull. */
static double cubic_value(const double p[4][2], int i, double s)
{
    const double t = 1 - s;
    const double a = t * p[0][i] + s * p[1][i], b = t * p[1][i] + s * p[2][i];
    const double c = t * p[2][i] + s * p[3][i];
    return t * (t * a + s * b) + s * (t * b + s * c);
}

/*
 * Roots of x'(s) / 3 = d0 (1 - s)^2 + 2 d1 s (1 - s) + d2 s^2 = d0 + 2 b s + a s^2, with b = d1 -
 * d0 and a = d0 - 2 d1 + d2, by the form without cancellation.
 */
static int slope_roots(const double p[4][2], int i, double root[2])
{
    const double d0 = p[1][i] - p[0][i], d1 = p[2][i] - p[1][i], d2 = p[3][i] - p[2][i];
    const double a = d0 - 2 * d1 + d2, b = d1 - d0, square = b * b - a * d0;
    if (!(square >= 0)) {
        return 0;
    }
    const double pivot = -(b + copysign(sqrt(square), b));
    int count = 0;
    if (pivot != 0) {
        root[count++] = d0 / pivot;
    }
    if (a != 0) {
        root[count++] = pivot / a;
    }
    return count;
}

haw_box haw_cubic_box(const double p[4][2])
{
    haw_box box;
    for (int i = 0; i < 2; i++) {
        box.min[i] = p[0][i] < p[3][i] ? p[0][i] : p[3][i];
        box.max[i] = p[0][i] < p[3][i] ? p[3][i] : p[0][i];
        double root[2];
        const int count = slope_roots(p, i, root);
        for (int k = 0; k < count; k++) {
            if (root[k] > 0 && root[k] < 1) {
                const double x = cubic_value(p, i, root[k]);
                box.min[i] = x < box.min[i] ? x : box.min[i];
                box.max[i] = x > box.max[i] ? x : box.max[i];
            }
        }
    }
    return box;
}

void haw_compliant_controls(const haw_compliant_pair *pair, const double *z, double p[4][2])
{
    const double *start = pair->twice[0], *end = pair->twice[pair->n];
    double slope[2][2];
    basis_sum(start, z, p[0]);
    basis_sum(end, z, p[3]);
    basis_sum(start + 2 * HAW_SHAPES, z, slope[0]);
    basis_sum(end + 2 * HAW_SHAPES, z, slope[1]);
    for (int i = 0; i < 2; i++) {
        p[1][i] = p[0][i] + slope[0][i] * (1.0 / 3);
        p[2][i] = p[3][i] - slope[1][i] * (1.0 / 3);
    }
}

/* Room for the rounding of boxes and of grid points, which are sums of four terms. */
static haw_box widen(haw_box box)
{
    double size = 0;
    for (int i = 0; i < 2; i++) {
        size += fabs(box.min[i]) > fabs(box.max[i]) ? fabs(box.min[i]) : fabs(box.max[i]);
    }
    for (int i = 0; i < 2; i++) {
        box.min[i] -= 32 * DBL_EPSILON * size;
        box.max[i] += 32 * DBL_EPSILON * size;
    }
    return box;
}

void haw_compliant_boxes(haw_compliant *compliant, const double *q)
{
    for (int i = 0; i < compliant->pairs; i++) {
        const haw_compliant_pair *pair = &compliant->pair[i];
        if (pair->cable == NULL || !pair->owns_boxes) {
            continue;
        }
        const int elements = pair->cable->line.elements, stride = pair->cable->line.ops->stride;
        const double *z = q + pair->cable->first;
        haw_box *box = compliant->box + pair->first_box;
        for (int e = 0; e < elements; e++, z += stride) {
            double p[4][2];
            double local[2 * HAW_SHAPES];
            haw_compliant_controls(pair, element_vector(pair, z, local), p);
            box[e] = widen(haw_hull_box((const double(*)[2])p));
        }
    }
}

/* An end of the cubic within reach: its exact box is, too. */
static bool end_near(const haw_view *view, double reach, const double *basis, const double *z)
{
    const double radius = view->pair->radius + reach;
    double x[2];
    basis_sum(basis, z, x);
    const double dx = x[0] - view->pose[0], dy = x[1] - view->pose[1];
    return view->pair->kind != HAW_TOUCH_SHAPE && dx * dx + dy * dy <= radius * radius;
}

bool haw_compliant_near(const haw_view *view, const double *z, double pad)
{
    const haw_compliant_pair *pair = view->pair;
    const double reach = pad + fabs(pair->offset);
    if (end_near(view, reach, pair->twice[0], z) ||
        end_near(view, reach, pair->twice[pair->n], z)) {
        return true;
    }
    double p[4][2];
    haw_compliant_controls(pair, z, p);
    const haw_box box = widen(haw_cubic_box((const double(*)[2])p));
    return box_near(view, reach, &box);
}
