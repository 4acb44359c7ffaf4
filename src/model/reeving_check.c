/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rope over sheaves may be told: its own keys, and those of other cables at their presets.
 */
#include "model/build.h"
#include "model/reeving_build.h"

#include <math.h>

/* Keys of other cables; a scenario that names one expects something of it. */
static haw_status check_foreign(haw_model *model, const haw_cable_spec *spec)
{
    const struct {
        const char *key;
        bool is_given;
    } rows[] = {
        {"closed", spec->closed},
        {"path", spec->segments > 0},
        {"lay", spec->lay.on != NULL},
        {"slack", spec->slack},
        {"reference_strain", spec->reference_strain != 0},
        {"reference_curvature", spec->reference_curvature != 0},
        {"reference", spec->reference != HAW_REFERENCE_STRAIGHT},
        {"quadrature", spec->quadrature != HAW_SCHEME_C},
        {"gauss_points", spec->gauss_points != 3},
        {"damping.mass", spec->damping_mass != 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is_given) {
            return haw_cable_place(model, spec, rows[i].key,
                                   haw_fail(model->context, HAW_ERR_INPUT,
                                            "cable '%s': a rope over sheaves has no '%s'",
                                            spec->name, rows[i].key));
        }
    }
    return HAW_OK;
}

static haw_status check_mesh(haw_model *model, const haw_cable_spec *spec)
{
    if (spec->elements < 2) {
        return haw_cable_place(
            model, spec, "elements",
            haw_fail(model->context, HAW_ERR_INPUT,
                     "cable '%s': a rope needs at least 2 elements on each sheave (got "
                     "%d)",
                     spec->name, spec->elements));
    }
    return HAW_OK;
}

haw_status haw_reeving_check(haw_model *model, const haw_cable_spec *spec)
{
    HAW_TRY(check_foreign(model, spec));
    return check_mesh(model, spec);
}
