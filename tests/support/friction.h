/* SPDX-License-Identifier: BSD-3-Clause */
/* One contact point under a friction law, called as a step calls it. */
#ifndef HAWSER_TESTS_FRICTION_H
#define HAWSER_TESTS_FRICTION_H

#include "law/law.h"
#include "support/near.h"

static const double step = 1.0e-2;

static inline haw_friction_parameters parameters(void)
{
    return (haw_friction_parameters){.mu_static = 0.6,
                                     .mu_kinetic = 0.4,
                                     .stribeck_velocity = 0.3,
                                     .stiffness = 200.0,
                                     .damping = 2.0,
                                     .viscous = 0.3,
                                     .regularization = 0.05};
}

typedef struct friction_call {
    const haw_friction_ops *law;
    haw_friction_parameters p;
    double memory;
} friction_call;

static inline haw_friction_force force_of(const friction_call *call, const double x[3])
{
    const haw_friction_state at = {
        .rate = x[0], .slide = x[1], .normal = x[2], .memory = call->memory, .h = step};
    haw_friction_force out;

    call->law->force(&call->p, &at, &out);
    return out;
}

/* What a caller keeps of a point between steps. */
typedef struct bristle {
    double slide, z;
} bristle;

/* Slide by v h. @return the work against friction over the step [J] */
static inline double slide(const haw_friction_ops *law, const haw_friction_parameters *p,
                           double normal, double v, bristle *kept)
{
    const haw_friction_state at = {
        .normal = normal, .rate = v, .slide = kept->slide + step * v, .memory = kept->z, .h = step};
    haw_friction_force out;

    law->force(p, &at, &out);
    kept->slide = kept->z = out.deflection;
    return out.force * v * step;
}

#endif
