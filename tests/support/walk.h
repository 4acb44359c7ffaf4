/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables laid as random walks, in the plane or in space, each element about as long as the others.
 */
#ifndef HAWSER_TESTS_WALK_H
#define HAWSER_TESTS_WALK_H

#include "model/model.h"

#include <stdint.h>

typedef struct walk {
    const haw_model *model;
    double *q;        /* [coordinates] */
    uint64_t *random; /* state of the numbers */
    double le;        /* of an element [m] */
} walk;

/** Free cable of equal elements, straight along x: EA 1e4 N, EI 1 N m^2 where the kind bends. */
haw_cable_spec walk_cable(const char *name, const char *element, int elements, double le,
                          double radius);

/** A number up to `size` in magnitude. */
double walk_number(const walk *w, double size);

/**
 * Lay a cable.
 *
 * @param from   its first node [m]
 * @param start  rotation vector of its first section against the axes [rad]
 * @param turn   by which the sections turn at most at each node, about each axis [rad]
 */
void walk_lay(const walk *w, int cable, const double from[3], const double start[3], double turn);

/** How two cables lie. */
typedef struct walk_pair {
    double apart; /* their middles [m] */
    double along; /* shift of the second, at most [m] */
    double angle; /* between them in the plane, at most [rad] */
} walk_pair;

/** Lay cables 0 and 1, alike, so that they meet near their middles: they cross at an angle of up to
 * 1.5 in space, and run side by side in the plane. */
void walk_cross(const walk *w, walk_pair pair, double turn);

#endif
