/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and velocities of a model: moving q by increments, and what is prescribed. */
#include "model/dynamics.h"

#include <math.h>
#include <string.h>

void haw_model_move(const haw_model *model, const double *q, const double *d, double *q_plus)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        model->kind->move(q + body->first_q, d + body->first, q_plus + body->first_q);
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->move(&model->cable[i], q, d, q_plus);
    }
}

void haw_model_difference(const haw_model *model, const double *q, const double *q_plus, double *d)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        model->kind->difference(q + body->first_q, q_plus + body->first_q, d + body->first);
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->difference(&model->cable[i], q, q_plus, d);
    }
}

void haw_model_prescribe(const haw_model *model, double t, double *u)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->kind->dofs; j++) {
            if (body->held[j]) { /* what is not driven has a drive of zeros */
                u[body->first + j] = haw_function_value(&body->drive[j], t);
            }
        }
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->prescribe(&model->cable[i], t, u);
    }
}

void haw_model_place(const haw_model *model, double t, double *q)
{
    for (int i = 0; i < model->bodies && model->kind->place != NULL; i++) {
        model->kind->place(&model->body[i], t, q + model->body[i].first_q);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->place != NULL) {
            cable->ops->place(cable, t, q);
        }
    }
}

void haw_model_guide(const haw_model *model, const double *q, const double *u, double h,
                     double *u_plus)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->guide != NULL) {
            cable->ops->guide(cable, q, u, h, u_plus);
        }
    }
}

void haw_model_held(const haw_model *model, bool *held)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        memcpy(held + body->first, body->held, (size_t)model->kind->dofs * sizeof *held);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        memcpy(held + cable->first, cable->held, (size_t)cable->line.dofs * sizeof *held);
    }
}

void haw_model_hold(const haw_model *model, double *x)
{
    memset(x, 0, haw_body_dofs(model) * (size_t)model->bodies * sizeof *x);
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int a = 0; a < cable->line.dofs; a++) {
            x[cable->first + a] = cable->held[a] ? 0 : x[cable->first + a];
        }
    }
}

haw_status haw_model_guard(const haw_model *model, double t, const double *q)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        HAW_TRY(cable->ops->guard != NULL ? cable->ops->guard(cable, model->context, t, q)
                                          : HAW_OK);
    }
    return HAW_OK;
}

double haw_model_critical_step(const haw_model *model)
{
    double step = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const double own = model->cable[i].ops->critical_step(&model->cable[i]);
        step = own < step ? own : step;
    }
    return step;
}
