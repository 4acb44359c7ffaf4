/* SPDX-License-Identifier: BSD-3-Clause */
/* Points that forces, springs and joints act on: where they are and what moves them. */
#include "model/build.h"
#include "model/system.h"

#include <math.h>
#include <string.h>

haw_status haw_build_spot(haw_model *model, const char *what, const char *on, const double at[3],
                          haw_spot *spot)
{
    haw_context *context = model->context;
    *spot = (haw_spot){.body = -1, .cable = -1};
    if (on != NULL) {
        spot->body = haw_model_find_body(model, on);
        spot->cable = haw_model_find_cable(model, on);
        if (spot->body < 0 && spot->cable < 0) {
            return haw_fail(context, HAW_ERR_INPUT, "%s: no body or cable is named '%s'", what, on);
        }
    }
    if (spot->cable < 0) {
        memcpy(spot->at, at, (size_t)model->dimension * sizeof *at);
        return isfinite(spot->at[0] + spot->at[1] + spot->at[2])
                   ? HAW_OK
                   : haw_fail(context, HAW_ERR_INPUT,
                              "%s: the coordinates of its point must be finite", what);
    }
    const haw_cable *cable = &model->cable[spot->cable];
    if (cable->ops->moves_along) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "%s on the rope '%s': ropes over sheaves take none; attach it to a body at "
                        "an end of the rope",
                        what, on);
    }
    if (!(at[0] >= 0 && at[0] <= 1)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "%s on the cable '%s': point must be between 0 (start) and 1 (end) "
                        "(got %g)",
                        what, on, at[0]);
    }
    const int elements = cable->line.elements;
    const double along = at[0] * elements, node = nearbyint(along);
    const double x = fabs(along - node) <= 1e-12 * elements ? node : along; /* nodes exactly */
    spot->element = (int)fmin(floor(x), elements - 1);
    spot->s = x - spot->element;
    return HAW_OK;
}

haw_dofs haw_spot_dofs(const haw_model *model, const haw_spot *spot)
{
    if (spot->cable >= 0) {
        const haw_cable *cable = &model->cable[spot->cable];
        return cable->ops->dofs(cable, spot->element);
    }
    return spot->body >= 0
               ? (haw_dofs){.count = model->kind->dofs, .first = model->body[spot->body].first}
               : (haw_dofs){.count = 0};
}

void haw_spot_find(const haw_model *model, const haw_spot *spot, const double *q,
                   haw_cable_point *point)
{
    if (spot->body >= 0) {
        model->kind->point(&model->body[spot->body], q, spot->at, point);
        return;
    }
    *point = (haw_cable_point){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (spot->cable < 0) {
        memcpy(point->x, spot->at, sizeof spot->at);
    } else if (spot->is_tangent) {
        haw_cable_direct(&model->cable[spot->cable], spot->element, spot->s, q, point);
    } else {
        const haw_cable *cable = &model->cable[spot->cable];
        cable->ops->point(cable, spot->element, spot->s, q, NULL, HAW_POINT_JACOBIAN, point);
    }
}

void haw_spot_add_turn(haw_system *system, const haw_spot *spot, const double *q, const double f[3])
{
    const haw_dofs dofs = haw_spot_dofs(system->model, spot);
    const haw_cable *cable = spot->cable >= 0 ? &system->model->cable[spot->cable] : NULL;
    double k[HAW_CABLE_DOFS * HAW_CABLE_DOFS] = {0};
    if (spot->body >= 0) {
        system->model->kind->point_tangent(&system->model->body[spot->body], q, spot->at, f, k);
    } else if (cable != NULL && cable->ops->point_tangent != NULL) {
        cable->ops->point_tangent(cable, spot->element, spot->s, q, f, NULL, k);
    } else {
        return;
    }
    haw_system_add_block(system, &dofs, k);
}
