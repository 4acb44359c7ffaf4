/* SPDX-License-Identifier: BSD-3-Clause */
/* Half space below the plane z = 0 of its body: s = z. */
#include "shape/surface.h"

static const haw_option plane_table[] = {{0}};

static bool plane_near(const haw_surface *surface, const double x[3], double radius)
{
    (void)surface;
    return x[2] <= radius;
}

static int plane_feet(const haw_surface *surface, const double x[3], double reach,
                      haw_foot foot[HAW_FEET_MAX])
{
    (void)surface;
    if (x[2] > reach) {
        return 0;
    }
    foot[0] = (haw_foot){.gap = x[2], .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}};
    return 1;
}

const haw_surface_ops haw_surface_plane = {
    .row.name = "plane",
    .row.summary = "half space below the plane z = 0 of its body",
    .row.source = "signed distance s = z",
    .row.options = plane_table,
    .row.options_size = 0,
    .prepare = haw_surface_accept,
    .radius = haw_surface_endless,
    .hollow = haw_surface_endless,
    .inertia = haw_surface_bodiless,
    .near = plane_near,
    .feet = plane_feet,
};
