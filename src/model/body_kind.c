/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How bodies move and take forces, in the plane and in space. In space orientations are moved by
 * R <- R exp(d_R); a driven body turns about its own z axis, R = R_0 exp(theta e_z), theta the
 * integral of its spin.
 */
#include "base/lie.h"
#include "model/build.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

enum { AXES = 3, PLANE = 3 };

/* ---- in the plane: x, y, angle ---- */

static void plane_move(const double *q, double h, const double *u, double *q_plus)
{
    for (int j = 0; j < PLANE; j++) {
        q_plus[j] = q[j] + h * u[j];
    }
}

static void plane_difference(const double *q, const double *q_plus, double *d)
{
    for (int j = 0; j < PLANE; j++) {
        d[j] = q_plus[j] - q[j];
    }
}

static void plane_point(const haw_body *body, const double *q, const double at[AXES],
                        haw_cable_point *point)
{
    const double *pose = q + body->first_q, c = cos(pose[2]), s = sin(pose[2]);
    const double r[2] = {c * at[0] - s * at[1], s * at[0] + c * at[1]};
    *point = (haw_cable_point){.x = {pose[0] + r[0], pose[1] + r[1]},
                               .rotation = {c, -s, 0, s, c, 0, 0, 0, 1},
                               .j = {{1, 0, -r[1]}, {0, 1, r[0]}},
                               .w = {[2] = {0, 0, 1}}};
}

static void plane_point_tangent(const haw_body *body, const double *q, const double at[AXES],
                                const double f[AXES], double *k)
{
    haw_cable_point point;
    plane_point(body, q, at, &point);
    k[PLANE * PLANE - 1] += f[0] * point.j[1][2] - f[1] * point.j[0][2];
}

static haw_status plane_pose(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    (void)model;
    memcpy(body->start, spec->position, 2 * sizeof(double));
    body->start[2] = spec->angle_deg * (M_PI / 180);
    return HAW_OK;
}

static double plane_gap(const haw_body *body, const double *q, const double x[AXES],
                        double normal[AXES])
{
    normal[2] = 0;
    return body->surface.ops->gap(&body->surface, q, x, normal);
}

static void plane_carry(const double *q, const double *q_plus, const double x[AXES],
                        double x_plus[AXES])
{
    const double c = cos(q_plus[2] - q[2]), s = sin(q_plus[2] - q[2]);
    const double l[2] = {x[0] - q[0], x[1] - q[1]};
    x_plus[0] = q_plus[0] + c * l[0] - s * l[1];
    x_plus[1] = q_plus[1] + s * l[0] + c * l[1];
    x_plus[2] = x[2];
}

/* ---- in space: x, unit quaternion; inertial velocity, body-frame angular velocity ---- */

static void space_move(const double *q, double h, const double *u, double *q_plus)
{
    for (int j = 0; j < AXES; j++) {
        q_plus[j] = q[j] + h * u[j];
    }
    so3_move(q + AXES, h, u + AXES, q_plus + AXES);
}

static void space_difference(const double *q, const double *q_plus, double *d)
{
    for (int j = 0; j < AXES; j++) {
        d[j] = q_plus[j] - q[j];
    }
    so3_difference(q + AXES, q_plus + AXES, d + AXES);
}

/* Coordinates that a joint holds stay as they were; a revolute body turns freely. */
static void space_place(const haw_body *body, double t, double *q)
{
    double pose[7];
    haw_body_driven_pose(body, t, pose);
    for (int i = 0; i < AXES; i++) { /* a vertical joint leaves z alone */
        q[i] = body->held[i] ? pose[i] : q[i];
    }
    if (body->held[3] && body->held[4] && body->held[5]) {
        memcpy(q + AXES, pose + AXES, 4 * sizeof(double));
    }
}

/* J Omega */
static void spin_momentum(const haw_body *body, const double *omega, double momentum[AXES])
{
    for (int j = 0; j < AXES; j++) {
        momentum[j] = body->mass[AXES + j] * omega[j];
    }
}

static void space_coast(const haw_body *body, double h, const double *u, double *way,
                        double *u_plus)
{
    const int spin = body->first + AXES;
    if (haw_body_turns_freely(body)) {
        so3_coast(body->mass + AXES, h, u + spin, way + spin, u_plus + spin);
    }
}

static void space_gyroscopic(const haw_body *body, const double *u, double *f)
{
    const double *omega = u + body->first + AXES;
    double momentum[AXES], moment[AXES];
    spin_momentum(body, omega, momentum);
    vec3_cross(momentum, omega, moment);
    vec3_add(1, moment, f + body->first + AXES);
}

/* C = skew(Omega) J - skew(J Omega) */
static void space_gyroscopic_tangent(const haw_body *body, const double *u, double rate,
                                     haw_entry_sink add, void *user)
{
    const double *omega = u + body->first + AXES, *inertia = body->mass + AXES;
    const int spin = body->first + AXES;
    double momentum[AXES], across[9] = {0}, along[9] = {0};
    spin_momentum(body, omega, momentum);
    mat3_add_skew(1, omega, across);
    mat3_add_skew(1, momentum, along);
    for (int k = 0; k < AXES * AXES; k++) {
        add(user, spin + k / AXES, spin + k % AXES,
            rate * (across[k] * inertia[k % AXES] - along[k]));
    }
}

/* v + R (Omega x at) */
static void space_point(const haw_body *body, const double *q, const double at[AXES],
                        haw_cable_point *point)
{
    double across[9] = {0}, arm[9];
    *point = (haw_cable_point){.x = {0}};
    quaternion_matrix(q + body->first_q + AXES, point->rotation);
    mat3_apply(point->rotation, at, point->x);
    vec3_add(1, q + body->first_q, point->x);
    mat3_add_skew(-1, at, across);
    mat3_product(point->rotation, across, arm);
    for (int i = 0; i < AXES; i++) {
        point->j[i][i] = 1;
        memcpy(&point->j[i][AXES], &arm[AXES * i], AXES * sizeof(double));
        memcpy(&point->w[i][AXES], &point->rotation[AXES * i], AXES * sizeof(double));
    }
}

/* d(at x R' f) = at x (R' f x dtheta) */
static void space_point_tangent(const haw_body *body, const double *q, const double at[AXES],
                                const double f[AXES], double *k)
{
    double rotation[9], local[AXES], arm[9] = {0}, force[9] = {0}, product[9];
    quaternion_matrix(q + body->first_q + AXES, rotation);
    mat3_apply_t(rotation, f, local);
    mat3_add_skew(1, at, arm);
    mat3_add_skew(1, local, force);
    mat3_product(arm, force, product);
    for (int ij = 0; ij < AXES * AXES; ij++) {
        k[2 * AXES * (AXES + ij / AXES) + AXES + ij % AXES] -= product[ij];
    }
}

static haw_status space_pose(haw_model *model, const haw_body_spec *spec, haw_body *body)
{
    const double *p = spec->orientation;
    const double length = hypot(hypot(p[0], p[1]), hypot(p[2], p[3]));
    if (!(length > 0) || !isfinite(length)) {
        return haw_place(model->context,
                         haw_fail(model->context, HAW_ERR_INPUT,
                                  "body '%s': its orientation must be a quaternion (w, x, y, z) "
                                  "of a length other than 0 (got length %g)",
                                  spec->name, length),
                         "bodies.%s.orientation", spec->name);
    }
    memcpy(body->start, spec->position, AXES * sizeof(double));
    for (int i = 0; i < 4; i++) {
        body->start[AXES + i] = p[i] / length;
    }
    return HAW_OK;
}

static double space_gap(const haw_body *body, const double *q, const double x[AXES],
                        double normal[AXES])
{
    const double d[AXES] = {x[0] - q[0], x[1] - q[1], x[2] - q[2]};
    double rotation[9], local[AXES];
    haw_foot foot[HAW_FEET_MAX];
    quaternion_matrix(q + AXES, rotation);
    mat3_apply_t(rotation, d, local);
    const int count = body->surface.ops->feet(&body->surface, local, HUGE_VAL, foot);
    int nearest = 0;
    for (int i = 1; i < count; i++) {
        nearest = foot[i].gap < foot[nearest].gap ? i : nearest;
    }
    if (count == 0) {
        memset(normal, 0, AXES * sizeof *normal);
        return HUGE_VAL;
    }
    mat3_apply(rotation, foot[nearest].normal, normal);
    return foot[nearest].gap;
}

static void space_carry(const double *q, const double *q_plus, const double x[AXES],
                        double x_plus[AXES])
{
    const double d[AXES] = {x[0] - q[0], x[1] - q[1], x[2] - q[2]};
    double rotation[9], local[AXES];
    quaternion_matrix(q + AXES, rotation);
    mat3_apply_t(rotation, d, local);
    quaternion_matrix(q_plus + AXES, rotation);
    mat3_apply(rotation, local, x_plus);
    for (int j = 0; j < AXES; j++) {
        x_plus[j] += q_plus[j];
    }
}

/* ---- rows ---- */

const haw_body_kind *haw_body_kind_find(int dimension)
{
    static const haw_body_kind rows[] = {
        {.dimension = 2,
         .dofs = PLANE,
         .coordinates = PLANE,
         .spin = 2,
         .turn = "angle",
         .proxy = "circle, box or capsule",
         .move = plane_move,
         .difference = plane_difference,
         .gap = plane_gap,
         .carry = plane_carry,
         .point = plane_point,
         .point_tangent = plane_point_tangent,
         .pose = plane_pose},
        {.dimension = 3,
         .dofs = 6,
         .coordinates = 7,
         .spin = 5,
         .turn = "orientation",
         .proxy = "sphere, capsule or box",
         .move = space_move,
         .difference = space_difference,
         .place = space_place,
         .coast = space_coast,
         .gyroscopic = space_gyroscopic,
         .gyroscopic_tangent = space_gyroscopic_tangent,
         .gap = space_gap,
         .carry = space_carry,
         .point = space_point,
         .point_tangent = space_point_tangent,
         .pose = space_pose},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].dimension == dimension) {
            return &rows[i];
        }
    }
    return NULL;
}
