/* SPDX-License-Identifier: BSD-3-Clause */
/* An element block of the tangent while it grows. */
#ifndef HAWSER_CONTACT_COMPLIANT_TANGENT_H
#define HAWSER_CONTACT_COMPLIANT_TANGENT_H

#include "contact/compliant_internal.h"

enum { HAW_COLUMNS = 2 * HAW_SHAPES };

typedef struct haw_assembly {
    const haw_compliant_pair *pair;
    const haw_knot *knot;
    haw_knot_block *block;
    haw_knot_rows *rows;
    int first, last;                 /* knots that carry force */
    bool body_moves, body_turns;     /* the body has such equations */
    double column[HAW_SHAPES][2][3]; /* of the body's x, y, angle */
    double row[3][HAW_COLUMNS];
    double body[3][3];
} haw_assembly;

/* Derivatives of f_T of a point at its knot, d/dp + rate d/dv, and at the angle of the body. */
typedef struct haw_point_gradient {
    double friction[2], angle_friction;
} haw_point_gradient;

/**
 * Derivatives of the forces of all closed points of a patch in the space of its knots; clears and
 * fills block and body[2][2].
 *
 * @param last  of the last point, or NULL
 */
void haw_patch_gather(haw_compliant *compliant, const haw_patch *patch, double rate,
                      haw_assembly *assembly, haw_point_gradient *last);

#endif
