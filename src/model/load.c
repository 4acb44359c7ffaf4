/* SPDX-License-Identifier: BSD-3-Clause */
/* Given forces and springs: forces, energies, tangents. */
#include "base/lie.h"
#include "model/system.h"

#include <math.h>
#include <string.h>

enum { AXES = 3 }; /* in the plane the last component is 0 */

/* A spot at one configuration: dx/dt = j u, and the angular velocity w u. */
typedef struct grip {
    haw_cable_point at;
    haw_dofs dofs;
} grip;

static void take_hold(const haw_model *model, const haw_spot *spot, const double *q, grip *g)
{
    g->dofs = haw_spot_dofs(model, spot);
    haw_spot_find(model, spot, q, &g->at);
}

/* A force and a moment, inertial [N, N m]. */
typedef struct wrench {
    double force[AXES], moment[AXES];
} wrench;

/* f += factor (j' F + w' M): a dead moment M becomes R' M over a body-frame angular velocity. */
static void push(const grip *g, double factor, const wrench *w, double *f)
{
    for (int a = 0; a < g->dofs.count; a++) {
        const int dof = haw_dof_at(&g->dofs, a);
        for (int i = 0; i < AXES; i++) {
            f[dof] += factor * (g->at.j[i][a] * w->force[i] + g->at.w[i][a] * w->moment[i]);
        }
    }
}

/* ---- given forces ---- */

/* Following forces have constant components in the frame of the section or body. */
static wrench wrench_of(const haw_load *load, double t, const grip *g)
{
    wrench w;
    for (int i = 0; i < AXES; i++) {
        w.force[i] = haw_function_value(&load->force[i], t);
        w.moment[i] = haw_function_value(&load->moment[i], t);
    }
    if (load->follows) {
        const wrench local = w;
        mat3_apply(g->at.rotation, local.force, w.force);
        mat3_apply(g->at.rotation, local.moment, w.moment);
    }
    return w;
}

void haw_loads_apply(const haw_model *model, double t, const double *q, double *f)
{
    for (int i = 0; i < model->loads; i++) {
        grip g;
        take_hold(model, &model->load[i].spot, q, &g);
        const wrench w = wrench_of(&model->load[i], t, &g);
        push(&g, 1, &w, f);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->pull != NULL) {
            cable->ops->pull(cable, t, q, f);
        }
    }
}

/* Matrix += j' skew(x) w of a force that turns, or -w' skew(x) w of a moment that does not. */
static void couple(haw_system *system, const grip *g, bool is_force, const double given[AXES])
{
    const double(*row)[HAW_CABLE_DOFS] = is_force ? g->at.j : g->at.w;
    const double factor = is_force ? 1 : -1;
    const double x[AXES] = {system->part * given[0], system->part * given[1],
                            system->part * given[2]};
    for (int b = 0; b < g->dofs.count; b++) {
        const double w[AXES] = {g->at.w[0][b], g->at.w[1][b], g->at.w[2][b]};
        double change[AXES];
        vec3_cross(x, w, change);
        for (int a = 0; a < g->dofs.count; a++) {
            const double entry =
                row[0][a] * change[0] + row[1][a] * change[1] + row[2][a] * change[2];
            if (entry != 0) {
                haw_system_add(system, haw_dof_at(&g->dofs, a), haw_dof_at(&g->dofs, b),
                               factor * entry);
            }
        }
    }
}

/* Stiffness of a moment on a tangent, whose w depends on q. */
static void add_tangent(haw_system *system, const haw_spot *spot, const double *q,
                        const double moment[AXES])
{
    const haw_dofs dofs = haw_spot_dofs(system->model, spot);
    const double m[AXES] = {system->part * moment[0], system->part * moment[1],
                            system->part * moment[2]};
    double k[HAW_CABLE_DOFS * HAW_CABLE_DOFS] = {0};
    haw_cable_direct_tangent(&system->model->cable[spot->cable], spot->element, spot->s, q, m, k);
    haw_system_add_block(system, &dofs, k);
}

/*
 * A force that follows turns: dF = w x F, -d(j' F) = j' skew(F) w. A dead moment does not while
 * w = R over the body-frame angular velocity of a section or body does: d(R' M) = skew(R' M)
 * dtheta; one that follows has constant components. The change of j and w between the nodes of an
 * element is left out.
 */
void haw_loads_tangent(haw_system *system, const double *q)
{
    const haw_model *model = system->model;
    for (int i = 0; i < model->loads; i++) {
        const haw_load *load = &model->load[i];
        grip g;
        take_hold(model, &load->spot, q, &g);
        const wrench w = wrench_of(load, system->t, &g);
        if (load->follows) {
            couple(system, &g, true, w.force);
        } else if (!load->spot.is_tangent) {
            couple(system, &g, false, w.moment);
        }
        if (load->spot.is_tangent) {
            add_tangent(system, &load->spot, q, w.moment);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->pull_tangent != NULL) {
            cable->ops->pull_tangent(cable, system->t, system->part, q, haw_system_add, system);
        }
    }
}

/* ---- springs ---- */

/* A spring at one state: d from the first foot to the second, its rate, length and direction. */
typedef struct pull {
    grip foot[2];
    double d[AXES], rate[AXES];
    double length, e[AXES];
    bool is_directed; /* false: of length zero, or its feet coincide */
} pull;

/* @param u  NULL: at rest */
static void find_pull(const haw_model *model, const haw_spring *spring, const double *q,
                      const double *u, pull *p)
{
    double v[2][AXES] = {{0}};
    for (int k = 0; k < 2; k++) {
        const grip *g = &p->foot[k];
        take_hold(model, &spring->foot[k], q, &p->foot[k]);
        for (int i = 0; i < AXES * g->dofs.count && u != NULL; i++) {
            v[k][i % AXES] += g->at.j[i % AXES][i / AXES] * u[haw_dof_at(&g->dofs, i / AXES)];
        }
    }
    for (int i = 0; i < AXES; i++) {
        p->d[i] = p->foot[1].at.x[i] - p->foot[0].at.x[i];
        p->rate[i] = v[1][i] - v[0][i];
    }
    p->length = hypot(hypot(p->d[0], p->d[1]), p->d[2]);
    p->is_directed = spring->length > 0 && p->length > 0;
    for (int i = 0; i < AXES; i++) {
        p->e[i] = p->is_directed ? p->d[i] / p->length : 0;
    }
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
        wrench elastic = {{0}, {0}}, viscous = {{0}, {0}};
        pull p;
        find_pull(model, spring, q, u, &p);
        find_forces(spring, &p, elastic.force, viscous.force);
        for (int k = 0; k < 2; k++) {
            const double sign = k == 0 ? 1 : -1;
            push(&p.foot[k], sign, &elastic, forces->conservative);
            push(&p.foot[k], sign, &viscous, forces->damping);
        }
    }
}

double haw_model_spring_energy(const haw_model *model, const double *q)
{
    double energy = 0;
    for (int i = 0; i < model->springs; i++) {
        const haw_spring *spring = &model->spring[i];
        pull p;
        find_pull(model, spring, q, NULL, &p);
        const double stretch = p.length - spring->length;
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

/* The rates j of d by the degrees of freedom that move a foot; those of the first are negative.
 * @return the number of these */
static int gather(const pull *p, int *dof, double j[AXES][HAW_SPRING_DOFS])
{
    int count = 0;
    for (int foot = 0; foot < 2; foot++) {
        const grip *g = &p->foot[foot];
        for (int a = 0; a < g->dofs.count; a++) {
            bool moves = false;
            for (int i = 0; i < AXES; i++) {
                moves = moves || g->at.j[i][a] != 0;
                j[i][count] = foot == 0 ? -g->at.j[i][a] : g->at.j[i][a];
            }
            dof[count] = haw_dof_at(&g->dofs, a);
            count += moves ? 1 : 0;
        }
    }
    return count;
}

int haw_spring_dofs(const haw_model *model, const haw_spring *spring, const double *q, int *dof)
{
    double j[AXES][HAW_SPRING_DOFS];
    pull p;
    find_pull(model, spring, q, NULL, &p);
    return gather(&p, dof, j);
}

/* The block is j' G j with the rates j of d. */
static void add_pull(haw_system *system, const haw_spring *spring, const pull *p, double rate)
{
    int dof[HAW_SPRING_DOFS];
    double j[AXES][HAW_SPRING_DOFS], k[HAW_SPRING_DOFS * HAW_SPRING_DOFS], g[AXES][AXES];
    const int count = gather(p, dof, j);
    spring_tangent(spring, p, rate, g);
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
        double elastic[AXES], viscous[AXES], force[2][AXES];
        pull p;
        find_pull(model, spring, q, u, &p);
        find_forces(spring, &p, elastic, viscous);
        for (int i = 0; i < AXES; i++) {
            force[0][i] = elastic[i] + viscous[i];
            force[1][i] = -force[0][i];
        }
        add_pull(system, spring, &p, rate);
        haw_spot_add_turn(system, &spring->foot[0], q, force[0]);
        haw_spot_add_turn(system, &spring->foot[1], q, force[1]);
    }
}
