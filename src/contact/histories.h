/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compliant contact remembers of its points, by the id of the grid: from step to step in the
 * state, where a checkpoint finds it, and within a step here.
 *
 * Histories of a point, haw_state.history[id][HAW_HISTORY]:
 *     [0]  return map: speed at first touch of the contact that goes on [m/s];
 *          post-newton: gap at the last switch [m]
 *     [1]  haw_regime at the end of the step; HAW_REGIME_NONE: open
 *     [2]  bristle: slide at which the bristle is relaxed [m]; lugre: z [m]
 *     [2] ... [4]  of a vector in the tangent plane (clasp.c): the bristle's deflection, or z, in
 *          the frame of the surface's body [m]
 *
 * Open or closed: a law with damping jumps at g = 0, by d gamma_N, so Newton may alternate, and
 * active sets that depend on two points may chatter. A point that opened and closed HAW_FLIPS_MAX
 * times in one step keeps its state for the rest of it (its force is that of the law continued to
 * its gap, which is within the switching tolerance of 0), and so does a bristle that went between
 * stick and slip HAW_SLIP_FLIPS_MAX times. Both count as held where that is against the gap or the
 * limit.
 */
#ifndef HAWSER_CONTACT_HISTORIES_H
#define HAWSER_CONTACT_HISTORIES_H

#include "base/arena.h"
#include "contact/contact.h"
#include "law/law.h"

#include <stddef.h>
#include <stdint.h>

enum { HAW_FLIPS_MAX = 3, HAW_SLIP_FLIPS_MAX = 7 };

/* Of a point that is new in this step: where it was at the start of it. */
typedef struct haw_arrival {
    double impact; /* speed of approach [m/s] */
    double inset;  /* way past the end of the contact where it came in, < 0 before it [m] */
    double slide;  /* [m] */
} haw_arrival;

/* A point within a step; of one in which nobody has asked for it yet it is that of an earlier step.
 */
typedef struct haw_point_step {
    uint64_t step;            /* its number, of haw_histories */
    signed char closed;       /* as found last, -1: not yet */
    signed char regime;       /* haw_regime as found last, HAW_REGIME_NONE: not yet */
    unsigned char flips;      /* of `closed` */
    unsigned char slip_flips; /* of `regime` */
    bool has_arrived;         /* the arrival of the point is set */
    bool is_free;             /* is not held closed */
} haw_point_step;

typedef struct haw_histories {
    size_t points;
    const double *start;   /* [points][HAW_HISTORY] of the state at the start of the step */
    double *trial;         /* the same, of switched pairs, at the last switch */
    haw_point_step *point; /* [points] */
    haw_arrival *arrival;  /* [points] */
    uint64_t step;         /* number of the step */
    bool is_free;          /* nothing is held: steps are searched (statics/search.h) */
    int held;              /* points against their gap or limit, since it was set to 0 */
} haw_histories;

HAW_NODISCARD haw_status haw_histories_create(haw_arena *arena, size_t points,
                                              haw_histories *histories);

/** Start a step with these histories of a state; keeps the pointer. */
void haw_histories_begin(haw_histories *histories, haw_phase phase, const double *start);

/** Histories of an open point; its gap may be any positive length where nobody has looked. */
static inline void haw_history_open(double history[HAW_HISTORY])
{
    history[0] = 0.1;
    history[1] = HAW_REGIME_NONE;
    history[2] = history[3] = history[4] = 0;
}

/** Those of a point at the start of the step. */
static inline const double *haw_history_start(const haw_histories *histories, int id)
{
    return histories->start + (ptrdiff_t)id * HAW_HISTORY;
}

/** Those at the last switch. */
static inline double *haw_history_trial(const haw_histories *histories, int id)
{
    return histories->trial + (ptrdiff_t)id * HAW_HISTORY;
}

/** True if the point was open at the start of the step. */
static inline bool haw_history_is_new(const haw_histories *histories, int id)
{
    return haw_history_start(histories, id)[1] == (double)HAW_REGIME_NONE;
}

/** The point in this step. */
static inline haw_point_step *haw_history_point(haw_histories *histories, int id)
{
    haw_point_step *point = &histories->point[id];
    if (point->step != histories->step) {
        *point = (haw_point_step){.step = histories->step, .closed = -1, .regime = HAW_REGIME_NONE};
    }
    return point;
}

/** Open or closed: as it is found, but for a point that has changed too often in this step. */
static inline bool haw_history_close(haw_histories *histories, int id, bool is_closed)
{
    haw_point_step *point = haw_history_point(histories, id);
    if (histories->is_free || point->closed == is_closed) {
        return is_closed;
    }
    if (point->closed >= 0) {
        if (point->flips >= HAW_FLIPS_MAX) {
            histories->held++;
            return point->closed == 1;
        }
        point->flips++;
    }
    point->closed = is_closed ? 1 : 0;
    return is_closed;
}

/** The same of a point whose law pulls outside: one that has changed too often is held closed,
 * until it is set free. */
static inline bool haw_history_cling(haw_histories *histories, int id, bool is_closed)
{
    haw_point_step *point = haw_history_point(histories, id);
    const bool closes = haw_history_close(histories, id, is_closed);
    if (point->flips < HAW_FLIPS_MAX) {
        return closes;
    }
    point->closed = point->is_free ? 0 : 1;
    histories->held += !closes && !point->is_free; /* with its last change it opened */
    return !point->is_free;
}

/** Set a point free. @return true if it was held closed */
static inline bool haw_history_free(haw_histories *histories, int id)
{
    haw_point_step *point = haw_history_point(histories, id);
    const bool was_held = point->flips >= HAW_FLIPS_MAX && !point->is_free;
    point->is_free = true;
    return was_held;
}

/** The same of stick and slip. @return the regime of the bristle in this evaluation */
static inline haw_regime haw_history_slip(haw_histories *histories, int id, haw_regime found)
{
    haw_point_step *point = haw_history_point(histories, id);
    const haw_regime before = (haw_regime)point->regime;
    if (histories->is_free || before == found) {
        return found;
    }
    if (before != HAW_REGIME_NONE) {
        if (point->slip_flips >= HAW_SLIP_FLIPS_MAX) {
            histories->held++;
            return before;
        }
        point->slip_flips++;
    }
    point->regime = (signed char)found;
    return found;
}

#endif
