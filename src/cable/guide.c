/* SPDX-License-Identifier: BSD-3-Clause */
/* Prescribed ends of lines in space: places and velocities from the exact integrals of the drives.
 */
#include "base/lie.h"
#include "cable/cable.h"

#include <math.h>
#include <string.h>

double haw_body_drive(const haw_body *body, int j, double t, double h)
{
    const haw_control *c = body->control;
    return c == NULL || isnan(c->drive[j]) ? haw_function_mean(&body->drive[j], t, h) : c->drive[j];
}

double haw_body_way(const haw_body *body, int j, double t)
{
    const haw_control *c = body->control;
    if (c == NULL) {
        return haw_function_integral(&body->drive[j], t);
    }
    return c->way[j] + (isnan(c->drive[j]) ? haw_function_integral(&body->drive[j], t)
                                           : c->drive[j] * (t - c->since[j]));
}

void haw_body_driven_pose(const haw_body *body, double t, double pose[7])
{
    memcpy(pose, body->start, 7 * sizeof(double));
    if (body->motion == HAW_MOTION_PRESCRIBED) {
        const double turn[3] = {0, 0, haw_body_way(body, 5, t)};
        for (int j = 0; j < 3; j++) {
            pose[j] += haw_body_way(body, j, t);
        }
        so3_move(body->start + 3, 1, turn, pose + 3);
    }
}

/* Orientation of a clamped end. @param pose  of the body that it rides on, if any */
static void clamped_turn(const haw_cable_guide *guide, const double pose[7], double turn[4])
{
    if (guide->body >= 0) {
        quaternion_product(pose + 3, guide->turn, turn);
    } else {
        memcpy(turn, guide->turn, 4 * sizeof(double));
    }
}

/* Coordinates of an end; what is not held is left alone. */
static void place_end(const haw_cable *cable, int end, double t, double *node)
{
    const haw_cable_guide *guide = &cable->guide[end];
    const bool rides = guide->body >= 0;
    double pose[7], turn[4];
    if (rides) {
        haw_body_driven_pose(guide->carrier, t, pose);
        quaternion_rotate(pose + 3, guide->arm, node);
        vec3_add(1, pose, node);
    }
    for (int j = 0; j < 3; j++) {
        if (!rides && guide->held[j]) {
            node[j] = guide->guide[j] == HAW_GUIDE_POSITION
                          ? haw_function_value(&guide->function[j], t)
                          : guide->start[j] + haw_function_integral(&guide->function[j], t);
        }
    }
    if (guide->is_clamped && haw_cable_turns(cable)) { /* what is held of a slope stays */
        clamped_turn(guide, pose, turn);
        memcpy(node + 3, turn, sizeof turn);
    }
}

/* Velocities of an end by the spin of what it rides on, or zero; of the direction, if it is held.
 */
static void turn_end(const haw_cable *cable, int end, const double pose[7], const double spin[3],
                     double node[6])
{
    const haw_cable_guide *guide = &cable->guide[end];
    double turn[4], r[9], arm[3];
    if (guide->body >= 0) {
        quaternion_rotate(pose + 3, guide->arm, arm);
        vec3_cross(spin, arm, node);
    }
    if (guide->is_clamped && haw_cable_turns(cable)) {
        clamped_turn(guide, pose, turn);
        quaternion_matrix(turn, r);
        mat3_apply_t(r, spin, node + 3);
        return;
    }
    for (int j = 3; j < 6 && guide->is_clamped; j++) {
        node[j] = guide->held[j] ? 0 : node[j];
    }
}

/* What moves from a to b over the time h, at the rate of a function. */
static double guided_rate(const haw_function *place, double t, double h)
{
    return h == 0 ? haw_function_slope(place, t)
                  : (haw_function_value(place, t + h) - haw_function_value(place, t)) / h;
}

/* Mean velocities of an end over [t, t + h]; what is not held is left alone. */
static void prescribe_end(const haw_cable *cable, int end, double t, double h, double *node)
{
    const haw_cable_guide *guide = &cable->guide[end];
    const bool rides = guide->body >= 0;
    double pose[7], spin[3] = {0, 0, 0};
    if (rides) {
        const double axis[3] = {0, 0, haw_body_drive(guide->carrier, 5, t, h)};
        haw_body_driven_pose(guide->carrier, t + 0.5 * h, pose);
        quaternion_rotate(pose + 3, axis, spin);
    }
    turn_end(cable, end, pose, spin, node);
    for (int j = 0; j < 3; j++) {
        if (rides) {
            node[j] += haw_body_drive(guide->carrier, j, t, h);
        } else if (guide->held[j]) {
            node[j] = guide->guide[j] == HAW_GUIDE_POSITION
                          ? guided_rate(&guide->function[j], t, h)
                          : haw_function_mean(&guide->function[j], t, h);
        }
    }
}

double haw_cable_torque(const haw_cable *cable, int body, const double *q, const double *reaction)
{
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        if (cable->guide[end].body != body) {
            continue;
        }
        const double *f = reaction + haw_cable_node_dof(cable, end == 0 ? 0 : cable->beam.elements);
        const double unit[3] = {0, 0, 1}, *pose = q + cable->guide[end].carrier->first_q;
        double axis[3], node[6] = {0};
        quaternion_rotate(pose + 3, unit, axis);
        turn_end(cable, end, pose, axis, node);
        sum += vec3_dot(f, node);
        sum += cable->guide[end].is_clamped ? vec3_dot(f + 3, node + 3) : 0;
    }
    return sum;
}

void haw_cable_prescribe_ends(const haw_cable *cable, double t, double h, double *u)
{
    for (int end = 0; end < 2; end++) {
        const int node = end == 0 ? 0 : cable->beam.elements;
        prescribe_end(cable, end, t, h, u + haw_cable_node_dof(cable, node));
    }
}

void haw_cable_place_ends(const haw_cable *cable, double t, double *q)
{
    for (int end = 0; end < 2; end++) {
        place_end(cable, end, t, q + haw_cable_node_q(cable, end == 0 ? 0 : cable->beam.elements));
    }
}
