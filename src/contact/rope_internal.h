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
    const haw_rope *rope;
    const haw_rope_kernel *kernel;
    haw_rope_side side;
    haw_friction_parameters t[2]; /* of a full share, after stick and after slip */
    int index;                    /* in the model */
    double period;                /* of the slide [m] */
    double gap_min;               /* of the last evaluation */
    int touch;                    /* its first one, that of knot `first` */
    int first, last;              /* knots that were looked at */
    int from, to;                 /* knots among which the histories of the state are not open */
} haw_rope_pair;

static inline int haw_rope_pair_count(const haw_rope_pair *pair)
{
    return pair->last < pair->first ? 0 : pair->last - pair->first + 1;
}

struct haw_rope_contact {
    haw_context *context;
    haw_arena arena;
    const haw_model *model;
    int pairs;
    haw_rope_pair *pair;
    double h;
    long step;             /* steps begun */
    const double *history; /* [points][HAW_HISTORY] at the start of the step */
    double *q, *u;         /* [dofs] at the start of the step */
    haw_knot_memo *memo;   /* [points] */
    haw_rope_touch start;  /* a knot at the start of the step */
    int touches, capacity; /* of the last evaluation, also open ones */
    haw_rope_touch *touch;
    int closed, held; /* of them */
};

/** True for a knot whose length has begun to come in, but not yet its middle, where its bristle
 * stands. */
bool haw_knot_waits(haw_rope_contact *contact, const haw_rope_pair *pair,
                    const haw_rope_touch *touch);

/** Normal and friction force of a closed knot. */
void haw_knot_push(haw_rope_contact *contact, const haw_rope_pair *pair, haw_rope_touch *touch);

/** Friction of a knot with a full share, by the regime at the start of the step. */
static inline const haw_friction_parameters *haw_knot_friction(const haw_rope_contact *contact,
                                                               const haw_rope_pair *pair, int id)
{
    const double regime = contact->history[(ptrdiff_t)id * HAW_HISTORY + 1];
    const bool slipped = regime == HAW_REGIME_FORWARD || regime == HAW_REGIME_BACKWARD;
    return &pair->t[slipped ? 1 : 0];
}

#endif
