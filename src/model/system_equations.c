/* SPDX-License-Identifier: BSD-3-Clause */
/* Which degrees of freedom have an equation. */
#include "model/system.h"

static void number_dof(haw_system *system, int dof, bool held)
{
    system->equation[dof] = held ? -1 : system->equations;
    if (!held) {
        system->dof[system->equations++] = dof;
    }
}

/* The copied node of a closed cable has the equations of its first. */
static void number_cable(haw_system *system, const haw_cable *cable, const bool *held)
{
    int last = 0;
    const int end = cable->first + cable->line.dofs - haw_cable_tied(cable, &last);
    for (int dof = cable->first; dof < end; dof++) {
        number_dof(system, dof, held[dof]);
    }
    for (int dof = end; dof < cable->first + cable->line.dofs; dof++) {
        system->equation[dof] = system->equation[cable->first + dof - end];
    }
}

static void number(haw_system *system, const bool *held)
{
    const haw_model *model = system->model;
    for (int i = 0; i < model->cables; i++) {
        number_cable(system, &model->cable[i], held);
    }
    const int inner = system->equations;
    for (int dof = 0; dof < model->bodies * (int)haw_body_dofs(model); dof++) {
        number_dof(system, dof, held[dof]);
    }
    system->border = system->equations - inner;
}

haw_status haw_system_number(haw_system *system, const bool *further, haw_arena *scratch)
{
    const size_t dofs = (size_t)system->model->dofs;
    bool *held = haw_arena_allocate(scratch, dofs + 1, sizeof *held);
    HAW_TRY(haw_arena_status(scratch));
    haw_model_held(system->model, held);
    for (size_t i = 0; i < dofs && further != NULL; i++) {
        held[i] = held[i] || further[i];
    }
    number(system, held);
    return HAW_OK;
}
