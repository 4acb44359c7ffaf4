/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/drive.h"

#include "support/random.h"
#include "support/ties.h"

static void drive_bodies(drive_scene *d)
{
    for (int i = 0; i < DRIVE_BODIES; i++) {
        d->body[i] = haw_body_spec_default();
        d->body[i].shape = "circle";
        d->body[i].shape_options[0] = 0.2;
        d->body[i].mass = 3 + i;
        d->body[i].position[0] = 2.0 * i;
    }
    d->body[0].name = "wheel";
    d->body[0].joint = HAW_JOINT_REVOLUTE;
    d->body[0].rotational_damping = 0.7;
    d->body[0].torque = (haw_function){.constant = 1.3};
    d->body[1].name = "block";
}

static void drive_cables(drive_scene *d)
{
    for (int i = 0; i < DRIVE_CABLES; i++) {
        haw_cable_spec *c = &d->cable[i];
        *c = haw_cable_spec_default();
        c->element = "ancf";
        c->elements = 6;
        c->stiffness = 500;
        c->bending_stiffness = 2;
        c->density = 0.4;
        c->damping_strain = 0.3;
        c->damping_curvature = 0.02;
        c->damping_mass = 0.5;
    }
    d->path[0] = (haw_path_segment){.kind = HAW_PIECE_ARC, .center = {0, 0}, .angle_deg = 180};
    d->path[1] = (haw_path_segment){.kind = HAW_PIECE_ARC, .center = {0, 0}, .angle_deg = 180};
    d->path[0].radius = d->path[1].radius = 0.5;
    d->cable[0].name = "ring";
    d->cable[0].closed = true;
    d->cable[0].from[0] = 0.5;
    d->cable[0].from[1] = 0;
    d->cable[0].segments = 2;
    d->cable[0].path = d->path;
    d->cable[0].reference_strain = -0.02;
    d->cable[1].name = "rod";
    d->cable[1].from[0] = 1;
    d->cable[1].from[1] = -1;
    d->cable[1].to[0] = 2;
    d->cable[1].to[1] = -1;
    d->cable[1].ends[0].kind = HAW_END_CLAMPED;
    d->cable[1].ends[1].kind = HAW_END_FREE;
}

static void drive_forces(drive_scene *d)
{
    static const haw_spring_end ends[DRIVE_SPRINGS][2] = {
        {{"wheel", {0, 0}}, {"ring", {0.3, 0}}},  {{"block", {0, 0}}, {NULL, {2.5, 0.5}}},
        {{"rod", {0.85, 0}}, {"block", {0, 0}}},  {{NULL, {0.1, 0.9}}, {"ring", {0.97, 0}}},
        {{"ring", {0.55, 0}}, {"rod", {0.4, 0}}}, {{"ring", {0.99, 0}}, {"ring", {0.5, 0}}},
    };
    for (int i = 0; i < DRIVE_SPRINGS; i++) {
        d->spring[i] = haw_spring_spec_default();
        d->spring[i].between[0] = ends[i][0];
        d->spring[i].between[1] = ends[i][1];
        d->spring[i].stiffness = 40 + 10 * i;
        d->spring[i].damping = 0.6;
        d->spring[i].length = i % 2 == 0 ? 0.4 : 0;
    }
    for (int i = 0; i < DRIVE_FORCES; i++) {
        d->force[i] = haw_force_spec_default();
        d->force[i].moment[2] = (haw_function){.constant = 0.8};
    }
    d->force[0].on = "ring";
    d->force[0].point = 0.6;
    d->force[0].force[1] = (haw_function){.constant = -2};
    d->force[1].on = "rod";
    d->force[1].point = 1;
    d->force[2].on = "block";
    d->force[2].force[0] = (haw_function){.constant = 4};
}

static void drive_contact(drive_scene *d)
{
    d->contact = haw_contact_spec_default();
    d->contact.between[0] = "ring";
    d->contact.between[1] = "wheel";
}

static haw_model *drive_model(haw_context *context, drive_scene *d)
{
    haw_model *model = NULL;
    memset(d, 0, sizeof *d);
    drive_bodies(d);
    drive_cables(d);
    drive_forces(d);
    drive_contact(d);
    d->scene = (haw_scene){.gravity = {0.2, -9.81},
                           .load_steps = 1,
                           .bodies = DRIVE_BODIES,
                           .body = d->body,
                           .cables = DRIVE_CABLES,
                           .cable = d->cable,
                           .contacts = 1,
                           .contact = &d->contact,
                           .springs = DRIVE_SPRINGS,
                           .spring = d->spring,
                           .forces = DRIVE_FORCES,
                           .force = d->force};
    if (haw_model_build(context, &d->scene, &model) != HAW_OK) {
        fail_msg("%s", haw_context_message(context));
    }
    return model;
}

void drive_state(const haw_model *model, uint64_t seed, double *q, double *u)
{
    haw_state *state = NULL;
    assert_int_equal(haw_state_create(model->context, model, &state), HAW_OK);
    for (int i = 0; i < model->dofs; i++) {
        q[i] = state->q[i] + 0.03 * random_signed(&seed);
        u[i] = random_signed(&seed);
    }
    copy_ties(model, q);
    copy_ties(model, u);
    haw_state_free(model->context, state);
}

/* ---- the scene of a group of tests ---- */

int drive_open(haw_context **context, drive_scene *scene, haw_model **model)
{
    if (haw_context_create(NULL, context) != HAW_OK) {
        return -1;
    }
    *model = drive_model(*context, scene);
    return *model != NULL && (*model)->dofs <= DOFS_MAX ? 0 : -1;
}
