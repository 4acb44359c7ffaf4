/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact of cables with cables: the grid of one, the finer of the two, against the centreline of
 * the other or its own. Each point may have several feet there. Of a cable with itself, places
 * nearer along the arc than `neighbours` are no partners.
 */
#include "model/build.h"

#include <math.h>

static const double HALF_TURN = 3.14159265358979323846;

static haw_status check_line(haw_model *model, const haw_contact_spec *spec, int cable)
{
    const haw_cable *line = &model->cable[cable];
    if (line->ops->curve == NULL) {
        return haw_pair_refuse(model, spec, "between",
                               "cables touch cables in space only, and '%s' is %s: use dimension: "
                               "3, or let one side be a body",
                               line->name,
                               line->ops->moves_along ? "a rope over sheaves" : "planar");
    }
    if (!(line->radius > 0)) {
        const haw_status status = haw_fail(model->context, HAW_ERR_INPUT,
                                           "cable '%s' needs a radius for contact", line->name);
        return haw_place(model->context, status, "cables.%s.radius", line->name);
    }
    return HAW_OK;
}

/* Half a turn of the axis about a circle of the section's radius leads back beside it: what bends
 * less has no partner before. */
static haw_status find_neighbours(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const double least = HALF_TURN * cable->radius, length = cable->line.le * cable->line.elements;
    const double apart = isnan(spec->neighbours) ? least : spec->neighbours;
    if (apart < 2 * cable->radius) {
        return haw_pair_refuse(model, spec, "neighbours",
                               "places within %g m of the arc would touch where the cable is "
                               "straight, its diameter being %g m: use more, or auto (%g m)",
                               apart, 2 * cable->radius, least);
    }
    if (2 * apart >= length) {
        return haw_pair_refuse(model, spec, "neighbours",
                               "all places within %g m of the arc are neighbours, half of the "
                               "length %g m: '%s' cannot touch itself",
                               apart, length, cable->name);
    }
    pair->apart = apart / cable->line.le;
    return HAW_OK;
}

haw_status haw_line_pair(haw_model *model, const haw_contact_spec *spec, const int cable[2],
                         haw_pair *pair)
{
    HAW_TRY(check_line(model, spec, cable[0]));
    HAW_TRY(check_line(model, spec, cable[1]));
    const haw_cable *first = &model->cable[cable[0]], *second = &model->cable[cable[1]];
    const bool swap = second->ops->longest(second) < first->ops->longest(first);
    pair->cable = cable[swap ? 1 : 0];
    pair->line = cable[swap ? 0 : 1];
    pair->body = pair->proxy = -1;
    if (!pair->law->set_valued) {
        return haw_pair_refuse(model, spec, "law", "cables touch cables with law: hard only");
    }
    if (spec->proxy != HAW_PROXY_POINTS) {
        return haw_pair_refuse(model, spec, "proxy",
                               "cables touch cables at the points of the grid: use proxy: points");
    }
    return pair->cable == pair->line ? find_neighbours(model, spec, pair) : HAW_OK;
}
