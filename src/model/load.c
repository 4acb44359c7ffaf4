/* SPDX-License-Identifier: BSD-3-Clause */
/* Given forces and springs: forces, energies, tangents. */
#include "model/system.h"

#include <math.h>

enum { AXES = 2 };

/* ---- given forces ---- */

static haw_wrench wrench_of(const haw_load *load, double t)
{
    haw_wrench wrench = {.follows = load->follows};
    for (int j = 0; j < 3; j++) {
        wrench.force[j] = haw_function_value(&load->force[j], t);
        wrench.moment[j] = haw_function_value(&load->moment[j], t);
    }
    return wrench;
}

void haw_loads_apply(const haw_model *model, double t, const double *q, double *f)
{
    for (int i = 0; i < model->loads; i++) {
        const haw_load *load = &model->load[i];
        const haw_wrench wrench = wrench_of(load, t);
        if (load->cable < 0) {
            model->kind->load(&model->body[load->body], &wrench, q, f);
        } else {
            const haw_cable *cable = &model->cable[load->cable];
            cable->ops->load(cable, load->element, load->s, &wrench, q, f);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->pull != NULL) {
            cable->ops->pull(cable, t, q, f);
        }
    }
}

void haw_loads_tangent(haw_system *system, const double *q)
{
    const haw_model *model = system->model;
    const double t = system->t, part = system->part;
    for (int i = 0; i < model->loads; i++) {
        const haw_load *load = &model->load[i];
        const haw_wrench wrench = wrench_of(load, t);
        if (load->cable >= 0) {
            const haw_cable *cable = &model->cable[load->cable];
            cable->ops->load_tangent(cable, load->element, load->s, &wrench, part, q,
                                     haw_system_add, system);
        } else if (model->kind->load_tangent != NULL) {
            model->kind->load_tangent(&model->body[load->body], &wrench, part, q, haw_system_add,
                                      system);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->pull_tangent != NULL) {
            cable->ops->pull_tangent(cable, t, part, q, haw_system_add, system);
        }
    }
}

/* ---- places of springs ---- */

/* A point that springs act on: an anchor, or a place on the ground. */
typedef struct point {
    haw_anchor on;
    double at[AXES];
} point;

static point foot_point(const haw_model *model, const haw_spring_foot *foot)
{
    point p = {.at = {foot->at[0], foot->at[1]}};
    if (foot->cable >= 0) {
        const haw_cable *cable = &model->cable[foot->cable];
        (void)cable->ops->anchor(cable, foot->element, foot->s, &p.on); /* checked by the build */
        p.at[0] = p.at[1] = 0;
    } else if (foot->body >= 0) {
        p = (point){.on = {.count = 1, .dof = model->body[foot->body].first, .weight = {1}}};
    }
    return p;
}

static void combine(const point *p, const double *q, double x[AXES])
{
    for (int a = 0; a < p->on.count; a++) {
        x[0] += p->on.weight[a] * q[p->on.dof + AXES * a];
        x[1] += p->on.weight[a] * q[p->on.dof + AXES * a + 1];
    }
}

static void push(const point *p, double factor, const double force[AXES], double *f)
{
    for (int a = 0; a < p->on.count; a++) {
        f[p->on.dof + AXES * a] += factor * p->on.weight[a] * force[0];
        f[p->on.dof + AXES * a + 1] += factor * p->on.weight[a] * force[1];
    }
}

/* Degrees of freedom that move a point, and by how much along their axes times `sign`; nodes that
 * it does not lie between have no part in it. @return their number */
static int list_dofs(const point *p, double sign, int *dof, double *weight)
{
    int count = 0;
    for (int k = 0; k < AXES * p->on.count; k++) {
        if (p->on.weight[k / AXES] != 0) {
            dof[count] = p->on.dof + k;
            weight[count++] = sign * p->on.weight[k / AXES];
        }
    }
    return count;
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
        combine(&p.foot[k], q, x[k]);
        if (u != NULL) {
            combine(&p.foot[k], u, v[k]);
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
            push(&p.foot[k], sign, elastic, forces->conservative);
            push(&p.foot[k], sign, viscous, forces->damping);
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

int haw_spring_dofs(const haw_model *model, const haw_spring *spring, int *dof)
{
    double weight[HAW_SPRING_DOFS];
    const point foot[2] = {foot_point(model, &spring->foot[0]),
                           foot_point(model, &spring->foot[1])};
    const int count = list_dofs(&foot[0], -1, dof, weight);
    return count + list_dofs(&foot[1], 1, dof + count, weight);
}

/* With d = sum_a weight_a x_a the block is weight_a weight_b G_ij, i and j the axes of a and b. */
void haw_springs_tangent(haw_system *system, const double *q, const double *u, double rate)
{
    const haw_model *model = system->model;
    for (int s = 0; s < model->springs; s++) {
        const haw_spring *spring = &model->spring[s];
        const pull p = find_pull(model, spring, q, u);
        int dof[HAW_SPRING_DOFS];
        double weight[HAW_SPRING_DOFS], k[HAW_SPRING_DOFS * HAW_SPRING_DOFS], g[AXES][AXES];
        const int first = list_dofs(&p.foot[0], -1, dof, weight);
        const int count = first + list_dofs(&p.foot[1], 1, dof + first, weight + first);
        spring_tangent(spring, &p, rate, g);
        for (int ab = 0; ab < count * count; ab++) {
            const int a = ab / count, b = ab % count;
            k[ab] = weight[a] * weight[b] * g[a % AXES][b % AXES];
        }
        haw_system_add_block(system, &(haw_dofs){.count = count, .list = dof}, k);
    }
}
