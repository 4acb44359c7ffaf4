/* SPDX-License-Identifier: BSD-3-Clause */
/* All forces but those of contacts, by what becomes of their work; ties of closed cables; mass. */
#include "model/load.h"
#include "model/rope.h"
#include "model/space.h"

#include <string.h>

/* Degrees of freedom of the last node of a closed cable, 0 of others; no spatial cable is closed.
 */
static int tied(const haw_cable *cable)
{
    return cable->line.closed ? cable->line.ops->dofs - cable->line.ops->stride : 0;
}

void haw_model_tie(const haw_model *model, double *f)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        double *first = f + cable->first;
        const int count = tied(cable);
        double *last = count > 0 ? first + cable->line.ops->stride * cable->line.elements : NULL;
        for (int a = 0; a < count; a++) {
            first[a] += last[a];
            last[a] = 0;
        }
    }
}

void haw_model_copy_ties(const haw_model *model, double *x)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        double *first = x + cable->first;
        const int count = tied(cable);
        if (count > 0) {
            memcpy(first + cable->line.ops->stride * cable->line.elements, first,
                   (size_t)count * sizeof *x);
        }
    }
}

void haw_model_mass(const haw_model *model, const double *x, double *y)
{
    if (model->dimension == 3) {
        haw_space_mass(model, x, y);
        return;
    }
    for (int i = 0; i < 3 * model->bodies; i++) {
        y[i] = model->body[i / 3].mass[i % 3] * x[i];
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) { /* its mass depends on q: haw_model_inertia */
            memset(y + cable->first, 0, (size_t)cable->line.dofs * sizeof *y);
        } else {
            haw_band_multiply(&cable->mass, x + cable->first, y + cable->first);
        }
    }
    haw_model_tie(model, y);
}

/* Weights of what can move, torques and dampers to the ground. */
static void body_forces(const haw_model *model, double t, const double *u, const haw_forces *forces)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 2; j++) {
            const double weight = body->mass[j] * model->gravity[j];
            forces->conservative[body->first + j] = body->held[j] ? 0 : weight;
        }
        forces->damping[body->first + 2] = -body->rotational_damping * u[body->first + 2];
        forces->load[body->first + 2] = haw_function_value(&body->torque, t);
    }
}

/* The band's product overwrites: mass-proportional damping comes first. */
static void cable_forces(const haw_cable *cable, const double *q, const double *u,
                         const haw_forces *forces)
{
    const haw_line *line = &cable->line;
    double *f = forces->conservative + cable->first, *d = forces->damping + cable->first;
    if (cable->damping_mass > 0 && line->ops->mass_constant) {
        haw_band_multiply(&cable->mass, u + cable->first, d);
        for (int a = 0; a < line->dofs; a++) {
            d[a] *= -cable->damping_mass;
        }
    }
    if (line->ops->force_rates != NULL) {
        line->ops->force_rates(line, q + cable->first, u + cable->first, f, d);
    } else {
        line->ops->force(line, q + cable->first, f);
    }
}

void haw_model_forces(const haw_model *model, double t, double part, const double *q,
                      const double *u, const haw_forces *forces)
{
    const size_t bytes = (size_t)model->dofs * sizeof(double);
    if (model->dimension == 3) {
        haw_space_forces(model, t, part, q, u, forces);
        return;
    }
    memset(forces->conservative, 0, bytes);
    memset(forces->damping, 0, bytes);
    memset(forces->load, 0, bytes);
    body_forces(model, t, u, forces);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) {
            cable->rope->ops->force(model, cable, q, u, forces->conservative, forces->damping);
        } else {
            cable_forces(cable, q, u, forces);
        }
    }
    haw_loads_apply(model, t, q, forces->load);
    for (int a = 0; a < model->dofs && part != 1; a++) {
        forces->load[a] *= part;
    }
    haw_springs_apply(model, q, u, forces);
    haw_model_tie(model, forces->conservative);
    haw_model_tie(model, forces->damping);
    haw_model_tie(model, forces->load);
}
