/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and drives from outside, set between steps and constant over each. */
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-12; /* places that differ by less are the same, up to rounding */

/* ---- set ---- */

static haw_status find(haw_simulation *simulation, int body, int dof, bool is_valid, double value)
{
    if (body < 0 || body >= simulation->model.bodies || dof < 0) {
        return haw_fail(simulation->context, HAW_ERR_ARG,
                        "a control needs a body of the model, 0 ... %d, and a direction of its "
                        "dimension (got body %d)",
                        simulation->model.bodies - 1, body);
    }
    return is_valid ? HAW_OK
                    : haw_fail(simulation->context, HAW_ERR_INPUT,
                               "body '%s': a control must be finite (got %g)",
                               simulation->model.body[body].name, value);
}

haw_status haw_simulation_set_force(haw_simulation *simulation, int body, const double force[3])
{
    const int d = simulation->model.dimension;
    for (int i = 0; i < d; i++) {
        HAW_TRY(find(simulation, body, i, isfinite(force[i]), force[i]));
    }
    memcpy(simulation->state->control[body].force, force, (size_t)d * sizeof *force);
    return HAW_OK;
}

haw_status haw_simulation_set_torque(haw_simulation *simulation, int body, double torque)
{
    HAW_TRY(find(simulation, body, 0, isfinite(torque), torque));
    simulation->state->control[body].force[simulation->model.kind->spin] = torque;
    return HAW_OK;
}

haw_status haw_simulation_set_drive(haw_simulation *simulation, int body, haw_drive drive,
                                    double value)
{
    const haw_model *model = &simulation->model;
    const int turn = drive == HAW_DRIVE_SPIN ? model->kind->spin : -1;
    const int j = drive >= HAW_DRIVE_X && (int)drive < model->dimension ? (int)drive : turn;
    HAW_TRY(find(simulation, body, j, !isinf(value), value));
    const haw_body *own = &model->body[body];
    haw_control *next = &simulation->state->control[body];
    const haw_control *now = own->control;
    const double t = simulation->state->t;
    if (own->motion != HAW_MOTION_PRESCRIBED) {
        return haw_fail(
            simulation->context, HAW_ERR_INPUT,
            "body '%s' cannot be driven: only a body with a prescribed motion can, such "
            "as motion: {spin: 0}; push others by forces and torques",
            own->name);
    }
    const bool is_kept = value == now->drive[j] || (isnan(value) && isnan(now->drive[j]));
    next->drive[j] = value;
    next->since[j] = now->since[j];
    next->way[j] = now->way[j];
    if (!is_kept) {
        next->since[j] = t;
        next->way[j] =
            haw_body_way(own, j, t) - (isnan(value) ? haw_function_integral(&own->drive[j], t) : 0);
    }
    return HAW_OK;
}

/* ---- take ---- */

static void mark_pushed(haw_simulation *simulation)
{
    simulation->is_pushed = false;
    for (int i = 0; i < simulation->model.bodies; i++) {
        for (int j = 0; j < simulation->model.kind->dofs; j++) {
            simulation->is_pushed =
                simulation->is_pushed || simulation->state->acting[i].force[j] != 0;
        }
    }
}

haw_status haw_control_take(haw_simulation *simulation)
{
    const haw_stepper_ops *row = simulation->ops;
    const haw_state *state = simulation->state;
    const size_t bytes = (size_t)state->bodies * sizeof *state->control;
    if (memcmp(state->acting, state->control, bytes) == 0) {
        return HAW_OK;
    }
    HAW_TRY(row->settle != NULL && state->step > 0 ? row->settle(simulation) : HAW_OK);
    memcpy(state->acting, state->control, bytes);
    mark_pushed(simulation);
    return HAW_OK;
}

/* ---- anchor ---- */

static bool is_apart(int count, const double *a, const double *b)
{
    bool is_apart = false;
    for (int i = 0; i < count; i++) {
        is_apart = is_apart || fabs(a[i] - b[i]) > SAME * (1 + fabs(b[i]));
    }
    return is_apart;
}

static void anchor_ends(haw_simulation *simulation, haw_cable *cable)
{
    const haw_state *state = simulation->state;
    double *place = simulation->work[0];
    memcpy(place, state->q, (size_t)state->coordinates * sizeof *place);
    if (cable->ops->place != NULL) {
        cable->ops->place(cable, state->t, place);
    }
    for (int end = 0; end < 2 && cable->ops->place != NULL; end++) {
        const int node = cable->ops->node_q(cable, end == 0 ? 0 : cable->line.elements);
        for (int j = 0; j < 3 && is_apart(3, place + node, state->q + node); j++) {
            cable->guide[end].start[j] += state->q[node + j] - place[node + j];
        }
    }
}

/* A velocity says how a body or end goes on, not where it is: a place that another drive led to
 * counts as the start of this one. */
void haw_control_anchor(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const haw_state *state = simulation->state;
    const haw_body_kind *kind = model->kind;
    mark_pushed(simulation);
    for (int i = 0; i < model->bodies && kind->place != NULL; i++) {
        const haw_body *body = &model->body[i];
        const double *q = state->q + body->first_q;
        double place[7], way[6];
        memcpy(place, q, (size_t)kind->coordinates * sizeof *q);
        kind->place(body, state->t, place);
        if (is_apart(kind->coordinates, place, q)) {
            kind->difference(place, q, way);
            for (int j = 0; j < kind->dofs; j++) {
                state->acting[i].way[j] += way[j];
                state->control[i].way[j] += way[j];
            }
        }
    }
    for (int i = 0; i < model->cables; i++) {
        anchor_ends(simulation, &model->cable[i]);
    }
}
