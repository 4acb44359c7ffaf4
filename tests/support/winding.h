/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scene of benchmark W1 to take apart, with the arcs (se3) for its yarn: 4 m of 1 mm radius
 * under 10 N, pulled onto a drum of 0.4 m that turns by 6 rad in 6 s; then its far end traverses
 * along the axis. support/winding_run.h runs the benchmark as shipped.
 */
#ifndef HAWSER_TESTS_WINDING_H
#define HAWSER_TESTS_WINDING_H

#include "support/rig.h"

typedef struct winding {
    rig rig;
    double friction, step, theta;
    int elements;
    const char *solver; /* NULL: the default */
    double end;         /* [s] */
} winding;

static const double winding_radius = 0.4, winding_yarn = 1e-3, winding_length = 4,
                    winding_tension = 10, winding_modulus = 90e9, winding_poisson = 0.21,
                    winding_density = 2700;

winding winding_default(double friction);

haw_body_spec winding_drum(void);

haw_cable_spec winding_cable(const winding *w);

void winding_open(winding *w);

/** Largest tension over the pull, less one. */
double winding_highest(const winding *w);

#endif
