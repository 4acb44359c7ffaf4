/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of contact between ropes and sheaves share. */
#ifndef HAWSER_CONTACT_ROPE_INTERNAL_H
#define HAWSER_CONTACT_ROPE_INTERNAL_H

#include "contact/rope.h"

/* What a step has seen of a knot so far. */
typedef struct haw_knot_memo {
    long step;             /* of haw_rope_contact.step; another: nothing seen yet */
    bool has_start;        /* the three below are set */
    double inset, slide;   /* at the start of the step [m] */
    double impact;         /* speed of approach there [m/s] */
    signed char is_closed; /* at the last look, -1: none yet */
    signed char slips;     /* haw_regime at the last look, HAW_REGIME_NONE: none yet */
    unsigned char flips;   /* of is_closed */
    unsigned char slip_flips;
} haw_knot_memo;

/* A pair with what does not change in a run, and its part of the last evaluation. */
typedef struct haw_rope_pair {
    const haw_pair *pair;
    const haw_cable *cable;
    const haw_rope_kernel *kernel;
    int index;      /* in the model */
    double k_n;     /* stiffness of the bed per length [N/m^2] */
    double period;  /* of the slide [m] */
    double gap_min; /* of the last evaluation */
    int touch, count;
    int first, last; /* knots that were looked at */
    int from, to;    /* knots among which the histories of the state are not open */
} haw_rope_pair;

struct haw_rope_contact {
    haw_context *context;
    haw_arena arena;
    const haw_model *model;
    double friction; /* instead of that of the pairs, NAN: their own */
    int pairs;
    haw_rope_pair *pair;
    double h;
    long step;             /* steps begun */
    const double *history; /* [points][HAW_HISTORY] at the start of the step */
    double *q, *u;         /* [dofs] at the start of the step */
    haw_knot_memo *memo;   /* [points] */
    haw_rope_touch start;  /* a knot at the start of the step */
    int touches, capacity; /* of the last evaluation */
    haw_rope_touch *touch;
    int held;
};

/** Place a knot and find its inset. @param guess  element of the knot before, or -1 */
void haw_knot_place(const haw_rope_contact *contact, const haw_rope_pair *pair, int knot, int guess,
                    const double *q, const double *u, haw_rope_touch *touch);

/**
 * True if only a part of the knot's length has come in so far: its bristle is set when its middle
 * passes, an anchor before that would be an error of first order in the spacing. Not where it was
 * in at the start of the step, and not in statics.
 */
bool haw_knot_waits(haw_rope_contact *contact, const haw_rope_pair *pair,
                    const haw_rope_touch *touch);

/** Normal and friction force of a closed knot. */
void haw_knot_push(haw_rope_contact *contact, const haw_rope_pair *pair, haw_rope_touch *touch);

/** Friction of a knot of this share; by the last regime. */
haw_friction_parameters haw_knot_friction(const haw_rope_contact *contact,
                                          const haw_rope_pair *pair, const haw_rope_touch *touch);

#endif
