/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernels of the friction laws share. A kernel is written once for vectors of n
 * components, n a constant: along a line n = 1, on a surface 3. Each law has a tensor of the form
 * a 1 + e b^T with directions e, b of its own; 1 - e e^T is that of a force which turns with e at a
 * constant size, zero along a line.
 */
#ifndef HAWSER_LAW_FRICTION_H
#define HAWSER_LAW_FRICTION_H

#include "law/law.h"
#include "linalg/inline.h"

#include <math.h>

/** Size of x, and its direction: zero where x is; along a line its sign. */
static HAW_INLINE double friction_direction(int n, const double *x, double *direction)
{
    if (n == 1) {
        direction[0] = (x[0] > 0) - (x[0] < 0);
        return fabs(x[0]);
    }
    const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    for (int i = 0; i < n; i++) {
        direction[i] = size > 0 ? x[i] / size : 0;
    }
    return size;
}

/** m += scale (1 - e e^T). */
static HAW_INLINE void friction_turn(int n, double scale, const double *e, double *m)
{
    for (int k = 0; k < n * n && n > 1; k++) {
        m[k] += scale * ((k / n == k % n ? 1 : 0) - e[k / n] * e[k % n]);
    }
}

/** A bristle that slips is bent as far as it has slid, but no further than `most`. */
static HAW_INLINE void friction_drag(int n, double most, const double *slide, double *deflection)
{
    double e[3];
    const double size = friction_direction(n, slide, e);
    for (int i = 0; i < n; i++) {
        deflection[i] = size > most ? most * e[i] : slide[i];
    }
}

/** Regime of a slip in this direction. */
static HAW_INLINE haw_regime friction_regime(int n, const double *direction)
{
    return n == 1 && direction[0] < 0 ? HAW_REGIME_BACKWARD : HAW_REGIME_FORWARD;
}

/* The two functions of a row from its kernel (p, slip, n, out). */
#define HAW_FRICTION_FORCES(kernel)                                                                \
    static void kernel##_force(const haw_friction_parameters *p, const haw_friction_state *state,  \
                               haw_friction_force *out)                                            \
    {                                                                                              \
        const haw_slip slip = {.normal = state->normal,                                            \
                               .rate = {state->rate},                                              \
                               .slide = {state->slide},                                            \
                               .memory = {state->memory},                                          \
                               .h = state->h};                                                     \
        haw_slip_force f;                                                                          \
        kernel(p, &slip, 1, &f);                                                                   \
        *out = (haw_friction_force){.force = f.force[0],                                           \
                                    .d_rate = f.d_rate[0],                                         \
                                    .d_slide = f.d_slide[0],                                       \
                                    .d_normal = f.d_normal[0],                                     \
                                    .regime = f.regime,                                            \
                                    .deflection = f.deflection[0]};                                \
    }                                                                                              \
    static void kernel##_vector(const haw_friction_parameters *p, const haw_slip *slip,            \
                                haw_slip_force *out)                                               \
    {                                                                                              \
        kernel(p, slip, 3, out);                                                                   \
    }

#endif
