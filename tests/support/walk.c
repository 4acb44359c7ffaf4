/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/walk.h"

#include "base/lie.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

haw_cable_spec walk_cable(const char *name, const char *element, int elements, double le,
                          double radius)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = name;
    cable.element = element;
    cable.elements = elements;
    for (int i = 0; i < 3; i++) {
        cable.from[i] = 0;
        cable.to[i] = i == 0 ? le * elements : 0;
    }
    cable.stiffness = 1e4;
    cable.bending_stiffness = element[0] == 'b' || element[1] == 'h' ? 0 : 1;
    cable.density = 0.1;
    cable.radius = radius;
    cable.ends[0].kind = cable.ends[1].kind = HAW_END_FREE;
    return cable;
}

double walk_number(const walk *w, double size)
{
    return size * random_signed(w->random);
}

/* A node: position and orientation, or what the kind has in its place. */
static void set_node(const walk *w, const haw_cable *cable, int node, const double pose[7])
{
    const int stride = cable->stride_q, d = w->model->dimension;
    double *to = w->q + cable->first_q + (ptrdiff_t)stride * node, axis[3] = {1, 0, 0};
    memcpy(to, pose, (size_t)d * sizeof *to);
    if (haw_cable_turns(cable)) {
        memcpy(to + 3, pose + 3, 4 * sizeof *to);
    }
    if (haw_cable_turns(cable) || stride == d) {
        return;
    }
    quaternion_rotate(pose + 3, axis, axis);
    if (stride == 2 * d) {
        memcpy(to + d, axis, (size_t)d * sizeof *axis);
        return;
    }
    for (int k = 1; k < 3 && node < cable->line.elements; k++) { /* control points of bezier-c0 */
        for (int i = 0; i < d; i++) {
            to[d * k + i] = pose[i] + k * w->le / 3 * axis[i] + walk_number(w, 1e-3);
        }
    }
}

void walk_lay(const walk *w, int cable, const double from[3], const double start[3], double turn)
{
    const haw_cable *line = &w->model->cable[cable];
    double pose[7];
    memcpy(pose, from, 3 * sizeof *pose);
    so3_exp(start, pose + 3);
    for (int node = 0; node <= line->line.elements; node++) {
        const double out = w->model->dimension - 2; /* of the plane */
        const double half[3] = {walk_number(w, turn * out), walk_number(w, turn * out),
                                walk_number(w, turn)};
        double step[3] = {w->le * (1 + walk_number(w, 0.03)), walk_number(w, 0.003),
                          walk_number(w, 0.003 * out)};
        set_node(w, line, node, pose);
        so3_move(pose + 3, 1, half, pose + 3);
        quaternion_rotate(pose + 3, step, step);
        vec3_add(1, step, pose);
        so3_move(pose + 3, 1, half, pose + 3);
    }
}

void walk_cross(const walk *w, walk_pair pair, double turn)
{
    const bool is_flat = w->model->dimension == 2;
    const double half = 0.5 * w->le * w->model->cable[0].line.elements;
    const double angle = walk_number(w, is_flat ? pair.angle : 1.5);
    const double first[3] = {0, 0, 0}, from[3] = {-half, 0, 0};
    const double second[3] = {0, is_flat ? 0 : walk_number(w, 0.05), angle};
    const double along = walk_number(w, pair.along), away = pair.apart + walk_number(w, 1e-3);
    const double other[3] = {along - half * cos(angle), is_flat ? away : -half * sin(angle),
                             is_flat ? 0 : away};
    walk_lay(w, 0, from, first, turn);
    walk_lay(w, 1, other, second, turn);
}
