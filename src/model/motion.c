/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and velocities of a model: states, moving q by increments, what is prescribed. */
#include "linalg/vector.h"
#include "model/dynamics.h"
#include "model/joint.h"

#include <math.h>
#include <string.h>

void haw_model_move(const haw_model *model, const double *q, double h, const double *u,
                    double *q_plus)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        model->kind->move(q + body->first_q, h, u + body->first, q_plus + body->first_q);
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->move(&model->cable[i], q, h, u, q_plus);
    }
    for (int i = 1; i <= model->multipliers; i++) {
        q_plus[model->coordinates - i] = q[model->coordinates - i] + h * u[model->dofs - i];
    }
}

double haw_model_reach(const haw_model *model, const double *q)
{
    return haw_largest(model->coordinates - model->multipliers, q);
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
    for (int i = 1; i <= model->multipliers; i++) {
        d[model->dofs - i] = q_plus[model->coordinates - i] - q[model->coordinates - i];
    }
}

void haw_model_prescribe(const haw_model *model, double t, double *u)
{
    haw_model_prescribe_over(model, t, 0, u);
}

void haw_model_prescribe_over(const haw_model *model, double t, double h, double *u)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < model->kind->dofs; j++) {
            if (body->held[j]) { /* what is not driven has a drive of zeros */
                u[body->first + j] = haw_body_drive(body, j, t, h);
            }
        }
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->prescribe(&model->cable[i], t, h, u);
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

double haw_model_undamped_step(const haw_model *model)
{
    double step = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        step = fmin(step, model->cable[i].ops->critical_step(&model->cable[i]));
    }
    return step;
}

/*
 * Elastic forces are those of the middle of the step, dampers act on the velocity at its start:
 * x" + c x' + omega^2 x = 0 stays bounded for (h omega)^2 + 2 h c <= 4 (trace 2 - h c - (h omega)^2
 * and determinant 1 - h c of a step). With s = 2 / omega, h = s (sqrt(1 + b^2) - b), b = s c / 4.
 */
double haw_model_critical_step(const haw_model *model)
{
    double step = (double)INFINITY;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const double undamped = cable->ops->critical_step(cable);
        const double rate = cable->ops->damping_rate != NULL ? cable->ops->damping_rate(cable) : 0;
        const double b = 0.25 * undamped * rate;
        step = fmin(step, undamped / (sqrt(1 + b * b) + b));
    }
    return step;
}

/* ---- states: bodies first, then cables, both in the order of the scene ---- */

void haw_state_set_off(const haw_model *model, haw_state *state)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        memcpy(state->u + body->first, body->rate, haw_body_dofs(model) * sizeof(double));
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->drift != NULL) {
            cable->ops->drift(cable, state->u);
        }
    }
    haw_model_prescribe(model, 0, state->u);
    haw_joints_ride(model, state->q, state->u);
}

/* One block: the struct, then q, u, a, the impulses, the histories and the controls; all begin as
 * zero. */
haw_status haw_state_create(haw_context *context, const haw_model *model, haw_state **state)
{
    const size_t n = (size_t)model->dofs, coordinates = (size_t)model->coordinates;
    const size_t points = (size_t)model->points, rows = (size_t)model->dimension * points;
    const size_t numbers = coordinates + 3 * n + rows + HAW_HISTORY * points;
    const size_t controls = 2 * (size_t)model->bodies * sizeof(haw_control);
    *state = haw_allocate(context, 1, sizeof **state + numbers * sizeof(double) + controls);
    if (*state == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_state *s = *state;
    s->dimension = model->dimension;
    s->dofs = model->dofs;
    s->coordinates = model->coordinates;
    s->rows = (int)rows;
    s->q = (double *)(s + 1);
    s->u = s->q + coordinates;
    s->a = s->u + n;
    s->impulse = s->a + 2 * n;
    s->history = s->impulse + rows;
    s->bodies = model->bodies;
    s->control = (haw_control *)(s->history + HAW_HISTORY * points);
    s->acting = s->control + model->bodies;
    for (int i = 0; i < 2 * model->bodies; i++) {
        for (int j = 0; j < 6; j++) {
            s->control[i].drive[j] = (double)NAN;
        }
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        memcpy(s->q + body->first_q, body->start, haw_body_coordinates(model) * sizeof(double));
    }
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].ops->start(&model->cable[i], s->q);
    }
    haw_state_set_off(model, s);
    return HAW_OK;
}

/* All that is not fixed by the model: the numbers behind the struct are one block. */
static size_t count_bytes(const haw_state *state)
{
    return (size_t)((const char *)(state->acting + state->bodies) - (const char *)state->q);
}

void haw_state_pack(haw_state *state, haw_pack *pack)
{
    HAW_PACK(pack, state->t);
    HAW_PACK(pack, state->step);
    haw_pack_block(pack, state->q, count_bytes(state));
}

void haw_state_copy(haw_state *to, const haw_state *from)
{
    to->t = from->t;
    to->step = from->step;
    memcpy(to->q, from->q, count_bytes(from));
}

void haw_state_free(haw_context *context, haw_state *state)
{
    haw_release(context, state);
}
