/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact pairs in space: a grid of places on a cable, or a sphere, times the feet that each may
 * have on the surface. */
#include "model/build.h"

#include <math.h>

static haw_status refuse(haw_model *model, const haw_contact_spec *spec, const char *key,
                         const char *reason)
{
    const haw_status status =
        haw_fail(model->context, HAW_ERR_INPUT, "contact between '%s' and '%s': %s",
                 spec->between[0], spec->between[1], reason);
    return haw_place(model->context, status, "contact.%s-%s.%s", spec->between[0], spec->between[1],
                     key);
}

static haw_status check_modes(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair)
{
    if (!pair->law->set_valued) {
        return refuse(model, spec, "law", "in space the law is hard");
    }
    if (spec->refine == HAW_REFINE_MINIMA) {
        return refuse(model, spec, "refine", "refine: minima is planar; use liftoff");
    }
    if (spec->offset != 0) {
        return refuse(model, spec, "offset", "an offset is planar");
    }
    return HAW_OK;
}

static double distance(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Longest element of the start: its chord, or its unstrained length where a curve is longer [m]. */
static double longest_element(const haw_cable *cable)
{
    double longest = cable->beam.le;
    for (int e = 0; e < cable->beam.elements; e++) {
        const double *node = cable->start + (ptrdiff_t)cable->beam.ops->node_coordinates * e;
        longest = fmax(longest, distance(node, node + cable->beam.ops->node_coordinates));
    }
    return longest;
}

static haw_status check_cable(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const haw_surface *surface = &model->body[pair->body].surface;
    if (!(cable->radius > 0)) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "cable '%s': contact needs its radius", cable->name),
                         "cables.%s.radius", cable->name);
    }
    const double hollow = surface->ops->hollow(surface);
    if (cable->radius >= hollow) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "cable '%s': its radius %g m does not fit into the hollow of "
                                  "'%s', whose radius is %g m",
                                  cable->name, cable->radius, model->body[pair->body].name, hollow),
                         "cables.%s.radius", cable->name);
    }
    const bool is_mortar = spec->proxy == HAW_PROXY_MORTAR;
    if (is_mortar && pair->points_per_element < 2) {
        return refuse(model, spec, "points_per_element",
                      "proxy: mortar weights at least 2 points per element");
    }
    if (is_mortar && spec->refine == HAW_REFINE_LIFTOFF) {
        return refuse(model, spec, "refine", "refine: liftoff is for points and capsules");
    }
    return HAW_OK;
}

/* Of a sphere there is one place; the surface under it may be hollow as under a cable. */
static haw_status sphere_pair(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_surface *surface = &model->body[pair->body].surface;
    if (pair->proxy_radius >= surface->ops->hollow(surface)) {
        return refuse(model, spec, "between", "the sphere does not fit into the hollow surface");
    }
    return haw_pair_count(model, pair->feet, pair);
}

haw_status haw_build_surface_pair(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_surface *surface = &model->body[pair->body].surface;
    HAW_TRY(check_modes(model, spec, pair));
    pair->feet = isfinite(surface->ops->hollow(surface)) ? HAW_FEET_MAX : 1;
    if (pair->cable < 0) {
        return sphere_pair(model, spec, pair);
    }
    const haw_cable *cable = &model->cable[pair->cable];
    HAW_TRY(haw_pair_choose_points(model, spec, longest_element(cable),
                                   surface->ops->radius(surface), pair));
    HAW_TRY(check_cable(model, spec, pair));
    pair->proxies = (haw_proxy)spec->proxy;
    pair->refine = (haw_refine)spec->refine;
    const double grid = (double)haw_pair_fineness(pair) * cable->beam.elements;
    HAW_TRY(haw_pair_count(model, pair->feet * (grid + 2), pair)); /* before an int overflows */
    return haw_pair_count(model, (double)pair->feet * haw_pair_places(model, pair), pair);
}
