/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/surfaces.h"

double wave_radius(double z)
{
    return 0.3 + 0.05 * cos(2.0 * surface_pi * z);
}

haw_meridian wave_meridian(double z[WAVE_POINTS], double r[WAVE_POINTS])
{
    for (int i = 0; i < WAVE_POINTS; i++) {
        z[i] = 2.0 * i / (WAVE_POINTS - 1) - 1.0;
        r[i] = wave_radius(z[i]);
    }
    return (haw_meridian){.count = WAVE_POINTS, .z = z, .r = r};
}

double groove_half_width(const groove *g)
{
    return (g->edge + g->bottom) * sin(g->angle);
}

haw_meridian groove_meridian(const groove *g, haw_meridian_segment segment[GROOVE_PIECES])
{
    const double half = groove_half_width(g), c = cos(g->angle), s = sin(g->angle);
    const double flank = 0.3 - g->edge * (1.0 - c);
    const double center = flank + g->bottom * c;

    segment[0] = (haw_meridian_segment){false, {0.3, -half}, {0.0, 0.0}};
    segment[1] = (haw_meridian_segment){true, {flank, -half + g->edge * s}, {0.3 - g->edge, -half}};
    segment[2] = (haw_meridian_segment){true, {flank, half - g->edge * s}, {center, 0.0}};
    segment[3] = (haw_meridian_segment){true, {0.3, half}, {0.3 - g->edge, half}};
    segment[4] = (haw_meridian_segment){false, {0.3, half + 0.2}, {0.0, 0.0}};
    return (haw_meridian){
        .from = {0.3, -half - 0.2}, .segments = GROOVE_PIECES, .segment = segment};
}

haw_status surface_open(haw_arena *memory, const char *name, const double *options,
                        const haw_meridian *meridian, haw_surface *surface)
{
    *surface = (haw_surface){.ops = (const haw_surface_ops *)haw_row_find(haw_surfaces, name)};
    for (int i = 0; options != NULL && i < 4; i++) {
        surface->options[i] = options[i];
    }
    if (meridian != NULL) {
        surface->meridian = *meridian;
    }
    return surface->ops->prepare != NULL ? surface->ops->prepare(memory, surface) : HAW_OK;
}

haw_status sheave_open(haw_arena *memory, const sheave *s, haw_surface *surface)
{
    static const char *const key[] = {"radius", "rope_radius", "angle_deg", "groove_radius",
                                      "bottom", "rim",         "land"};
    const double value[] = {s->radius, s->rope_radius, s->angle_deg, s->groove_radius,
                            s->bottom, s->rim,         s->land};

    *surface = (haw_surface){.ops = (const haw_surface_ops *)haw_row_find(haw_surfaces, "groove")};
    haw_options_init(surface->ops->row.options, surface->options);
    HAW_TRY(haw_options_set_text(memory->context, surface->ops->row.options, surface->options,
                                 "profile", s->profile));
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
        if (value[i] != 0.0 || i == 2) {
            HAW_TRY(haw_options_set_real(memory->context, surface->ops->row.options,
                                         surface->options, key[i], value[i]));
        }
    }
    return surface->ops->prepare(memory, surface);
}

void surface_around(const double p[2], double angle, double x[3])
{
    x[0] = p[0] * cos(angle);
    x[1] = p[0] * sin(angle);
    x[2] = p[1];
}

double surface_radius_at(const haw_surface *surface, double z)
{
    double r[3];

    surface->ops->profile(surface, z, r);
    return r[0];
}
