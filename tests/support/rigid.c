/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rigid.h"

#include "base/lie.h"

#include <string.h>

/* Vector v of a cable: a position, a slope or an angular velocity. */
static void rigid_vector(const haw_cable *cable, const double *q, int d, int v, int k, double u[3])
{
    const bool is_second = cable->stride == 2 * d && v % 2 == 1, turns = haw_cable_turns(cable);
    const double *own = q + cable->first_q +
                        (turns ? 7 * (ptrdiff_t)(v / 2) + (is_second ? 3 : 0) : d * (ptrdiff_t)v);
    double unit[3] = {0}, x[3] = {0};
    unit[k % 3] = 1;
    if (k < 3) {
        for (int i = 0; i < 3; i++) {
            u[i] = is_second ? 0 : unit[i];
        }
    } else if (is_second && turns) {
        double rotation[9];
        quaternion_matrix(own, rotation);
        mat3_apply_t(rotation, unit, u);
    } else {
        memcpy(x, own, (size_t)d * sizeof *x);
        vec3_cross(unit, x, u);
    }
}

void rigid_motion(const haw_model *model, const double *q, int k, double *u)
{
    const int d = model->dimension;
    memset(u, 0, (size_t)model->dofs * sizeof *u);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int v = 0; d * v < cable->line.dofs; v++) {
            double own[3];
            rigid_vector(cable, q, d, v, k, own);
            memcpy(u + cable->first + (ptrdiff_t)d * v, own, (size_t)d * sizeof *own);
        }
    }
}
