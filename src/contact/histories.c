/* SPDX-License-Identifier: BSD-3-Clause */
/* What compliant contact remembers of its points within a step. */
#include "contact/histories.h"

#include <string.h>

haw_status haw_histories_create(haw_arena *arena, size_t points, haw_histories *histories)
{
    const size_t room = points + 1;
    *histories = (haw_histories){.points = points};
    histories->trial = haw_arena_allocate(arena, room, HAW_HISTORY * sizeof(double));
    histories->closed = haw_arena_allocate(arena, room, sizeof *histories->closed);
    histories->regime = haw_arena_allocate(arena, room, sizeof *histories->regime);
    histories->flips = haw_arena_allocate(arena, room, sizeof *histories->flips);
    histories->slip_flips = haw_arena_allocate(arena, room, sizeof *histories->slip_flips);
    histories->has_arrived = haw_arena_allocate(arena, room, sizeof *histories->has_arrived);
    histories->arrival = haw_arena_allocate(arena, room, sizeof *histories->arrival);
    return haw_arena_status(arena);
}

void haw_histories_begin(haw_histories *histories, haw_phase phase, const double *start)
{
    histories->phase = phase;
    histories->start = start;
    memset(histories->closed, -1, histories->points);
    memset(histories->regime, HAW_REGIME_NONE, histories->points);
    memset(histories->flips, 0, histories->points);
    memset(histories->slip_flips, 0, histories->points);
    memset(histories->has_arrived, 0, histories->points * sizeof *histories->has_arrived);
}

haw_regime haw_history_slip(haw_histories *histories, int id, haw_regime found)
{
    haw_histories *h = histories;
    const haw_regime before = (haw_regime)h->regime[id];
    if (h->phase == HAW_STATICS || before == found) {
        return found;
    }
    if (before != HAW_REGIME_NONE) {
        if (h->slip_flips[id] >= HAW_SLIP_FLIPS_MAX) {
            h->held++;
            return before;
        }
        h->slip_flips[id]++;
    }
    h->regime[id] = (signed char)found;
    return found;
}
