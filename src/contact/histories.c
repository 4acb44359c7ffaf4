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
    histories->is_free = phase == HAW_STATICS;
    histories->start = start;
    histories->step++;
}
