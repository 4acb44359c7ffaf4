/* SPDX-License-Identifier: BSD-3-Clause */
/* A spatial cantilever under a load at its tip, and its equilibrium. */
#ifndef HAWSER_TESTS_SPACE_CANTILEVER_H
#define HAWSER_TESTS_SPACE_CANTILEVER_H

#include "support/near.h"

#include <hawser/hawser.h>

#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct cantilever {
    haw_cable_spec cable;
    haw_path_segment arc;
    haw_force_spec force;
    haw_scene scene;
} cantilever;

static haw_context *context;

static inline int open_context(void **state)
{
    (void)state;
    return haw_context_create(NULL, &context) == HAW_OK ? 0 : -1;
}

static inline int close_context(void **state)
{
    (void)state;
    haw_context_free(context);
    return 0;
}

/* Straight along x, clamped at the origin, loaded at its free end. */
static inline void set_cantilever(cantilever *c, int elements, double length, int load_steps)
{
    memset(c, 0, sizeof *c);
    c->cable = haw_cable_spec_default();
    c->cable.name = "beam";
    c->cable.element = "se3";
    c->cable.elements = elements;
    memset(c->cable.from, 0, sizeof c->cable.from);
    c->cable.to[0] = length;
    c->cable.to[1] = c->cable.to[2] = 0;
    c->cable.density = 1;
    c->cable.radius = 0.1;
    c->cable.ends[0].kind = HAW_END_CLAMPED;
    c->cable.ends[1].kind = HAW_END_FREE;
    c->force = haw_force_spec_default();
    c->force.on = "beam";
    c->force.point = 1;
    c->scene = (haw_scene){.dimension = 3,
                           .load_steps = load_steps,
                           .cables = 1,
                           .cable = &c->cable,
                           .forces = 1,
                           .force = &c->force};
}

/* The equilibrium's status; coordinates of the node; Newton iterations. */
static inline haw_status solve_node(const cantilever *c, int node, double tip[7], long *iterations)
{
    const bool is_beam = strcmp(c->cable.element, "se3") == 0;
    const int width = is_beam ? 7 : c->scene.dimension == 3 ? 6 : 4;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_run_settings settings;
    assert_int_equal(haw_run_settings_init(context, &settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, "static", &settings.stepper), HAW_OK);
    haw_status status = haw_model_build(context, &c->scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &settings, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_step(simulation);
    }
    if (status == HAW_OK) {
        const haw_frame *frame = haw_simulation_frame(simulation);
        memcpy(tip, frame->state->q + width * node, (size_t)width * sizeof *tip);
        if (iterations != NULL) {
            *iterations = frame->certificate->newton_iterations;
        }
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}

static inline haw_status solve(const cantilever *c, double tip[7], long *iterations)
{
    return solve_node(c, c->cable.elements, tip, iterations);
}

static inline void find_tip(const cantilever *c, double tip[7])
{
    long iterations = 0;
    if (solve(c, tip, &iterations) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    print_message("n = %d: %ld Newton iterations, tip %.9f %.9f %.9f\n", c->cable.elements,
                  iterations, tip[0], tip[1], tip[2]);
}

/* ---- a cantilever under an end moment is an arc of a circle ---- */

static inline void set_roll_up(cantilever *c, int elements, double turns, int load_steps)
{
    set_cantilever(c, elements, 10, load_steps);
    c->cable.stiffness = c->cable.shear_stiffness = 1e6;
    c->cable.bending_stiffness = c->cable.torsional_stiffness = 1000;
    c->force.moment[2] = (haw_function){.constant = 2 * PI * turns * 1000 / 10};
}

static inline void set_elastica(cantilever *c, int elements, double load)
{
    set_cantilever(c, elements, 1, 4);
    c->cable.stiffness = c->cable.shear_stiffness = 1e8;
    c->cable.bending_stiffness = c->cable.torsional_stiffness = 1;
    c->force.force[1] = (haw_function){.constant = load};
}

#endif
