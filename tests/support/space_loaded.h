/* SPDX-License-Identifier: BSD-3-Clause */
/* A spatial scene with everything that forces and matrices know: beams of two kinds with damping,
 * bodies, loads that follow and that do not, end tensions. */
#ifndef HAWSER_TESTS_SPACE_LOADED_H
#define HAWSER_TESTS_SPACE_LOADED_H

#include "base/lie.h"
#include "model/system.h"
#include "support/near.h"
#include "support/random.h"

#include <hawser/hawser.h>

#include <string.h>

enum { DOFS = 160, COORDINATES = 200, BODIES = 2, CABLES = 2, FORCES = 6 };

typedef struct space_scene {
    haw_body_spec body[BODIES];
    haw_cable_spec cable[CABLES];
    haw_force_spec force[FORCES];
    haw_scene scene;
} space_scene;

static haw_context *context;
static haw_model *model;
static space_scene all;
static double load_part = 1;

static inline void set_bodies(space_scene *s)
{
    for (int i = 0; i < BODIES; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].mass = 2 + i;
        s->body[i].inertias[0] = 0.3;
        s->body[i].inertias[1] = 0.4;
        s->body[i].inertias[2] = 0.7 + i;
        s->body[i].position[0] = 3.0 * i;
        s->body[i].orientation[0] = 0.8;
        s->body[i].orientation[1] = 0.6;
    }
    s->body[0].name = "top";
    s->body[0].rotational_damping = 0.2;
    s->body[0].torque = (haw_function){.constant = 0.5};
    s->body[1].name = "wheel";
    s->body[1].joint = HAW_JOINT_REVOLUTE;
}

static inline void set_cables(space_scene *s)
{
    for (int i = 0; i < CABLES; i++) {
        haw_cable_spec *c = &s->cable[i];
        *c = haw_cable_spec_default();
        c->elements = 4;
        c->from[0] = c->from[2] = 0;
        c->from[1] = 1.0 + i;
        c->to[0] = 2;
        c->to[1] = 1.5;
        c->to[2] = -0.5;
        c->stiffness = 500;
        c->shear_stiffness = 200;
        c->bending_stiffness = 2;
        c->torsional_stiffness = 1.5;
        c->density = 0.4;
        c->radius = 0.05;
        c->damping_mass = 0.5;
        c->damping_strain = 0.3;
        c->damping_curvature = 0.02;
        c->ends[0].kind = c->ends[1].kind = HAW_END_FREE;
        c->ends[1].tension = (haw_function){.constant = 7};
    }
    s->cable[0].name = "yarn";
    s->cable[0].element = "se3";
    s->cable[0].rotary_inertia[0] = 0.05;
    s->cable[0].rotary_inertia[1] = 0.02;
    s->cable[0].rotary_inertia[2] = 0.03;
    s->cable[0].damping_shear = 0.1;
    s->cable[0].damping_torsion = 0.03;
    s->cable[0].ends[0].tension = (haw_function){.constant = 3};
    s->cable[0].ends[0].towards[0] = -1;
    s->cable[0].ends[0].towards[2] = 2;
    s->cable[1].name = "wire";
    s->cable[1].element = "ancf";
    s->cable[1].ends[0].kind = HAW_END_CLAMPED;
}

static inline void set_force(haw_force_spec *force, const char *on, double point, bool follows)
{
    *force = haw_force_spec_default();
    force->on = on;
    force->point = point;
    force->follows = follows;
    for (int j = 0; j < 3; j++) {
        force->force[j] = (haw_function){.constant = 1.3 - j};
        force->moment[j] = (haw_function){.constant = 0.4 + 0.7 * j};
    }
}

static inline void set_forces(space_scene *s)
{
    set_force(&s->force[0], "yarn", 0.5, false);
    set_force(&s->force[1], "yarn", 1, true);
    set_force(&s->force[2], "yarn", 0, true);
    set_force(&s->force[3], "top", 0, false);
    set_force(&s->force[4], "top", 0, true);
    set_force(&s->force[5], "wire", 0.25, false);
    memset(s->force[5].moment, 0, sizeof s->force[5].moment);
}

static inline haw_model *build(const haw_scene *scene)
{
    haw_model *made = NULL;
    if (haw_model_build(context, scene, &made) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return made;
}

static inline int open_scene(void **state)
{
    (void)state;
    memset(&all, 0, sizeof all);
    if (haw_context_create(NULL, &context) != HAW_OK) {
        return -1;
    }
    set_bodies(&all);
    set_cables(&all);
    set_forces(&all);
    all.scene = (haw_scene){.dimension = 3,
                            .gravity = {0.3, -9.81, 1},
                            .load_steps = 1,
                            .bodies = BODIES,
                            .body = all.body,
                            .cables = CABLES,
                            .cable = all.cable,
                            .forces = FORCES,
                            .force = all.force};
    model = build(&all.scene);
    return model->dofs <= DOFS && model->coordinates <= COORDINATES ? 0 : -1;
}

static inline int close_scene(void **state)
{
    (void)state;
    haw_model_free(model);
    haw_context_free(context);
    return 0;
}

/* A state with large rotations: every node and body turns by about a radian, neighbours less. */
static inline void random_state(uint64_t *seed, double *q, double *u)
{
    double d[DOFS];
    haw_state *start;
    assert_int_equal(haw_state_create(context, model, &start), HAW_OK);
    for (int i = 0; i < model->dofs; i++) {
        const bool turns = i % 6 >= 3;
        d[i] = (turns ? 0.9 : 0) + 0.3 * random_signed(seed);
        u[i] = 2 * random_signed(seed);
    }
    haw_model_move(model, start->q, d, q);
    haw_state_free(context, start);
}

/* parts [4][DOFS]: conservative, damping, load, gyroscopic; their sum into f. */
static inline void forces(const double *q, const double *u, double part[4][DOFS], double *f)
{
    const haw_forces set = {part[0], part[1], part[2], part[3]};
    haw_model_forces(model, 0, load_part, q, u, &set);
    for (int i = 0; i < model->dofs; i++) {
        f[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
}

static inline double largest(const double *x)
{
    double most = 0;
    for (int i = 0; i < model->dofs; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

#endif
