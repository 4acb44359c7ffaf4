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

#endif
