/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coordinates and velocities of spatial models: moving q by increments of the velocities,
 *     x <- x + d_x,   R <- R exp(d_R),
 * and what is prescribed, from the exact integrals of the drives. A driven body turns about its own
 * z axis, R = R_0 exp(theta e_z), theta the integral of its spin.
 */
#include "base/lie.h"
#include "model/space.h"

#include <string.h>

void haw_space_move(const haw_model *model, const double *q, const double *d, double *q_plus)
{
    for (int i = 0; i < model->bodies; i++) {
        const double *from = q + model->body[i].first_q, *by = d + model->body[i].first;
        double *to = q_plus + model->body[i].first_q;
        for (int j = 0; j < 3; j++) {
            to[j] = from[j] + by[j];
        }
        so3_move(from + 3, by + 3, to + 3);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        haw_space_nodes_move(cable->beam.ops, cable->beam.elements + 1, q + cable->first_q,
                             d + cable->first, q_plus + cable->first_q);
    }
}

void haw_space_difference(const haw_model *model, const double *q, const double *q_plus, double *d)
{
    for (int i = 0; i < model->bodies; i++) {
        const double *from = q + model->body[i].first_q, *to = q_plus + model->body[i].first_q;
        double *by = d + model->body[i].first;
        for (int j = 0; j < 3; j++) {
            by[j] = to[j] - from[j];
        }
        so3_difference(from + 3, to + 3, by + 3);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        haw_space_nodes_difference(cable->beam.ops, cable->beam.elements + 1, q + cable->first_q,
                                   q_plus + cable->first_q, d + cable->first);
    }
}

void haw_space_body_point(const double pose[7], const double local[3], double x[3])
{
    quaternion_rotate(pose + 3, local, x);
    vec3_add(1, pose, x);
}

/* ---- prescribed motion ---- */

/* Pose of a body that is fixed or driven, or the start of what a joint holds. */
static void body_pose(const haw_body *body, double t, double pose[7])
{
    memcpy(pose, body->start, 7 * sizeof(double));
    if (body->motion == HAW_MOTION_PRESCRIBED) {
        const double turn[3] = {0, 0, haw_function_integral(&body->drive[5], t)};
        for (int j = 0; j < 3; j++) {
            pose[j] += haw_function_integral(&body->drive[j], t);
        }
        so3_move(body->start + 3, turn, pose + 3);
    }
}

/* What a joint holds stays where it was; a revolute body turns by itself. */
static void place_body(const haw_body *body, double t, double *q)
{
    double pose[7];
    body_pose(body, t, pose);
    if (body->held[0]) {
        memcpy(q, pose, 3 * sizeof(double));
    }
    if (body->held[3] && body->held[4] && body->held[5]) {
        memcpy(q + 3, pose + 3, 4 * sizeof(double));
    }
}

/* Orientation of a clamped end, which may ride on a body. */
static void clamped_turn(const haw_model *model, const haw_space_end *guide, double t,
                         double turn[4])
{
    memcpy(turn, guide->turn, 4 * sizeof(double));
    if (guide->body >= 0) {
        double pose[7];
        body_pose(&model->body[guide->body], t, pose);
        quaternion_product(pose + 3, guide->turn, turn);
    }
}

/* Angular velocity of the section of a clamped end, inertial. */
static void clamped_spin(const haw_model *model, const haw_space_end *guide, double t,
                         double spin[3])
{
    spin[0] = spin[1] = spin[2] = 0;
    if (guide->body >= 0) {
        const haw_body *body = &model->body[guide->body];
        const double axis[3] = {0, 0, haw_function_value(&body->drive[5], t)};
        double pose[7];
        body_pose(body, t, pose);
        quaternion_rotate(pose + 3, axis, spin);
    }
}

/* Position and velocity of a guided end; what is not held is left alone. */
static void guide_position(const haw_model *model, const haw_space_end *guide, double t, double *x)
{
    double pose[7];
    if (guide->body >= 0) {
        body_pose(&model->body[guide->body], t, pose);
        haw_space_body_point(pose, guide->arm, x);
        return;
    }
    for (int j = 0; j < 3; j++) {
        if (guide->held[j]) {
            x[j] = guide->guide[j] == HAW_GUIDE_POSITION
                       ? haw_function_value(&guide->function[j], t)
                       : guide->start[j] + haw_function_integral(&guide->function[j], t);
        }
    }
}

static void guide_velocity(const haw_model *model, const haw_space_end *guide, double t, double *v)
{
    if (guide->body >= 0) {
        const haw_body *body = &model->body[guide->body];
        double pose[7], spin[3], arm[3], turning[3];
        body_pose(body, t, pose);
        clamped_spin(model, guide, t, spin);
        quaternion_rotate(pose + 3, guide->arm, arm);
        vec3_cross(spin, arm, turning);
        for (int j = 0; j < 3; j++) {
            v[j] = haw_function_value(&body->drive[j], t) + turning[j];
        }
        return;
    }
    for (int j = 0; j < 3; j++) {
        if (guide->held[j]) {
            v[j] = guide->guide[j] == HAW_GUIDE_POSITION
                       ? haw_function_slope(&guide->function[j], t)
                       : haw_function_value(&guide->function[j], t);
        }
    }
}

/* The slope r' of a kind without rotations keeps the length that it started with. */
static void clamped_slope(const haw_cable *cable, int end, const double turn[4], double slope[3])
{
    const ptrdiff_t node =
        (ptrdiff_t)cable->beam.ops->node_coordinates * (end == 0 ? 0 : cable->beam.elements);
    const double axis[3] = {vec3_norm(cable->start + node + 3), 0, 0};
    quaternion_rotate(turn, axis, slope);
}

static void place_end(const haw_model *model, const haw_cable *cable, int end, double t, double *q)
{
    const haw_space_end *guide = &cable->guide[end];
    double *node =
        q + cable->first_q +
        (ptrdiff_t)cable->beam.ops->node_coordinates * (end == 0 ? 0 : cable->beam.elements);
    double turn[4];
    guide_position(model, guide, t, node);
    if (guide->is_clamped) {
        clamped_turn(model, guide, t, turn);
        if (cable->beam.ops->has_rotations) {
            memcpy(node + 3, turn, sizeof turn);
        } else {
            clamped_slope(cable, end, turn, node + 3);
        }
    }
}

static void prescribe_end(const haw_model *model, const haw_cable *cable, int end, double t,
                          double *u)
{
    const haw_space_end *guide = &cable->guide[end];
    double *node = u + cable->first +
                   (ptrdiff_t)cable->beam.ops->node_dofs * (end == 0 ? 0 : cable->beam.elements);
    double turn[4], spin[3];
    guide_velocity(model, guide, t, node);
    if (guide->is_clamped) {
        clamped_turn(model, guide, t, turn);
        clamped_spin(model, guide, t, spin);
        if (cable->beam.ops->has_rotations) {
            double r[9];
            quaternion_matrix(turn, r);
            mat3_apply_t(r, spin, node + 3);
        } else {
            double slope[3];
            clamped_slope(cable, end, turn, slope);
            vec3_cross(spin, slope, node + 3);
        }
    }
}

void haw_space_prescribe(const haw_model *model, double t, double *u)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 6; j++) {
            if (body->held[j]) { /* what is not driven has a drive of zeros */
                u[body->first + j] = haw_function_value(&body->drive[j], t);
            }
        }
    }
    for (int i = 0; i < 2 * model->cables; i++) {
        prescribe_end(model, &model->cable[i / 2], i % 2, t, u);
    }
}

void haw_space_place(const haw_model *model, double t, double *q)
{
    for (int i = 0; i < model->bodies; i++) {
        place_body(&model->body[i], t, q + model->body[i].first_q);
    }
    for (int i = 0; i < 2 * model->cables; i++) {
        place_end(model, &model->cable[i / 2], i % 2, t, q);
    }
}

void haw_space_held(const haw_model *model, bool *held)
{
    memset(held, 0, (size_t)model->dofs * sizeof *held);
    for (int i = 0; i < model->bodies; i++) {
        memcpy(held + model->body[i].first, model->body[i].held, sizeof model->body[i].held);
    }
    for (int i = 0; i < 2 * model->cables; i++) {
        const haw_cable *cable = &model->cable[i / 2];
        bool *node =
            held + cable->first +
            (ptrdiff_t)cable->beam.ops->node_dofs * (i % 2 == 0 ? 0 : cable->beam.elements);
        for (int j = 0; j < 6; j++) {
            node[j] = node[j] || cable->guide[i % 2].held[j];
        }
    }
}
