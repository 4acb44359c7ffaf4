/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rigid.h"

#include "base/lie.h"

#include <string.h>

/* Vector v of a cable: a position, a slope or an angular velocity. */
static void rigid_vector(const haw_cable *cable, const double *q, int v, int k, double u[3])
{
    const haw_space_ops *ops = cable->beam.ops;
    const bool is_second = ops->node_dofs == 6 && v % 2 == 1;
    const bool is_turn = is_second && ops->has_rotations;
    const double *own =
        q + cable->first_q +
        (ops->has_rotations ? 7 * (ptrdiff_t)(v / 2) + (is_turn ? 3 : 0) : 3 * (ptrdiff_t)v);
    double unit[3] = {0};
    unit[k % 3] = 1;
    if (k < 3) {
        for (int i = 0; i < 3; i++) {
            u[i] = is_second ? 0 : unit[i];
        }
    } else if (is_turn) {
        double rotation[9];
        quaternion_matrix(own, rotation);
        mat3_apply_t(rotation, unit, u);
    } else {
        vec3_cross(unit, own, u);
    }
}

void rigid_motion(const haw_model *model, const double *q, int k, double *u)
{
    memset(u, 0, (size_t)model->dofs * sizeof *u);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int v = 0; 3 * v < cable->line.dofs; v++) {
            rigid_vector(cable, q, v, k, u + cable->first + (ptrdiff_t)3 * v);
        }
    }
}
