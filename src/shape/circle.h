/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry of a circle, inline for the loops that need it by the thousand. */
#ifndef HAWSER_SHAPE_CIRCLE_H
#define HAWSER_SHAPE_CIRCLE_H

#include "shape/surface.h"

#include <float.h>
#include <math.h>

/**
 * Distance l of the point p from the centre and normal n = p / l there, both relative to the
 * centre: the gap is l - R, and dn = bend t (t . dp) with bend = 1 / l. The centre has every
 * normal: the upward one, which it keeps.
 */
static inline double haw_circle_level(const double p[2], double normal[2], double *bend)
{
    const double square = p[0] * p[0] + p[1] * p[1], level = sqrt(square);
    if (square < DBL_MIN) {
        normal[0] = 0;
        normal[1] = 1;
        *bend = 0;
        return 0;
    }
    normal[0] = p[0] / level;
    normal[1] = p[1] / level;
    *bend = 1 / level;
    return level;
}

/* Distance of c from an interval. */
static inline double haw_circle_outside(double low, double high, double c)
{
    const double below = low - c, above = c - high;
    const double far = below > above ? below : above;
    return far > 0 ? far : 0;
}

/** False only if no point of the box is within the radius of the centre; the last factor covers the
 * rounding of this test and of the gap it stands for. */
static inline bool haw_circle_near(double radius, const double centre[2], const haw_box *box)
{
    const double x = haw_circle_outside(box->min[0], box->max[0], centre[0]);
    const double y = haw_circle_outside(box->min[1], box->max[1], centre[1]);
    return x * x + y * y <= radius * radius * (1 + 16 * DBL_EPSILON);
}

#endif
