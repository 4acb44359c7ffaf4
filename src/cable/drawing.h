/* SPDX-License-Identifier: BSD-3-Clause */
/* The curve that a cable is drawn along, by its arc length: lines, arcs, and curves (trace.h), one
 * behind the other; or all of it a helix about the course of another cable. */
#ifndef HAWSER_CABLE_DRAWING_H
#define HAWSER_CABLE_DRAWING_H

#include "cable/site.h"
#include "cable/trace.h"

/* Cosine between two tangents below which they make a corner. */
#define HAW_CORNER (1 - 1e-6)

/** Measure the path of a course, and make its curves. @return ERR_INPUT: a piece without length, an
 * arc or a curve that does not start where the path is, a curve sharper than the section */
HAW_NODISCARD haw_status haw_drawing_measure(const haw_site *site, haw_course *course);

/** @return ERR_INPUT unless a closed path ends with the place and the tangent that it starts with
 */
HAW_NODISCARD haw_status haw_drawing_check_closed(const haw_site *site, const haw_course *course);

/** Where the path starts; components beyond the dimension are 0. */
void haw_drawing_start(const haw_course *course, double from[3]);

/** Place and unit tangent at distance d along the path; beyond its ends the end tangents continue.
 * @return twist of the section against a frame that does not twist [rad] */
double haw_drawing_point(const haw_course *course, double d, double x[3], double t[3]);

/** Pieces of the path that are smooth and turn by little, and at least one for each element. */
int haw_drawing_spans(const haw_course *course);

#endif
