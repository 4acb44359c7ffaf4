/* SPDX-License-Identifier: BSD-3-Clause */
/* Given forces and springs: forces, energies, tangents. */
#include "model/system.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 }; /* in the plane the last component is 0 */

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

enum { FOOT_DOFS = HAW_SPRING_DOFS / 2 };

/* A point that springs act on: a material point, the centre of a body, a place on the ground. */
typedef struct point {
    double x[AXES];
    int count; /* degrees of freedom that move it */
    int dof[FOOT_DOFS];
    double j[AXES][FOOT_DOFS]; /* dx/dt = j u */
} point;

/* Degrees of freedom of a foot; of a material point as columns of its element too. */
static int list_dofs(const haw_model *model, const haw_spring_foot *foot, int *column, int *dof)
{
    int count = 0;
    if (foot->cable >= 0) {
        const haw_cable *cable = &model->cable[foot->cable];
        const haw_dofs dofs = cable->ops->dofs(cable, foot->element);
        count = cable->ops->anchor(cable, foot->s, column);
        for (int a = 0; a < count; a++) {
            dof[a] = haw_dof_at(&dofs, column[a]);
        }
    } else if (foot->body >= 0) {
        for (; count < model->dimension; count++) {
            column[count] = count;
            dof[count] = model->body[foot->body].first + count;
        }
    }
    return count;
}

static void find_point(const haw_model *model, const haw_spring_foot *foot, const double *q,
                       point *p)
{
    int column[FOOT_DOFS];
    memset(p, 0, sizeof *p);
    p->count = list_dofs(model, foot, column, p->dof);
    if (foot->cable >= 0) {
        haw_cable_point at;
        const haw_cable *cable = &model->cable[foot->cable];
        cable->ops->point(cable, foot->element, foot->s, q, NULL, HAW_POINT_JACOBIAN, &at);
        memcpy(p->x, at.x, sizeof p->x);
        for (int k = 0; k < model->dimension * p->count; k++) {
            const int i = k / p->count, a = k % p->count;
            p->j[i][a] = at.j[i][column[a]];
        }
        return;
    }
    for (int i = 0; i < model->dimension; i++) {
        p->x[i] = foot->body >= 0 ? q[model->body[foot->body].first_q + i] : foot->at[i];
        p->j[i][i] = foot->body >= 0 ? 1 : 0;
    }
}

static void find_rate(const point *p, const double *u, double v[AXES])
{
    for (int i = 0; i < AXES; i++) {
        v[i] = 0;
        for (int a = 0; a < p->count; a++) {
            v[i] += p->j[i][a] * u[p->dof[a]];
        }
    }
}

static void push(const point *p, double factor, const double force[AXES], double *f)
{
    for (int a = 0; a < p->count; a++) {
        for (int i = 0; i < AXES; i++) {
            f[p->dof[a]] += factor * p->j[i][a] * force[i];
        }
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
    pull p = {.length = 0};
    double v[2][AXES] = {{0}};
    for (int k = 0; k < 2; k++) {
        find_point(model, &spring->foot[k], q, &p.foot[k]);
        if (u != NULL) {
            find_rate(&p.foot[k], u, v[k]);
        }
    }
    for (int i = 0; i < AXES; i++) {
        p.d[i] = p.foot[1].x[i] - p.foot[0].x[i];
        p.rate[i] = v[1][i] - v[0][i];
    }
    p.length = hypot(hypot(p.d[0], p.d[1]), p.d[2]);
    p.is_directed = spring->length > 0 && p.length > 0;
    for (int i = 0; i < AXES && p.is_directed; i++) {
        p.e[i] = p.d[i] / p.length;
    }
    return p;
}

/* Rate of the length. */
static double stretching(const pull *p)
{
    return p->e[0] * p->rate[0] + p->e[1] * p->rate[1] + p->e[2] * p->rate[2];
}

static void find_forces(const haw_spring *spring, const pull *p, double elastic[AXES],
                        double viscous[AXES])
{
    for (int j = 0; j < AXES; j++) {
        elastic[j] = spring->stiffness * (p->d[j] - spring->length * p->e[j]);
        viscous[j] = spring->damping * (p->is_directed ? stretching(p) * p->e[j] : p->rate[j]);
    }
}

void haw_springs_apply(const haw_model *model, const double *q, const double *u,
                       const haw_forces *forces)
{
    for (int i = 0; i < model->springs; i++) {
        const haw_spring *spring = &model->spring[i];
        const pull p = find_pull(model, spring, q, u);
        double elastic[AXES], viscous[AXES];
        find_forces(spring, &p, elastic, viscous);
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
    int column[FOOT_DOFS];
    const int count = list_dofs(model, &spring->foot[0], column, dof);
    return count + list_dofs(model, &spring->foot[1], column, dof + count);
}

/* Matrix += -d(j' f)/dq of the force f on a foot, where j turns with the element. */
static void add_turning(haw_system *system, const haw_spring_foot *foot, const double f[AXES],
                        const double *q)
{
    double k[HAW_CABLE_DOFS * HAW_CABLE_DOFS] = {0};
    const haw_cable *cable = foot->cable >= 0 ? &system->model->cable[foot->cable] : NULL;
    if (cable != NULL && cable->ops->point_tangent != NULL) {
        cable->ops->point_tangent(cable, foot->element, foot->s, q, f, k);
        haw_system_add_element(system, foot->cable, foot->element, k);
    }
}

/* With the rates j of d, those of the first foot negative, the block is j' G j. */
static void add_pull(haw_system *system, const haw_spring *spring, const pull *p, double rate)
{
    int dof[HAW_SPRING_DOFS];
    double j[AXES][HAW_SPRING_DOFS] = {{0}}, k[HAW_SPRING_DOFS * HAW_SPRING_DOFS], g[AXES][AXES];
    const int first = p->foot[0].count, count = first + p->foot[1].count;
    spring_tangent(spring, p, rate, g);
    for (int a = 0; a < count; a++) {
        const int foot = a < first ? 0 : 1, at = a - foot * first;
        dof[a] = p->foot[foot].dof[at];
        for (int i = 0; i < AXES; i++) {
            j[i][a] = foot == 0 ? -p->foot[0].j[i][at] : p->foot[1].j[i][at];
        }
    }
    for (int ab = 0; ab < count * count; ab++) {
        const int a = ab / count, b = ab % count;
        k[ab] = 0;
        for (int il = 0; il < AXES * AXES; il++) {
            k[ab] += j[il / AXES][a] * g[il / AXES][il % AXES] * j[il % AXES][b];
        }
    }
    haw_system_add_block(system, &(haw_dofs){.count = count, .list = dof}, k);
}

void haw_springs_tangent(haw_system *system, const double *q, const double *u, double rate)
{
    const haw_model *model = system->model;
    for (int s = 0; s < model->springs; s++) {
        const haw_spring *spring = &model->spring[s];
        const pull p = find_pull(model, spring, q, u);
        double elastic[AXES], viscous[AXES], force[2][AXES];
        find_forces(spring, &p, elastic, viscous);
        for (int i = 0; i < AXES; i++) {
            force[0][i] = elastic[i] + viscous[i];
            force[1][i] = -force[0][i];
        }
        add_pull(system, spring, &p, rate);
        add_turning(system, &spring->foot[0], force[0], q);
        add_turning(system, &spring->foot[1], force[1], q);
    }
}
