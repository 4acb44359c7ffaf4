/* SPDX-License-Identifier: BSD-3-Clause */
/* What compliant contact remembers of its points within a step. */
#include "contact/histories.h"

haw_status haw_histories_create(haw_arena *arena, size_t points, haw_histories *histories)
{
    const size_t room = points + 1;
    *histories = (haw_histories){.points = points};
    histories->trial = haw_arena_allocate(arena, room, HAW_HISTORY * sizeof(double));
    histories->point = haw_arena_allocate(arena, room, sizeof *histories->point);
    histories->arrival = haw_arena_allocate(arena, room, sizeof *histories->arrival);
    return haw_arena_status(arena);
}

void haw_histories_begin(haw_histories *histories, haw_phase phase, const double *start)
{
    histories->phase = phase;
    histories->start = start;
    histories->step++;
}

haw_regime haw_history_slip(haw_histories *histories, int id, haw_regime found)
{
    haw_point_step *point = haw_history_point(histories, id);
    const haw_regime before = (haw_regime)point->regime;
    if (histories->phase == HAW_STATICS || before == found) {
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
