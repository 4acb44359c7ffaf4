/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds: an end that is led back further in a step than the control points of an element are apart
 * may leave it folded upon itself, where forces balance, too. */
#include "base/lie.h"
#include "cable/cable.h"

#include <math.h>

enum { FOLDS = 8 }; /* pieces of an element that are looked at */

static const double SHRUNK = 0.5;    /* of the length of a piece */
static const double STRAIGHT = 0.99; /* cosine between two elements */

typedef struct pieces {
    double first[3], last[3]; /* of an element, ends of it [m] */
    double tension;           /* [N] */
} pieces;

/* Whether an element runs against itself with a part between that is hardly there: a straight line
 * that was pushed back by more than what lies between its control points. */
static bool is_folded(const haw_cable *cable, int e, const double *q, pieces *own)
{
    double least = (double)INFINITY;
    bool turns = false;
    haw_sample last, at;
    cable->ops->state(cable, e, haw_cable_local(cable, e, 0, q), q, NULL, &last);
    for (int i = 0; i < FOLDS; i++) {
        double *piece = i == 0 ? own->first : own->last;
        cable->ops->state(cable, e, haw_cable_local(cable, e, (i + 1.0) / FOLDS, q), q, NULL, &at);
        for (int k = 0; k < 3; k++) {
            piece[k] = at.x[k] - last.x[k];
        }
        turns = turns || vec3_dot(own->first, piece) < 0;
        least = fmin(least, vec3_norm(piece) / (at.label - last.label));
        last = at;
    }
    own->tension = cable->ops->tension(cable, e, q, NULL);
    return turns && least < SHRUNK;
}

/* Straight elements are folded at their node: one is pulled and runs back to one that is pressed.
 */
static bool is_bent_back(const pieces *one, const pieces *other)
{
    const double size = vec3_norm(one->last) * vec3_norm(other->first);
    return one->tension * other->tension < 0 &&
           vec3_dot(one->last, other->first) < -STRAIGHT * size;
}

int haw_cable_fold(const haw_cable *cable, int from, int to, const double *q)
{
    pieces own[2];
    for (int e = from; e < to && !cable->line.slack; e++) {
        if (is_folded(cable, e, q, &own[e % 2]) ||
            (e > from && is_bent_back(&own[(e - 1) % 2], &own[e % 2]))) {
            return e;
        }
    }
    return -1;
}
