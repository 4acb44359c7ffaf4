/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run carries from one step to the next, and what it does not carry. A checkpoint holds the
 * former. The rest is kept because it saves time: factors of a matrix, its pattern, weights and
 * clearances of contacts, all of which depend on steps before. They are made anew after every
 * HAW_RENEWAL steps, in every run: one that goes on from a checkpoint of such a step has the same
 * bits as one that was not interrupted.
 */
#include "contact/region.h"
#include "stepper/contact_pass.h"

#include <math.h>

haw_status haw_simulation_renew(haw_simulation *simulation)
{
    haw_contacts_forget(simulation->contacts);
    haw_guard_forget(simulation->guard);
    haw_region_free(simulation->region);
    simulation->region = NULL;
    if (simulation->compliant != NULL) {
        haw_compliant_forget(simulation->compliant);
    }
    if (simulation->pass != NULL) {
        haw_pass_renew(simulation->pass);
    }
    if (simulation->implicit == NULL) {
        return HAW_OK;
    }
    simulation->implicit->factor_h = (double)NAN;
    haw_system *system = simulation->implicit->system;
    haw_matrix_forget(system->matrix);
    return system->couples > 0 ? haw_system_couple(system, 0, NULL) : HAW_OK;
}

/* Numbers of a run that its model does not fix. */
static void pack_numbers(haw_simulation *simulation, haw_pack *pack)
{
    HAW_PACK(pack, simulation->h);
    HAW_PACK(pack, simulation->origin_t);
    HAW_PACK(pack, simulation->origin_step);
    HAW_PACK(pack, simulation->contact_energy);
    HAW_PACK(pack, simulation->hard);
    HAW_PACK(pack, simulation->bristle_energy);
    haw_pack_flag(pack, &simulation->is_warned);
    haw_pack_flag(pack, &simulation->is_pushed);
    HAW_PACK(pack, simulation->energy);
    HAW_PACK(pack, simulation->kinetic);
    HAW_PACK(pack, simulation->energy_scale);
    HAW_PACK(pack, simulation->ledger);
    HAW_PACK(pack, simulation->certificate);
    HAW_PACK(pack, simulation->last_residual);
}

haw_status haw_simulation_pack(haw_simulation *simulation, haw_pack *pack)
{
    const haw_stepper_ops *row = simulation->ops;
    bool is_stalled = simulation->solver.ops != simulation->settings.solver.ops;
    haw_state_pack(simulation->state, pack);
    pack_numbers(simulation, pack);
    haw_pack_flag(pack, &is_stalled);
    if (row->carry != NULL) {
        row->carry(simulation, pack);
    }
    if (!pack->loads) {
        return HAW_OK;
    }
    simulation->solver = simulation->settings.solver;
    HAW_TRY(haw_step_recount_closed(simulation));
    return is_stalled ? haw_step_relieve_solver(simulation) : HAW_OK;
}
