/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ropes show on their sheaves at the present state: the closed knots of the last step with
 * their loads per length, tensions on both sides, slip arc and creep. Entry and exit are those of
 * the rope's motion over the sheave; where neither moves, of the turn of the sheave so far, or else
 * towards the larger tension.
 */
#ifndef HAWSER_OBSERVE_WRAP_H
#define HAWSER_OBSERVE_WRAP_H

#include "observe/belt.h"

/* A closed knot. */
typedef struct haw_wrap_knot {
    double label;              /* [m] */
    double direction;          /* of its normal [rad] */
    double angle;              /* of the arc from the tangent point of the lower label [rad] */
    double share;              /* part of its length that lies on the sheave */
    double speed;              /* of the material along the rope, to growing labels [m/s] */
    double slip;               /* gamma_T [m/s] */
    double normal, tangential; /* force per length on the rope along n and t [N/m] */
    double tension, strain;
} haw_wrap_knot;

/**
 * Closed knots of a pair in the order of their labels.
 * @param knot  [pair->points] out
 * @return      their number
 */
int haw_wrap_knots(const haw_frame *frame, int pair, haw_wrap_knot *knot);

/** Fill the wrap of a pair `index` of knots, but not what belts alone have. */
void haw_wrap_measure(const haw_observation *o, int index, haw_belt_wrap *wrap);

/* Knots on their way over a sheave. */
typedef struct haw_wrap_passage {
    const haw_wrap_knot *knot; /* [count] in the order of their labels */
    int count;
    bool forward; /* the rope enters at the lower labels */
    double wrap;  /* between the tangent points [rad] */
} haw_wrap_passage;

/**
 * Angles of slip (where the rope leaves) and stick, and the effective friction of the slip arc, of
 * a compliant law.
 *
 * @param wrap  chords from entry to exit are set
 */
void haw_wrap_slip(const haw_wrap_passage *p, double mu, haw_belt_wrap *wrap);

/** The same of set-valued friction, by the slip velocities. */
void haw_wrap_hard_slip(const haw_wrap_passage *p, double mu, haw_belt_wrap *wrap);

#endif
