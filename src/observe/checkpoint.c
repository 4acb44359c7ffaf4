/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints in memory: what a run carries to its next step, and what is observed to the next
 * frame. */
#include "observe/belt.h"

#include <math.h>

/* ---- what is observed ---- */

static void pack_probes(const haw_observation *o, haw_pack *pack)
{
    for (int i = 0; i < o->settings->probes; i++) {
        haw_probe *probe = &o->probe[i];
        haw_pack_indices(pack, &probe->count, 1, probe->capacity);
        haw_pack_indices(pack, &probe->next, 1, probe->capacity > 0 ? probe->capacity - 1 : 0);
        HAW_PACK(pack, probe->seen_t);
        HAW_PACK(pack, probe->seen);
        HAW_PACK(pack, probe->extreme);
        haw_pack_reals(pack, probe->window, probe->capacity * (2 + probe->size));
    }
    for (int i = 0; i < o->frame.pairs && o->belt != NULL; i++) {
        haw_belt_wrap *wrap = &o->belt->wrap[i];
        HAW_PACK(pack, wrap->creep);
        haw_pack_flag(pack, &wrap->is_marked);
        HAW_PACK(pack, wrap->mark);
        HAW_PACK(pack, wrap->way);
        HAW_PACK(pack, wrap->anchor);
    }
}

static void pack_observation(haw_observation *o, haw_pack *pack)
{
    const size_t points = (size_t)o->frame.model->points, pairs = (size_t)o->frame.pairs;
    const int rows = o->frame.state->rows, bodies = o->frame.model->bodies;
    HAW_PACK(pack, o->frame_time);
    HAW_PACK(pack, o->next);
    haw_pack_flag(pack, &o->was_shown);
    haw_pack_reals(pack, o->point_impulse, rows);
    haw_pack_reals(pack, o->point_force, rows);
    haw_pack_block(pack, o->point_state, points * sizeof *o->point_state);
    haw_pack_block(pack, o->point_gap, points * sizeof *o->point_gap);
    haw_pack_indices(pack, &o->marked_count, 1, (int)points);
    haw_pack_indices(pack, o->marked, (int)points, (int)points - 1);
    haw_pack_reals(pack, o->torque_impulse, bodies);
    haw_pack_reals(pack, o->torque, bodies);
    haw_pack_block(pack, o->pair_impulse, pairs * sizeof *o->pair_impulse);
    haw_pack_block(pack, o->pair, pairs * sizeof *o->pair);
    for (size_t i = 0; i < pairs; i++) {
        haw_pair_history *history = &o->history[i];
        haw_pack_flag(pack, &history->in_contact);
        haw_pack_flag(pack, &history->was_in_contact);
        HAW_PACK(pack, history->last_impulse);
        HAW_PACK(pack, history->wrap_max);
        HAW_PACK(pack, history->slip);
        HAW_PACK(pack, history->candidate);
        HAW_PACK(pack, history->candidate_since);
    }
    pack_probes(o, pack);
}

/* ---- checkpoints ---- */

/* All of it; `state` of the checkpoint ends where the observation begins. */
static haw_status pack_run(haw_simulation *simulation, haw_pack *pack, size_t *state)
{
    HAW_TRY(haw_simulation_pack(simulation, pack));
    *state = pack->bytes;
    pack_observation(simulation->observation, pack);
    return HAW_OK;
}

bool haw_checkpoint_is_due(const haw_simulation *simulation)
{
    return simulation->state->step % HAW_RENEWAL == 0 && !haw_simulation_is_done(simulation);
}

haw_status haw_checkpoint_take(haw_simulation *simulation)
{
    haw_observation *o = simulation->observation;
    haw_checkpoint *own = &o->checkpoint;
    haw_pack pack = {.data = NULL};
    if (own->data == NULL) {
        HAW_TRY(pack_run(simulation, &pack, &own->state_bytes));
        own->bytes = pack.bytes;
        own->data = haw_arena_allocate(o->arena, own->bytes, 1);
        HAW_TRY(haw_arena_status(o->arena));
    }
    pack = (haw_pack){.data = own->data};
    own->step = simulation->state->step;
    own->t = simulation->state->t;
    own->h = simulation->step;
    return pack_run(simulation, &pack, &own->state_bytes);
}

const haw_checkpoint *haw_simulation_checkpoint(const haw_simulation *simulation)
{
    const haw_checkpoint *own = &simulation->observation->checkpoint;
    return own->data != NULL ? own : NULL;
}

static haw_status check(haw_simulation *simulation, const haw_checkpoint *checkpoint, bool whole)
{
    haw_pack pack = {.data = NULL};
    size_t state;
    HAW_TRY(pack_run(simulation, &pack, &state));
    if (checkpoint->state_bytes != state || (whole && checkpoint->bytes != pack.bytes)) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "the checkpoint is one of another run: it has %zu bytes of state and %zu "
                        "in all, this run %zu and %zu",
                        checkpoint->state_bytes, checkpoint->bytes, state, pack.bytes);
    }
    if (checkpoint->h != simulation->step) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "the run to go on with has steps of %.17g s, this one of %.17g s: set "
                        "stepper.step to the former",
                        checkpoint->h, simulation->step);
    }
    return HAW_OK;
}

haw_status haw_simulation_resume(haw_simulation *simulation, const haw_checkpoint *checkpoint,
                                 bool whole)
{
    haw_observation *o = simulation->observation;
    haw_pack pack = {.data = checkpoint->data, .loads = true};
    HAW_TRY(check(simulation, checkpoint, whole));
    HAW_TRY(haw_simulation_pack(simulation, &pack));
    if (whole) {
        pack_observation(o, &pack);
        if (pack.is_wrong) {
            return haw_fail(simulation->context, HAW_ERR_INPUT,
                            "the checkpoint is damaged: an index in it is out of range");
        }
    } else {
        haw_monitor_restart(simulation);
        o->next = (double)NAN;
    }
    return HAW_OK;
}
