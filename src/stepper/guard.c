/* SPDX-License-Identifier: BSD-3-Clause */
/* Configurations that an element cannot represent. */
#include "model/rope.h"
#include "model/space.h"
#include "stepper/simulation.h"

/* The polar element loses its direction as a handle shrinks: stop before it is singular. */
haw_status haw_guard_handles(const haw_simulation *simulation, const double *q)
{
    if (simulation->model.dimension == 3) {
        return haw_space_guard(&simulation->model, q);
    }
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const haw_element_ops *ops = cable->line.ops;
        if (ops == NULL || ops->handle == NULL) { /* a rope has none */
            continue;
        }
        const double handle = ops->handle(&cable->line, q + cable->first);
        if (!(handle >= ops->handle_min)) {
            return haw_fail(simulation->context, HAW_ERR_GUARD,
                            "cable '%s': a tangent handle fell to %g of its rest length (limit %g) "
                            "at t = %g s: the %s coordinates are singular there; use element: "
                            "bezier",
                            cable->name, handle, ops->handle_min, simulation->state->t, ops->name);
        }
    }
    return HAW_OK;
}

haw_status haw_guard_planar(const haw_simulation *simulation)
{
    if (simulation->model.dimension == 2) {
        return HAW_OK;
    }
    const haw_status status =
        haw_fail(simulation->context, HAW_ERR_INPUT,
                 "the stepper %s takes planar models only: in space use moreau-jean or nsga",
                 simulation->settings.stepper.ops->name);
    return haw_place(simulation->context, status, "stepper.type");
}

haw_status haw_guard_laws(const haw_simulation *simulation, const haw_law_ops *wanted,
                          const char *instead)
{
    const haw_model *model = &simulation->model;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->law->set_valued == wanted->set_valued) {
            continue;
        }
        const char *owner =
            pair->cable >= 0 ? model->cable[pair->cable].name : model->body[pair->proxy].name;
        const char *body = model->body[pair->body].name;
        const haw_status status = haw_fail(
            simulation->context, HAW_ERR_INPUT,
            "contact of '%s' and '%s': law %s needs the stepper %s; %s takes law: %s", owner, body,
            pair->law->name, instead, simulation->settings.stepper.ops->name, wanted->name);
        return haw_place(simulation->context, status, "contact.%s-%s.law", owner, body);
    }
    return HAW_OK;
}

haw_status haw_guard_ropes(const haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    if (!haw_model_has_ropes(model)) {
        return HAW_OK;
    }
    const haw_status status = haw_fail(
        simulation->context, HAW_ERR_INPUT,
        "the rope '%s' lies over sheaves, which %s does not take: use generalized-alpha or "
        "quasi-static (law: penalty), or moreau-jean (element: ale, law: hard)",
        model->cable[0].name, simulation->settings.stepper.ops->name);
    return haw_place(simulation->context, status, "stepper.type");
}
