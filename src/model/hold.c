/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints at a configuration: gaps, rows, forces and their part in the matrix. */
#include "base/lie.h"
#include "linalg/vector.h"
#include "model/joint.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { AXES = 3, ROUNDINGS = 16 };

static const double NOISE = 1e-12; /* of the largest entry of a row */

/* Directions that an angle compares, in the order of its bits. */
static const int compared[HAW_JOINT_ANGLES][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 0}, {2, 0}};

void haw_joint_rotation(const haw_model *model, const haw_spot *foot, const double *q,
                        double rotation[9])
{
    haw_cable_point point = {.rotation = {0}};
    haw_spot_find(model, foot, q, &point);
    memcpy(rotation, point.rotation, sizeof point.rotation);
}

/* Direction i of a foot, inertial. */
static void find_direction(const haw_spot *foot, const haw_cable_point *point, int i,
                           double e[AXES])
{
    const double local[AXES] = {foot->frame[i], foot->frame[AXES + i], foot->frame[2 * AXES + i]};
    mat3_apply(point->rotation, local, e);
}

static void find_angle(const haw_link *joint, const haw_cable_point point[2], int angle, int row,
                       haw_hold *hold)
{
    double a[AXES], b[AXES], axis[AXES];
    find_direction(&joint->foot[0], &point[0], compared[angle][0], a);
    find_direction(&joint->foot[1], &point[1], compared[angle][1], b);
    vec3_cross(a, b, axis);
    hold->gap[row] = vec3_dot(a, b);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1 : -1;
        for (int k = 0; k < hold->dofs[side].count; k++) {
            double sum = 0;
            for (int i = 0; i < AXES; i++) {
                sum += axis[i] * point[side].w[i][k];
            }
            hold->row[side][row][k] = sign * sum;
        }
    }
}

/*
 * What slides has rows e . (x_1 - x_0) with directions e of the first foot across the axis, whose
 * turn moves them too: d(e . d) = e . (dx_1 - dx_0) + w_0 . (e x d).
 */
static void find_slide(const haw_model *model, const haw_link *joint,
                       const haw_cable_point point[2], haw_hold *hold)
{
    double d[AXES] = {0}, e[AXES], arm[AXES];
    for (int i = 0; i < model->dimension; i++) {
        d[i] = point[1].x[i] - point[0].x[i];
    }
    for (int row = 0; row < joint->points; row++) {
        find_direction(&joint->foot[0], &point[0], row + 1, e);
        vec3_cross(e, d, arm);
        hold->gap[row] = vec3_dot(e, d);
        for (int k = 0; k < hold->dofs[0].count + hold->dofs[1].count; k++) {
            const int side = k >= hold->dofs[0].count, own = k - side * hold->dofs[0].count;
            double sum = 0;
            for (int i = 0; i < model->dimension; i++) {
                sum += (side > 0 ? e[i] : -e[i]) * point[side].j[i][own];
            }
            for (int i = 0; i < AXES && side == 0; i++) {
                sum += arm[i] * point[0].w[i][own];
            }
            hold->row[side][row][own] = sum;
        }
    }
}

static void find_points(const haw_model *model, const haw_cable_point point[2], haw_hold *hold)
{
    for (int i = 0; i < model->dimension; i++) {
        hold->gap[i] = point[1].x[i] - point[0].x[i];
        for (int k = 0; k < hold->dofs[0].count; k++) {
            hold->row[0][i][k] = -point[0].j[i][k];
        }
        for (int k = 0; k < hold->dofs[1].count; k++) {
            hold->row[1][i][k] = point[1].j[i][k];
        }
    }
}

static void find_hold(const haw_model *model, const haw_link *joint, const double *q,
                      haw_hold *hold)
{
    haw_cable_point point[2];
    int row = joint->points;
    hold->reach = 0;
    for (int side = 0; side < 2; side++) {
        hold->dofs[side] = haw_spot_dofs(model, &joint->foot[side]);
        haw_spot_find(model, &joint->foot[side], q, &point[side]);
        if (joint->foot[side].cable >= 0) {
            hold->reach = fmax(hold->reach, model->cable[joint->foot[side].cable].line.le);
        }
        for (int i = 0; i < model->dimension; i++) {
            hold->reach = fmax(hold->reach, fabs(point[side].x[i]));
            hold->reach = fmax(hold->reach, fabs(joint->foot[side].at[i]));
        }
    }
    if (joint->kind->slides) {
        find_slide(model, joint, point, hold);
    } else {
        find_points(model, point, hold);
    }
    for (int angle = 0; angle < HAW_JOINT_ANGLES; angle++) {
        if ((joint->angles >> angle & 1) != 0) {
            find_angle(joint, point, angle, row++, hold);
        }
    }
}

void haw_joints_find(const haw_model *model, const double *q, haw_hold *hold)
{
    for (int i = 0; i < model->joints; i++) {
        find_hold(model, &model->joint[i], q, &hold[i]);
    }
}

void haw_joints_move_apart(const haw_model *model, const double *q, double *way, double *apart)
{
    for (int i = 0; i < model->dofs; i++) {
        way[i] = cos(2.0 + (double)i * i);
    }
    haw_model_move(model, q, 1, way, apart);
}

/* ---- sums ---- */

/* f += factor G lambda of one foot. */
static void push_foot(const haw_hold *hold, int side, int rows, double factor, const double *lambda,
                      double *f)
{
    const haw_dofs *dofs = &hold->dofs[side];
    for (int k = 0; k < dofs->count; k++) {
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += hold->row[side][row][k] * lambda[row];
        }
        f[haw_dof_at(dofs, k)] += factor * sum;
    }
}

void haw_joints_push(const haw_model *model, const haw_hold *hold, double factor,
                     const double *lambda, double *f)
{
    for (int i = 0; i < model->joints; i++) {
        const double *own = lambda + haw_joint_first(model, i);
        push_foot(&hold[i], 0, model->joint[i].rows, factor, own, f);
        push_foot(&hold[i], 1, model->joint[i].rows, factor, own, f);
    }
}

/* G' u of one foot in one row. */
static double rate_of_foot(const haw_hold *hold, int side, int row, const double *u)
{
    const haw_dofs *dofs = &hold->dofs[side];
    double sum = 0;
    for (int k = 0; k < dofs->count; k++) {
        sum += hold->row[side][row][k] * u[haw_dof_at(dofs, k)];
    }
    return sum;
}

void haw_joints_gaps(const haw_model *model, const haw_hold *hold, double factor, double *row)
{
    for (int i = 0; i < model->joints; i++) {
        for (int k = 0; k < model->joint[i].rows; k++) {
            *row++ = factor * hold[i].gap[k];
        }
    }
}

void haw_joints_rates(const haw_model *model, const haw_hold *hold, const double *u, double *x)
{
    for (int i = 0; i < model->joints; i++) {
        for (int row = 0; row < model->joint[i].rows; row++) {
            x[haw_joint_first(model, i) + row] =
                rate_of_foot(&hold[i], 0, row, u) + rate_of_foot(&hold[i], 1, row, u);
        }
    }
}

/* The nearest velocities of the first foot that all rows ask for: one row after another, each by
 * what of it is orthogonal to those before. */
static void ride(const haw_link *joint, const haw_hold *hold, double *u)
{
    const haw_dofs *own = &hold->dofs[0];
    double part[HAW_JOINT_ROWS][HAW_CABLE_DOFS], square[HAW_JOINT_ROWS];
    for (int row = 0; row < joint->rows; row++) {
        const double rate = rate_of_foot(hold, 0, row, u) + rate_of_foot(hold, 1, row, u);
        const double *g = hold->row[0][row];
        memcpy(part[row], g, sizeof part[row]);
        for (int i = 0; i < row; i++) {
            const double along = haw_dot(own->count, part[i], g);
            haw_axpy(own->count, square[i] > 0 ? -along / square[i] : 0, part[i], part[row]);
        }
        square[row] = haw_dot(own->count, part[row], part[row]);
        for (int k = 0; k < own->count && square[row] > 0; k++) {
            u[haw_dof_at(own, k)] -= rate / square[row] * part[row][k];
        }
    }
}

void haw_joints_ride(const haw_model *model, const double *q, double *u)
{
    haw_hold hold;
    for (int i = 0; i < model->joints; i++) {
        if (model->joint[i].is_end) {
            find_hold(model, &model->joint[i], q, &hold);
            ride(&model->joint[i], &hold, u);
        }
    }
}

static bool is_free(const haw_hold *hold, int row, const bool *held)
{
    const double noise = haw_hold_noise(hold, row);
    bool any = false;
    for (int side = 0; side < 2; side++) {
        const haw_dofs *dofs = &hold->dofs[side];
        for (int k = 0; k < dofs->count; k++) {
            any = any || (!held[haw_dof_at(dofs, k)] && fabs(hold->row[side][row][k]) > noise);
        }
    }
    return any;
}

void haw_joints_rest(const haw_model *model, const double *q, bool *held)
{
    haw_hold hold;
    for (int i = 0; i < model->joints; i++) {
        find_hold(model, &model->joint[i], q, &hold);
        for (int row = 0; row < model->joint[i].rows; row++) {
            bool *own = &held[model->joint[i].first + row];
            *own = *own || !is_free(&hold, row, held);
        }
    }
}

double haw_joints_miss(const haw_model *model, const haw_hold *hold, double relative)
{
    double most = 0;
    for (int i = 0; i < model->joints; i++) {
        for (int row = 0; row < model->joint[i].rows; row++) {
            const double scale = row < model->joint[i].points ? fmax(hold[i].reach, DBL_MIN) : 1;
            const double allowed = fmax(relative, ROUNDINGS * DBL_EPSILON) * scale;
            most = fmax(most, fabs(hold[i].gap[row]) / allowed);
        }
    }
    return most;
}

double haw_joints_drift(const haw_model *model, const haw_hold *hold)
{
    double most = 0;
    for (int i = 0; i < model->joints; i++) {
        for (int row = 0; row < model->joint[i].rows; row++) {
            most = fmax(most, fabs(hold[i].gap[row]));
        }
    }
    return most;
}

/* ---- matrix ---- */

double haw_hold_noise(const haw_hold *hold, int row)
{
    double most = 0;
    for (int side = 0; side < 2; side++) {
        most = fmax(most, haw_largest(hold->dofs[side].count, hold->row[side][row]));
    }
    return NOISE * most;
}

/* The rows of one foot, or where `transposed` the columns; what is always zero has no place. */
static void add_foot(haw_system *system, const haw_link *joint, const haw_hold *hold, int side,
                     double factor, bool transposed)
{
    const haw_dofs *dofs = &hold->dofs[side];
    for (int row = 0; row < joint->rows; row++) {
        const int own = joint->first + row;
        const double noise = haw_hold_noise(hold, row), *value = hold->row[side][row];
        for (int k = 0; k < dofs->count; k++) {
            const int dof = haw_dof_at(dofs, k);
            if (fabs(value[k]) > noise) {
                haw_system_add(system, transposed ? dof : own, transposed ? own : dof,
                               -factor * value[k]);
            }
        }
    }
}

static void add_rows(haw_system *system, const haw_hold *hold, double factor, bool transposed)
{
    for (int i = 0; i < 2 * system->model->joints; i++) {
        add_foot(system, &system->model->joint[i / 2], &hold[i / 2], i % 2, factor, transposed);
    }
}

void haw_joints_add_columns(haw_system *system, const haw_hold *hold, double factor)
{
    add_rows(system, hold, factor, true);
}

void haw_joints_add_rows(haw_system *system, const haw_hold *hold)
{
    add_rows(system, hold, 1, false);
}

/* On the second foot. */
static void find_force(const haw_link *joint, const haw_cable_point *first, const double *lambda,
                       double force[AXES])
{
    memset(force, 0, AXES * sizeof *force);
    for (int row = 0; row < joint->points; row++) {
        double e[AXES] = {row == 0, row == 1, row == 2};
        if (joint->kind->slides) {
            find_direction(&joint->foot[0], first, row + 1, e);
        }
        vec3_add(lambda[row], e, force);
    }
}

void haw_joint_force(const haw_model *model, const haw_link *joint, const double *q,
                     const double *lambda, double force[AXES])
{
    haw_cable_point first = {.x = {0}};
    haw_spot_find(model, &joint->foot[0], q, &first);
    find_force(joint, &first, lambda, force);
}

/* Of the forces that hold the points together. */
static void add_arms(haw_system *system, const haw_link *joint, const double *q, double factor,
                     const double force[AXES])
{
    for (int side = 0; side < 2; side++) {
        double f[AXES] = {0};
        for (int i = 0; i < system->model->dimension; i++) {
            f[i] = (side == 0 ? -factor : factor) * force[i];
        }
        haw_spot_add_turn(system, &joint->foot[side], q, f);
    }
}

/* Matrix += left' m right over the degrees of freedom of two feet. */
static void add_product(haw_system *system, const haw_dofs *of, double left[AXES][HAW_CABLE_DOFS],
                        const haw_dofs *by, double right[AXES][HAW_CABLE_DOFS], const double m[9])
{
    for (int a = 0; a < of->count; a++) {
        for (int b = 0; b < by->count; b++) {
            double sum = 0;
            for (int ij = 0; ij < AXES * AXES; ij++) {
                sum += left[ij / AXES][a] * m[ij] * right[ij % AXES][b];
            }
            if (sum != 0) {
                haw_system_add(system, haw_dof_at(of, a), haw_dof_at(by, b), sum);
            }
        }
    }
}

/* Of the change of w' of a tangent with the direction itself, less what is in add_angle: w' (w x m)
 * vanishes for moments across the tangent. */
static void add_tangent(haw_system *system, const haw_spot *foot, const double *q, double mu,
                        const double moment[AXES])
{
    if (foot->is_tangent) {
        const haw_cable *cable = &system->model->cable[foot->cable];
        const haw_dofs dofs = cable->ops->dofs(cable, foot->element);
        const double m[AXES] = {mu * moment[0], mu * moment[1], mu * moment[2]};
        double k[HAW_CABLE_DOFS * HAW_CABLE_DOFS] = {0};
        haw_cable_direct_tangent(cable, foot->element, foot->s, q, m, k);
        haw_system_add_block(system, &dofs, k);
    }
}

/*
 * Of a moment mu a x b on the first foot and its opposite on the second. With skew matrices A, B of
 * the two directions and body-frame angular velocities, whose w = R turns with the foot,
 *
 *     -d(w_0' mu a x b)  = -mu w_0' A B (w_0 - w_1),
 *     +d(w_1' mu a x b)  =  mu w_1' B A (w_0 - w_1).
 */
static void add_angle(haw_system *system, const haw_link *joint, const double *q,
                      haw_cable_point point[2], int angle, double mu)
{
    double direction[2][AXES], skew[2][9] = {{0}, {0}}, moment[AXES];
    haw_dofs dofs[2];
    for (int side = 0; side < 2; side++) {
        dofs[side] = haw_spot_dofs(system->model, &joint->foot[side]);
        find_direction(&joint->foot[side], &point[side], compared[angle][side], direction[side]);
        mat3_add_skew(1, direction[side], skew[side]);
    }
    vec3_cross(direction[0], direction[1], moment);
    for (int side = 0; side < 2; side++) {
        double product[9];
        mat3_product(skew[side], skew[1 - side], product);
        for (int other = 0; other < 2; other++) {
            double m[9];
            for (int k = 0; k < 9; k++) {
                m[k] = (side == other ? -mu : mu) * product[k];
            }
            add_product(system, &dofs[side], point[side].w, &dofs[other], point[other].w, m);
        }
        add_tangent(system, &joint->foot[side], q, side == 0 ? mu : -mu, moment);
    }
}

/*
 * What slides: F = sum lambda e turns with the first foot and acts there at the second one's point,
 * with the moment F x d about its own. With the skew matrix of F, beside what arms add,
 *
 *     -d( J_1' F)          =  J_1' skew(F) w_0,
 *     -d(-J_0' F)          = -J_0' skew(F) w_0,
 *     -d( w_0' (F x d))    = -w_0' [ skew(F) (J_1 - J_0) + (d F' - (d . F) I) w_0 ].
 */
static void add_slide(haw_system *system, const haw_link *joint, haw_cable_point point[2],
                      const double force[AXES])
{
    double skew[9] = {0}, minus[9] = {0}, turn[9], d[AXES];
    const haw_dofs dofs[2] = {haw_spot_dofs(system->model, &joint->foot[0]),
                              haw_spot_dofs(system->model, &joint->foot[1])};
    for (int i = 0; i < AXES; i++) {
        d[i] = point[1].x[i] - point[0].x[i];
    }
    for (int ij = 0; ij < AXES * AXES; ij++) {
        turn[ij] = -d[ij / AXES] * force[ij % AXES];
        turn[ij] += ij % (AXES + 1) == 0 ? vec3_dot(d, force) : 0;
    }
    mat3_add_skew(1, force, skew);
    mat3_add_skew(-1, force, minus);
    add_product(system, &dofs[1], point[1].j, &dofs[0], point[0].w, skew);
    add_product(system, &dofs[0], point[0].j, &dofs[0], point[0].w, minus);
    add_product(system, &dofs[0], point[0].w, &dofs[1], point[1].j, minus);
    add_product(system, &dofs[0], point[0].w, &dofs[0], point[0].j, skew);
    add_product(system, &dofs[0], point[0].w, &dofs[0], point[0].w, turn);
}

void haw_joints_add_stiffness(haw_system *system, const double *q, double factor,
                              const double *lambda)
{
    const haw_model *model = system->model;
    for (int i = 0; i < model->joints; i++) {
        const haw_link *joint = &model->joint[i];
        const double *own = lambda + haw_joint_first(model, i);
        haw_cable_point point[2] = {{.x = {0}}};
        double force[AXES];
        int row = joint->points;
        for (int side = 0; side < 2 && joint->rows > row; side++) {
            haw_spot_find(model, &joint->foot[side], q, &point[side]);
        }
        find_force(joint, &point[0], own, force);
        add_arms(system, joint, q, factor, force);
        for (int k = 0; k < AXES; k++) {
            force[k] *= factor;
        }
        if (joint->kind->slides) {
            add_slide(system, joint, point, force);
        }
        for (int angle = 0; angle < HAW_JOINT_ANGLES; angle++) {
            if ((joint->angles >> angle & 1) != 0) {
                add_angle(system, joint, q, point, angle, factor * own[row++]);
            }
        }
    }
}
