/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and springs: forces, energies, tangents. */
#include "model/load.h"

#include <math.h>

enum { AXES = 2 };

/* A point that forces act on: x = at + sum_a weight[a] z_a with z_a = q[dof + 2 a], [+ 1]. */
typedef struct point {
    int count, dof;
    double weight[HAW_HULL_MAX], slope[HAW_HULL_MAX];
    double at[AXES];
} point;

static point cable_point(const haw_model *model, int i, int element, double s)
{
    const haw_cable *cable = &model->cable[i];
    const haw_element_ops *ops = cable->line.ops;
    point p = {.count = ops->dofs / AXES, .dof = cable->first + ops->stride * element};
    ops->basis(&cable->line, s, p.weight, p.slope);
    return p;
}

static point body_point(const haw_model *model, int i)
{
    return (point){.count = 1, .dof = model->body[i].first, .weight = {1}};
}

static point foot_point(const haw_model *model, const haw_spring_foot *foot)
{
    if (foot->cable >= 0) {
        return cable_point(model, foot->cable, foot->element, foot->s);
    }
    return foot->body >= 0 ? body_point(model, foot->body)
                           : (point){.at = {foot->at[0], foot->at[1]}};
}

static void combine(const point *p, const double weight[HAW_HULL_MAX], const double *q,
                    double x[AXES])
{
    for (int a = 0; a < p->count; a++) {
        x[0] += weight[a] * q[p->dof + AXES * a];
        x[1] += weight[a] * q[p->dof + AXES * a + 1];
    }
}

static void push(const point *p, const double weight[HAW_HULL_MAX], double factor,
                 const double force[AXES], double *f)
{
    for (int a = 0; a < p->count; a++) {
        f[p->dof + AXES * a] += factor * weight[a] * force[0];
        f[p->dof + AXES * a + 1] += factor * weight[a] * force[1];
    }
}

/* Matrix += factor weight_a weight_b G over the degrees of freedom of two points. */
static void couple(haw_system *system, const point *row, const double *row_weight,
                   const point *column, const double *column_weight, double g[AXES][AXES])
{
    for (int k = 0; k < row->count * column->count; k++) {
        const int a = k / column->count, b = k % column->count;
        const double product = row_weight[a] * column_weight[b];
        for (int ij = 0; ij < AXES * AXES; ij++) {
            const int i = ij / AXES, j = ij % AXES;
            haw_system_add(system, row->dof + AXES * a + i, column->dof + AXES * b + j,
                           product * g[i][j]);
        }
    }
}

/* ---- loads ---- */

/* M (-x'_y, x'_x) / |x'|^2, conjugate to the slopes of a cable. */
static void apply_moment(const point *p, double moment, const double *q, double *f)
{
    double x[AXES] = {0, 0};
    combine(p, p->slope, q, x);
    const double square = x[0] * x[0] + x[1] * x[1];
    const double force[AXES] = {-x[1] / square, x[0] / square};
    push(p, p->slope, moment, force, f);
}

static void apply(const haw_model *model, const haw_load *load, double t, const double *q,
                  double *f)
{
    const double moment = haw_function_value(&load->moment[2], t);
    const double force[AXES] = {haw_function_value(&load->force[0], t),
                                haw_function_value(&load->force[1], t)};
    if (load->cable < 0) {
        const point p = body_point(model, load->body);
        push(&p, p.weight, 1, force, f);
        f[p.dof + AXES] += moment;
        return;
    }
    const point p = cable_point(model, load->cable, load->element, load->s);
    push(&p, p.weight, 1, force, f);
    if (moment != 0) {
        apply_moment(&p, moment, q, f);
    }
}

void haw_loads_apply(const haw_model *model, double t, const double *q, double *f)
{
    for (int i = 0; i < model->loads; i++) {
        apply(model, &model->load[i], t, q, f);
    }
}

/* -df/dx' = -M (J - 2 J t t') / |x'|^2 with J = [0 -1; 1 0]: symmetric, the tangent's angle is a
 * potential. */
void haw_loads_tangent(haw_system *system, const double *q)
{
    const haw_model *model = system->model;
    for (int i = 0; i < model->loads; i++) {
        const haw_load *load = &model->load[i];
        const double moment = system->part * haw_function_value(&load->moment[2], system->t);
        if (load->cable < 0 || moment == 0) {
            continue;
        }
        const point p = cable_point(model, load->cable, load->element, load->s);
        double x[AXES] = {0, 0};
        combine(&p, p.slope, q, x);
        const double square = x[0] * x[0] + x[1] * x[1];
        const double factor = -moment / (square * square);
        const double sheer = 2 * factor * x[0] * x[1];
        const double twist = factor * (x[0] * x[0] - x[1] * x[1]);
        double g[AXES][AXES] = {{sheer, -twist}, {-twist, -sheer}};
        couple(system, &p, p.slope, &p, p.slope, g);
    }
}

/* ---- springs ---- */

/* A spring at one state: d from the first foot to the second, its rate, length and direction. */
typedef struct pull {
    point foot[2];
    double d[AXES], rate[AXES];
    double length, e[AXES];
    bool is_directed; /* false: of length zero, or its feet coincide */
} pull;

static pull find_pull(const haw_model *model, const haw_spring *spring, const double *q,
                      const double *u)
{
    pull p = {.foot = {foot_point(model, &spring->foot[0]), foot_point(model, &spring->foot[1])}};
    double x[2][AXES], v[2][AXES] = {{0, 0}, {0, 0}};
    for (int k = 0; k < 2; k++) {
        x[k][0] = p.foot[k].at[0];
        x[k][1] = p.foot[k].at[1];
        combine(&p.foot[k], p.foot[k].weight, q, x[k]);
        if (u != NULL) {
            combine(&p.foot[k], p.foot[k].weight, u, v[k]);
        }
    }
    for (int i = 0; i < AXES; i++) {
        p.d[i] = x[1][i] - x[0][i];
        p.rate[i] = v[1][i] - v[0][i];
    }
    p.length = hypot(p.d[0], p.d[1]);
    p.is_directed = spring->length > 0 && p.length > 0;
    for (int i = 0; i < AXES && p.is_directed; i++) {
        p.e[i] = p.d[i] / p.length;
    }
    return p;
}

/* Rate of the length. */
static double stretching(const pull *p)
{
    return p->e[0] * p->rate[0] + p->e[1] * p->rate[1];
}

void haw_springs_apply(const haw_model *model, const double *q, const double *u,
                       const haw_forces *forces)
{
    for (int i = 0; i < model->springs; i++) {
        const haw_spring *spring = &model->spring[i];
        const pull p = find_pull(model, spring, q, u);
        double elastic[AXES], viscous[AXES];
        for (int j = 0; j < AXES; j++) {
            elastic[j] = spring->stiffness * (p.d[j] - spring->length * p.e[j]);
            viscous[j] = spring->damping * (p.is_directed ? stretching(&p) * p.e[j] : p.rate[j]);
        }
        for (int k = 0; k < 2; k++) {
            const double sign = k == 0 ? 1 : -1;
            push(&p.foot[k], p.foot[k].weight, sign, elastic, forces->conservative);
            push(&p.foot[k], p.foot[k].weight, sign, viscous, forces->damping);
        }
    }
}

double haw_model_spring_energy(const haw_model *model, const double *q)
{
    double energy = 0;
    for (int i = 0; i < model->springs; i++) {
        const haw_spring *spring = &model->spring[i];
        const double stretch = find_pull(model, spring, q, NULL).length - spring->length;
        energy += 0.5 * spring->stiffness * stretch * stretch;
    }
    return energy;
}

/* d(force)/dd + rate d(force)/d(dd/dt) of the pull on the first foot. */
static void spring_tangent(const haw_spring *spring, const pull *p, double rate,
                           double g[AXES][AXES])
{
    const double k = spring->stiffness, c = spring->damping;
    const double v = stretching(p), inverse = p->is_directed ? 1 / p->length : 0;
    for (int ij = 0; ij < AXES * AXES; ij++) {
        const int i = ij / AXES, j = ij % AXES;
        const double along = p->e[i] * p->e[j], one = i == j ? 1 : 0, across = one - along;
        if (!p->is_directed) {
            g[i][j] = (k + rate * c) * one;
            continue;
        }
        g[i][j] = k * (along + (1 - spring->length * inverse) * across) + rate * c * along +
                  c * inverse * (v * across + p->e[i] * (p->rate[j] - v * p->e[j]));
    }
}

void haw_springs_tangent(haw_system *system, const double *q, const double *u, double rate)
{
    const haw_model *model = system->model;
    for (int i = 0; i < model->springs; i++) {
        const haw_spring *spring = &model->spring[i];
        const pull p = find_pull(model, spring, q, u);
        double g[AXES][AXES], opposite[AXES][AXES];
        spring_tangent(spring, &p, rate, g);
        for (int ij = 0; ij < AXES * AXES; ij++) {
            opposite[ij / AXES][ij % AXES] = -g[ij / AXES][ij % AXES];
        }
        for (int k = 0; k < 4; k++) {
            const point *row = &p.foot[k / 2], *column = &p.foot[k % 2];
            couple(system, row, row->weight, column, column->weight, k / 2 == k % 2 ? g : opposite);
        }
    }
}
