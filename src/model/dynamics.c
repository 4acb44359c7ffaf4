/* SPDX-License-Identifier: BSD-3-Clause */
/* Energies, forces by what becomes of their work, and masses: sums over bodies and cables. */
#include "model/system.h"

#include <string.h>

const char *haw_model_refuses_explicit(const haw_model *model)
{
    const char *refused = NULL;
    for (int i = 0; i < model->cables && refused == NULL; i++) {
        refused = model->cable[i].ops->refused;
    }
    return refused;
}

bool haw_model_moves_along(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        if (model->cable[i].ops->moves_along) {
            return true;
        }
    }
    return false;
}

/* A support carries the weight of what it holds, which is left out of forces and energies. */
static double weight(const haw_model *model, const haw_body *body, int j)
{
    return body->held[j] ? 0 : body->mass[j] * model->gravity[j];
}

/* ---- energies ---- */

haw_energy haw_model_energy(const haw_model *model, const double *q)
{
    double energy[2] = {0, 0};
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->dimension; j++) {
            energy[1] -= weight(model, body, j) * q[body->first_q + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->energy(&model->cable[i], q, energy);
    }
    return (haw_energy){energy[0] + haw_model_spring_energy(model, q), energy[1]};
}

double haw_model_kinetic(const haw_model *model, const double *q, const double *u)
{
    double kinetic = 0;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->kind->dofs; j++) {
            kinetic += 0.5 * body->mass[j] * u[body->first + j] * u[body->first + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        kinetic += model->cable[i].ops->kinetic(&model->cable[i], q, u);
    }
    return kinetic;
}

/* ---- closed cables ---- */

void haw_model_tie(const haw_model *model, double *f)
{
    for (int i = 0; i < model->cables; i++) {
        int last = 0;
        const int first = model->cable[i].first, count = haw_cable_tied(&model->cable[i], &last);
        for (int a = 0; a < count; a++) {
            f[first + a] += f[last + a];
            f[last + a] = 0;
        }
    }
}

/* ---- forces of explicit steps ---- */

void haw_model_force(const haw_model *model, const double *q, double *f)
{
    memset(f, 0, (size_t)model->dofs * sizeof *f);
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->dimension; j++) {
            f[body->first + j] = weight(model, body, j);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->force != NULL) {
            cable->ops->force(cable, q, f);
        }
    }
}

void haw_model_coast(const haw_model *model, double h, const double *u, double *way, double *u_plus)
{
    for (int i = 0; i < model->dofs; i++) {
        way[i] = h * u[i];
        u_plus[i] = u[i];
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->coast != NULL) {
            cable->ops->coast(cable, h, u, way, u_plus);
        }
    }
    for (int i = 0; i < model->bodies && model->kind->coast != NULL; i++) {
        model->kind->coast(&model->body[i], h, u, way, u_plus);
    }
}

void haw_model_gyroscopic(const haw_model *model, const double *q, const double *u, double *f)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->gyroscopic != NULL) {
            cable->ops->gyroscopic(cable, q, u, f);
        }
    }
    for (int i = 0; i < model->bodies && model->kind->gyroscopic != NULL; i++) {
        if (!haw_body_turns_freely(&model->body[i])) {
            model->kind->gyroscopic(&model->body[i], u, f);
        }
    }
}

bool haw_model_turns(const haw_model *model)
{
    bool turns = model->kind->gyroscopic != NULL && model->bodies > 0;
    for (int i = 0; i < model->cables; i++) {
        turns = turns || haw_cable_turns(&model->cable[i]);
    }
    return turns;
}

bool haw_model_is_gyroscopic(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->moves_along || (cable->form.copies > 0 && !cable->form.is_constant)) {
            return true;
        }
    }
    return false;
}

/* ---- all forces ---- */

void haw_model_forces(const haw_model *model, double t, double part, const double *q,
                      const double *u, const haw_forces *forces)
{
    const size_t bytes = (size_t)model->dofs * sizeof(double);
    double *const all[] = {forces->conservative, forces->damping, forces->load, forces->gyroscopic};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] != NULL) {
            memset(all[i], 0, bytes);
        }
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        const int spin = body->first + model->kind->spin;
        for (int j = 0; j < model->dimension; j++) {
            forces->conservative[body->first + j] = weight(model, body, j);
        }
        forces->damping[spin] = -body->rotational_damping * u[spin];
        forces->load[spin] = haw_function_value(&body->torque, t);
        for (int j = 0; j < model->kind->dofs && body->control != NULL; j++) {
            forces->load[body->first + j] += body->control->force[j];
        }
        if (model->kind->gyroscopic != NULL) {
            model->kind->gyroscopic(body, u, forces->gyroscopic);
        }
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->forces(&model->cable[i], q, u, forces);
    }
    haw_loads_apply(model, t, q, forces->load);
    for (int a = 0; a < model->dofs && part != 1; a++) {
        forces->load[a] *= part;
    }
    haw_springs_apply(model, q, u, forces);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] != NULL) {
            haw_model_tie(model, all[i]);
        }
    }
}

/* ---- masses ---- */

void haw_model_mass(const haw_model *model, const double *x, double *y)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->kind->dofs; j++) {
            y[body->first + j] = body->mass[j] * x[body->first + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->mass != NULL) {
            cable->ops->mass(cable, x, y);
        } else { /* it depends on q: haw_model_inertia */
            memset(y + cable->first, 0, (size_t)cable->line.dofs * sizeof *y);
        }
    }
    haw_model_tie(model, y);
}

void haw_model_inertia(const haw_model *model, const double *q, const double *u, const double *a,
                       double *y)
{
    haw_model_mass(model, a, y);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->inertia != NULL) {
            cable->ops->inertia(cable, q, u, a, y);
        }
    }
    haw_model_tie(model, y);
}
