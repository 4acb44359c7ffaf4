/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces of revolution for tests: a drum with a round groove, a wavy mandrel by a table, and
 * sheaves. */
#ifndef HAWSER_TESTS_SURFACES_H
#define HAWSER_TESTS_SURFACES_H

#include "shape/surface.h"

#include <math.h>

enum { GROOVE_PIECES = 5, WAVE_POINTS = 41 };

static const double surface_pi = 3.14159265358979323846;

/* r = 0.3 + 0.05 cos(2 pi z) */
static inline double wave_radius(double z)
{
    return 0.3 + 0.05 * cos(2.0 * surface_pi * z);
}

/* Two waves, -1 <= z <= 1. */
static inline haw_meridian wave_meridian(double z[WAVE_POINTS], double r[WAVE_POINTS])
{
    for (int i = 0; i < WAVE_POINTS; i++) {
        z[i] = 2.0 * i / (WAVE_POINTS - 1) - 1.0;
        r[i] = wave_radius(z[i]);
    }
    return (haw_meridian){.count = WAVE_POINTS, .z = z, .r = r};
}

/* Groove around z = 0: flanks of `edge` (convex) and a bottom of `bottom` (concave) that turn by
 * `angle` each, between cylinders of radius 0.3 m to both sides. */
typedef struct groove {
    double edge, bottom, angle;
} groove;

static const groove groove_sample = {0.06, 0.1, 1.0471975511965976};

static inline double groove_half_width(const groove *g)
{
    return (g->edge + g->bottom) * sin(g->angle);
}

static inline haw_meridian groove_meridian(const groove *g,
                                           haw_meridian_segment segment[GROOVE_PIECES])
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

/** A surface with up to four options and a meridian, prepared from the arena. */
static inline haw_status surface_open(haw_arena *memory, const char *name, const double *options,
                                      const haw_meridian *meridian, haw_surface *surface)
{
    *surface = (haw_surface){.ops = haw_surface_find(name)};
    for (int i = 0; options != NULL && i < 4; i++) {
        surface->options[i] = options[i];
    }
    if (meridian != NULL) {
        surface->meridian = *meridian;
    }
    return surface->ops->prepare(memory, surface);
}

/* A sheave with a groove; a number that its profile does not need is 0. */
typedef struct sheave {
    const char *profile;
    double radius, rope_radius, angle_deg, groove_radius, bottom, rim, land;
} sheave;

static const sheave sheave_v = {"v", 0.35, 0.05, 60.0, 0.0, 0.0, 0.45, 0.1};
static const sheave sheave_flat = {"v-flat", 0.35, 0.05, 60.0, 0.0, 0.3, 0.45, 0.1};
static const sheave sheave_u = {"u", 0.35, 0.05, 60.0, 0.06, 0.0, 0.45, 0.1};

static inline haw_status sheave_open(haw_arena *memory, const sheave *s, haw_surface *surface)
{
    static const char *const key[] = {"radius", "rope_radius", "angle_deg", "groove_radius",
                                      "bottom", "rim",         "land"};
    const double value[] = {s->radius, s->rope_radius, s->angle_deg, s->groove_radius,
                            s->bottom, s->rim,         s->land};

    *surface = (haw_surface){.ops = haw_surface_find("groove")};
    haw_options_init(surface->ops->options, surface->options);
    HAW_TRY(haw_options_set_text(memory->context, surface->ops->options, surface->options,
                                 "profile", s->profile));
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
        if (value[i] != 0.0 || i == 2) {
            HAW_TRY(haw_options_set_real(memory->context, surface->ops->options, surface->options,
                                         key[i], value[i]));
        }
    }
    return surface->ops->prepare(memory, surface);
}

/* A point around the axis in the half plane p = (rho, z), at an angle of its own. */
static inline void surface_around(const double p[2], double angle, double x[3])
{
    x[0] = p[0] * cos(angle);
    x[1] = p[0] * sin(angle);
    x[2] = p[1];
}

static inline double surface_radius_at(const haw_surface *surface, double z)
{
    double r[3];

    surface->ops->profile(surface, z, r);
    return r[0];
}

#endif
