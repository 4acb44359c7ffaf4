/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames: forces of contacts averaged over the time since the frame before. */
#include "stepper/simulation.h"

#include <math.h>
#include <string.h>

/* Mean forces since the previous frame from the impulses since then. */
static void average_pair(haw_simulation *simulation, int i, double inverse)
{
    const haw_pair *pair = &simulation->model.pair[i];
    haw_pair_frame *frame = &simulation->pair[i];
    double *impulse = simulation->pair_impulse[i];
    const int d = simulation->model.dimension;
    frame->normal_sum = frame->tangential_sum = 0;
    for (int k = pair->first_point; k < pair->first_point + pair->points; k++) {
        const double *point = simulation->point_impulse + (ptrdiff_t)d * k;
        frame->normal_sum += inverse * point[0];
        frame->tangential_sum += inverse * (d == 3 ? hypot(point[1], point[2]) : point[1]);
    }
    for (int a = 0; a < 6; a++) {
        frame->impulse[a] += impulse[a];
    }
    for (int a = 0; a < 3; a++) {
        frame->force[a] = inverse * impulse[a];
        frame->moment[a] = inverse * impulse[3 + a];
    }
    memset(impulse, 0, sizeof simulation->pair_impulse[i]);
}

void haw_monitor_frame(haw_simulation *simulation)
{
    const double elapsed = simulation->state->t - simulation->frame_time;
    const double inverse = elapsed > 0 ? 1 / elapsed : 0;
    for (int i = 0; i < simulation->model.pairs; i++) {
        average_pair(simulation, i, inverse);
    }
    for (int k = 0; k < simulation->state->rows; k++) {
        simulation->point_force[k] = inverse * simulation->point_impulse[k];
        simulation->point_impulse[k] = 0;
    }
    for (int b = 0; b < simulation->model.bodies; b++) {
        simulation->torque[b] = inverse * simulation->torque_impulse[b];
        simulation->torque_impulse[b] = 0;
    }
    simulation->frame_time = simulation->state->t;
}

void haw_monitor_bind(haw_simulation *simulation)
{
    haw_frame *frame = &simulation->frame;
    frame->model = &simulation->model;
    frame->state = simulation->state;
    frame->ledger = &simulation->ledger;
    frame->certificate = &simulation->certificate;
    frame->pairs = simulation->model.pairs;
    frame->pair = simulation->pair;
    frame->point_force = simulation->point_force;
    frame->point_state = simulation->point_state;
    frame->point_gap = simulation->point_gap;
    frame->torque = simulation->torque;
    frame->probe_values = simulation->probe_values;
    frame->probe = simulation->probe_value;
}

const haw_frame *haw_simulation_frame(haw_simulation *simulation)
{
    haw_frame *frame = &simulation->frame;
    if (simulation->state->t > simulation->frame_time) {
        haw_monitor_frame(simulation);
    }
    frame->t = simulation->state->t;
    frame->step = simulation->state->step;
    haw_probes_evaluate(simulation);
    simulation->was_shown = true;
    return frame;
}
