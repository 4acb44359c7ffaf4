/* SPDX-License-Identifier: BSD-3-Clause */
/* Which degrees of freedom have an equation. */
#include "model/rope.h"
#include "model/space.h"
#include "model/system.h"

/* The degree of freedom that carries the equation of another: a closed cable's first node. */
static int carrier(const haw_cable *cable, int local)
{
    if (!cable->line.closed) {
        return local;
    }
    const int last = cable->line.ops->stride * cable->line.elements;
    return local >= last ? local - last : local;
}

/* Prescribed degrees of freedom: driven bodies, ends, labels. */
static void find_held(const haw_model *model, bool *held)
{
    if (model->dimension == 3) {
        haw_space_held(model, held);
        return;
    }
    for (int dof = 0; dof < 3 * model->bodies; dof++) {
        held[dof] = model->body[dof / 3].held[dof % 3];
    }
    for (int i = 0; i < model->cables && haw_model_has_ropes(model); i++) {
        const haw_cable *cable = &model->cable[i];
        for (int local = 0; local < cable->line.dofs; local++) {
            held[cable->first + local] = cable->rope->held[local];
        }
    }
    for (int i = 0; i < 2 * model->cables; i++) {
        const haw_cable *cable = &model->cable[i / 2];
        for (int k = 0; k < haw_cable_end_held(cable, i % 2); k++) {
            held[cable->first + cable->end_dof[i % 2] + k] = true;
        }
    }
}

static void number_dof(haw_system *system, int dof, bool held)
{
    system->equation[dof] = held ? -1 : system->equations;
    if (!held) {
        system->dof[system->equations++] = dof;
    }
}

static void number_cable(haw_system *system, const haw_cable *cable, const bool *held)
{
    for (int local = 0; local < cable->line.dofs; local++) {
        const int dof = cable->first + local, other = carrier(cable, local);
        if (other != local) {
            system->equation[dof] = system->equation[cable->first + other];
        } else {
            number_dof(system, dof, held[dof]);
        }
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
    if (held == NULL) {
        return HAW_ERR_NOMEM;
    }
    find_held(system->model, held);
    for (size_t i = 0; i < dofs && further != NULL; i++) {
        held[i] = held[i] || further[i];
    }
    number(system, held);
    return HAW_OK;
}
