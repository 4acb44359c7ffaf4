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
double wave_radius(double z);

/* Two waves, -1 <= z <= 1. */
haw_meridian wave_meridian(double z[WAVE_POINTS], double r[WAVE_POINTS]);

/* Groove around z = 0: flanks of `edge` (convex) and a bottom of `bottom` (concave) that turn by
 * `angle` each, between cylinders of radius 0.3 m to both sides. */
typedef struct groove {
    double edge, bottom, angle;
} groove;

static const groove groove_sample = {0.06, 0.1, 1.0471975511965976};

double groove_half_width(const groove *g);

haw_meridian groove_meridian(const groove *g, haw_meridian_segment segment[GROOVE_PIECES]);

/** A surface with up to four options and a meridian, prepared from the arena. */
haw_status surface_open(haw_arena *memory, const char *name, const double *options,
                        const haw_meridian *meridian, haw_surface *surface);

/* A sheave with a groove; a number that its profile does not need is 0. */
typedef struct sheave {
    const char *profile;
    double radius, rope_radius, angle_deg, groove_radius, bottom, rim, land;
} sheave;

static const sheave sheave_v = {"v", 0.35, 0.05, 60.0, 0.0, 0.0, 0.45, 0.1};

static const sheave sheave_flat = {"v-flat", 0.35, 0.05, 60.0, 0.0, 0.3, 0.45, 0.1};

static const sheave sheave_u = {"u", 0.35, 0.05, 60.0, 0.06, 0.0, 0.45, 0.1};

haw_status sheave_open(haw_arena *memory, const sheave *s, haw_surface *surface);

/* A point around the axis in the half plane p = (rho, z), at an angle of its own. */
void surface_around(const double p[2], double angle, double x[3]);

double surface_radius_at(const haw_surface *surface, double z);

#endif
