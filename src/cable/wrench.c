/* SPDX-License-Identifier: BSD-3-Clause */
#include "cable/wrench.h"

#include "base/lie.h"

enum { AXES = 3 };

static void turn(const double rotation[9], double x[AXES])
{
    const double body[AXES] = {x[0], x[1], x[2]};
    mat3_apply(rotation, body, x);
}

haw_wrench haw_grip_wrench(const haw_grip *grip, const haw_wrench *wrench)
{
    haw_wrench w = *wrench;
    if (w.follows) {
        turn(grip->at.rotation, w.force);
        turn(grip->at.rotation, w.moment);
    }
    return w;
}

void haw_grip_push(const haw_grip *grip, const haw_wrench *wrench, double *f)
{
    for (int a = 0; a < grip->width; a++) {
        for (int j = 0; j < AXES; j++) {
            f[grip->first + a] +=
                grip->at.jx[j][a] * wrench->force[j] + grip->at.jw[j][a] * wrench->moment[j];
        }
    }
}

/* Matrix += sign row' skew(x) jw: the change of row' x when x turns with the section. */
static void couple(const haw_grip *g, const double row[AXES][HAW_SPACE_DOFS], double sign,
                   const double x[AXES], haw_entry_sink add, void *user)
{
    for (int b = 0; b < g->width; b++) {
        const double w[AXES] = {g->at.jw[0][b], g->at.jw[1][b], g->at.jw[2][b]};
        double change[AXES];
        vec3_cross(x, w, change);
        for (int a = 0; a < g->width; a++) {
            const double entry =
                row[0][a] * change[0] + row[1][a] * change[1] + row[2][a] * change[2];
            if (entry != 0) {
                add(user, g->first + a, g->first + b, sign * entry);
            }
        }
    }
}

void haw_grip_tangent(const haw_grip *grip, const haw_wrench *wrench, double part,
                      haw_entry_sink add, void *user)
{
    const double *given = wrench->follows ? wrench->force : wrench->moment;
    const double x[AXES] = {part * given[0], part * given[1], part * given[2]};
    if (wrench->follows) {
        couple(grip, grip->at.jx, 1, x, add, user);
    } else {
        couple(grip, grip->at.jw, -1, x, add, user);
    }
}
