/* SPDX-License-Identifier: BSD-3-Clause */
/* Configurations that an element cannot represent. */
#include "stepper/simulation.h"

/* The polar element loses its direction as a handle shrinks: stop before it is singular. */
haw_status haw_guard_handles(const haw_simulation *simulation, const double *q)
{
    for (int i = 0; i < simulation->model.cables; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        const haw_element_ops *ops = cable->line.ops;
        if (ops->handle == NULL) {
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
