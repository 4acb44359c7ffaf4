/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/combination.h"

#include "cable/cable.h"
#include "stepper/simulation.h"

#include <math.h>

/* By dimension: cables in space have a radius, and resist bending where they can. */
static const double section[] = {0, 0, 0, 0.005}, bending[] = {0, 0, 0, 1e-2};
static const char *const shapes[] = {NULL, NULL, "circle", "sphere"};
static const double step = 1e-5, radius = 0.2, gap = 1e-6;

typedef struct cell_scene {
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_path_segment half[2];
    haw_reeving_spec sheave;
    haw_scene scene;
} cell_scene;

/* ---- cells ---- */

enum { FORMS = 5 };

static const char *const forms[FORMS] = {"open pinned", "open free", "open clamped", "open moved",
                                         "closed"};
static const haw_end_kind ends[FORMS] = {HAW_END_PINNED, HAW_END_FREE, HAW_END_CLAMPED,
                                         HAW_END_MOTION, HAW_END_PINNED};

bool haw_cell_at(int i, haw_cell *cell)
{
    const int laws = haw_row_count(haw_laws), steppers = haw_row_count(haw_steppers);
    const int form = i / (laws * steppers) % FORMS;
    const haw_cable_ops *ops;
    const haw_row *element = haw_cable_element(i / (laws * steppers * FORMS), &ops);
    *cell = (haw_cell){.element = element,
                       .law = haw_laws[i % laws],
                       .stepper = haw_steppers[i / laws % steppers],
                       .dimension = ops->dimension ? ops->dimension : 2,
                       .is_reeved = ops->is_reeved,
                       .is_closed = form == FORMS - 1,
                       .end = ends[form]};
    cell->bends = element != NULL && bending[cell->dimension] > 0 &&
                  !((const haw_space_ops *)element)->stretches_only;
    return element != NULL;
}

const char *haw_cell_form(const haw_cell *cell)
{
    for (int form = 0; form < FORMS - 1 && !cell->is_closed; form++) {
        if (ends[form] == cell->end) {
            return forms[form];
        }
    }
    return forms[FORMS - 1];
}

/* ---- their scenes ---- */

/* A stress-free shape of its own; rows of elements in the plane and in space are not of one type.
 */
static bool has_shape(const haw_cell *cell)
{
    return bending[cell->dimension] > 0 ? cell->bends
                                        : ((const haw_element_ops *)cell->element)->natural != NULL;
}

/* A ring of two halves about the origin. */
static void close_cable(cell_scene *s)
{
    for (int i = 0; i < 2; i++) {
        s->half[i] = (haw_path_segment){.kind = HAW_PIECE_ARC, .radius = 0.5, .angle_deg = 180};
        s->half[i].to[0] = i == 0 ? -0.5 : 0.5;
    }
    s->cable.closed = true;
    s->cable.from[0] = 0.5;
    s->cable.from[1] = 0;
    s->cable.segments = 2;
    s->cable.path = s->half;
    s->cable.elements = 32;
    s->cable.tension = (double)NAN;
    s->body.position[0] = 0;
    s->body.position[1] = 0.5 + radius + gap;
}

/* Up to a sheave, over it and down again. */
static void reeve_cable(cell_scene *s)
{
    s->sheave = (haw_reeving_spec){.on = s->body.name, .side = HAW_SIDE_RIGHT};
    s->cable.sheaves = 1;
    s->cable.reeving = &s->sheave;
    s->cable.ends[1].tension.constant = s->cable.tension; /* of a free end: ropes hang taut */
    s->cable.elements = 8;
    s->cable.from[0] = -radius;
    s->cable.to[0] = radius;
    s->cable.to[1] = 0;
    s->body.position[0] = 0;
    s->body.position[1] = 1;
    s->body.velocity[1] = 0;
    s->body.joint = HAW_JOINT_REVOLUTE;
}

static void make_cable(const haw_cell *cell, cell_scene *s)
{
    haw_cable_spec *cable = &s->cable;
    *cable = haw_cable_spec_default();
    cable->name = "cable";
    cable->element = cell->element->name;
    cable->elements = 8;
    cable->from[0] = cable->from[1] = cable->from[2] = 0;
    cable->to[0] = 1;
    cable->to[1] = cable->to[2] = 0;
    cable->tension = 10;
    cable->stiffness = 1e3;
    cable->density = 0.1;
    cable->width = 0.01;
    cable->ends[1].kind = cell->end;
    cable->radius = section[cell->dimension];
    cable->bending_stiffness = cell->bends ? bending[cell->dimension] : 0;
}

static haw_status make_scene(haw_context *context, const haw_cell *cell, cell_scene *s)
{
    make_cable(cell, s);
    s->body = haw_body_spec_default();
    s->body.name = "body";
    s->body.mass = 0.1;
    s->body.position[0] = 0.5;
    s->body.position[cell->dimension - 1] = radius + s->cable.radius + gap;
    s->body.velocity[cell->dimension - 1] = -1;
    if (cell->is_reeved) {
        reeve_cable(s);
    } else if (cell->is_closed) {
        close_cable(s);
    }
    s->cable.closed = cell->is_closed;
    if (cell->is_closed && has_shape(cell)) {
        s->cable.reference = HAW_REFERENCE_DRAWN; /* at rest: nothing holds a ring that springs */
    }
    s->contact = haw_contact_spec_default();
    s->contact.between[0] = s->cable.name;
    s->contact.between[1] = s->body.name;
    s->contact.law = cell->law->name;
    s->contact.friction = 0.2;
    s->contact.normal_stiffness = 1e4;
    s->contact.tangential_stiffness = 1e3;
    s->scene = haw_scene_default();
    s->scene.dimension = cell->dimension;
    s->scene.start = HAW_START_GIVEN;
    s->scene.bodies = s->scene.cables = s->scene.contacts = 1;
    s->scene.body = &s->body;
    s->scene.cable = &s->cable;
    s->scene.contact = &s->contact;
    return haw_body_set_shape(context, &s->body, shapes[cell->dimension], "radius", radius);
}

/* ---- running them ---- */

static haw_status choose(haw_context *context, const haw_cell *cell, int steps,
                         haw_run_settings *settings)
{
    HAW_TRY(haw_run_settings_init(context, settings));
    HAW_TRY(haw_stepper_settings_init(context, cell->stepper->name, &settings->stepper));
    if (haw_options_find(cell->stepper->options, "step") != NULL) {
        HAW_TRY(haw_stepper_set(context, &settings->stepper, "step", step));
    }
    if (haw_options_find(cell->stepper->options, "rho_infinity") != NULL) { /* as joints need */
        HAW_TRY(haw_stepper_set(context, &settings->stepper, "rho_infinity", 0.8));
    }
    return haw_options_find(cell->stepper->options, "end") == NULL
               ? HAW_OK
               : haw_stepper_set(context, &settings->stepper, "end", steps * step);
}

static haw_status run(haw_simulation *simulation, int steps)
{
    haw_status status = haw_simulation_start(simulation);
    for (int i = 0; i < steps && status == HAW_OK; i++) {
        status = haw_simulation_advance(simulation);
    }
    return status == HAW_DONE ? HAW_OK : status;
}

haw_status haw_cell_run(haw_context *context, const haw_cell *cell, int steps)
{
    cell_scene s;
    haw_run_settings settings;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    HAW_TRY(make_scene(context, cell, &s));
    HAW_TRY(choose(context, cell, steps > 0 ? steps : 1, &settings));
    haw_status status = haw_model_build(context, &s.scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_build(context, model, &settings, &simulation);
    }
    if (status == HAW_OK) {
        status = steps > 0
                     ? run(simulation, steps)
                     : haw_guard_model(simulation, cell->stepper->name, simulation->ops->flags);
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}
