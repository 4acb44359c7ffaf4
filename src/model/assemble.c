/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over bodies and cables. */
#include "model/rope.h"
#include "model/space.h"

#include <string.h>

/* What holds a degree of freedom carries its weight: neither shows in forces or energies. */
static double weight(const haw_model *model, const haw_body *body, int j)
{
    return body->held[j] ? 0 : body->mass[j] * model->gravity[j];
}

void haw_model_force(const haw_model *model, const double *q, double *f)
{
    memset(f, 0, (size_t)model->dofs * sizeof *f);
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 2; j++) {
            f[body->first + j] = weight(model, body, j);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope == NULL) { /* those who ask here take no ropes */
            cable->line.ops->force(&cable->line, q + cable->first, f + cable->first);
        }
    }
}

void haw_model_gyroscopic(const haw_model *model, const double *q, const double *u, double *f)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope == NULL && cable->line.ops->gyroscopic != NULL) {
            cable->line.ops->gyroscopic(&cable->line, q + cable->first, u + cable->first,
                                        f + cable->first);
        }
    }
}

/* Masses of spatial models are constant, those of ropes are not. */
bool haw_model_is_gyroscopic(const haw_model *model)
{
    for (int i = 0; i < model->cables && model->dimension == 2; i++) {
        if (model->cable[i].rope != NULL || !model->cable[i].line.ops->mass_constant) {
            return true;
        }
    }
    return false;
}

haw_energy haw_model_energy(const haw_model *model, const double *q)
{
    double energy[2] = {0, 0};
    if (model->dimension == 3) {
        return haw_space_energy(model, q);
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 2; j++) {
            energy[1] -= weight(model, body, j) * q[body->first + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) {
            cable->rope->ops->energy(model, cable, q, energy);
        } else {
            cable->line.ops->energy(&cable->line, q + cable->first, energy);
        }
    }
    return (haw_energy){energy[0] + haw_model_spring_energy(model, q), energy[1]};
}

double haw_model_kinetic(const haw_model *model, const double *q, const double *u)
{
    double kinetic = 0;
    if (model->dimension == 3) {
        return haw_space_kinetic(model, u);
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 3; j++) {
            kinetic += 0.5 * body->mass[j] * u[body->first + j] * u[body->first + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        kinetic += cable->rope != NULL
                       ? cable->rope->ops->kinetic(model, cable, q, u)
                       : cable->line.ops->kinetic(&cable->line, q + cable->first, u + cable->first);
    }
    return kinetic;
}

/* Prescribed ends of spatial cables. */
static void hold_ends(const haw_model *model, double *x)
{
    for (int i = 0; i < 2 * model->cables; i++) {
        const haw_cable *cable = &model->cable[i / 2];
        const int dofs = cable->beam.ops->node_dofs, node = i % 2 * cable->beam.elements;
        for (int k = 0; k < dofs; k++) {
            double *entry = x + cable->first + dofs * node + k;
            *entry = cable->guide[i % 2].held[k] ? 0 : *entry;
        }
    }
}

static void hold_rope(const haw_cable *cable, double *x)
{
    for (int a = 0; a < cable->line.dofs; a++) {
        x[cable->first + a] = cable->rope->held[a] ? 0 : x[cable->first + a];
    }
}

void haw_model_hold(const haw_model *model, double *x)
{
    memset(x, 0, haw_body_dofs(model) * (size_t)model->bodies * sizeof *x);
    if (model->dimension == 3) {
        hold_ends(model, x);
        return;
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) {
            hold_rope(cable, x);
        }
        for (int end = 0; end < 2; end++) { /* those of ropes have no end_dof */
            const int held = haw_cable_end_held(cable, end);
            for (int k = 0; k < held; k++) {
                x[cable->first + cable->end_dof[end] + k] = 0;
            }
        }
    }
}
