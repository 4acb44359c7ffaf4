/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/scene.h"

void disk_case_init(disk_case *c)
{
    *c = (disk_case){.element = "bezier",
                     .elements = 20,
                     .points = 8,
                     .friction = 0.3,
                     .step = 1e-5,
                     .end = 0.25,
                     .tolerance = 1e-12,
                     .gyro_iterations = 0,
                     .solver = "pgs",
                     .body = haw_body_spec_default(),
                     .cable = haw_cable_spec_default(),
                     .contact = haw_contact_spec_default()};
    c->body.name = "disk";
    c->body.shape = "circle";
    c->body.shape_options[0] = 0.1;
    c->body.mass = 2;
    c->body.position[0] = -0.15;
    c->body.position[1] = 1;
    c->body.velocity[0] = 3;
    c->body.spin = 40;
    c->cable.name = "cable";
    c->cable.from[0] = c->cable.from[1] = c->cable.to[0] = 0;
    c->cable.to[1] = 2;
    c->cable.stiffness = 4e4;
    c->cable.density = 0.1;
    c->cable.tension = 400;
    c->contact.between[0] = "cable";
    c->contact.between[1] = "disk";
}

const haw_scene *disk_case_scene(disk_case *c)
{
    c->cable.element = c->element;
    c->cable.elements = c->elements;
    c->contact.points_per_element = c->points;
    c->contact.friction = c->friction;
    c->scene = (haw_scene){.gravity = {0, -9.81},
                           .bodies = 1,
                           .body = &c->body,
                           .cables = 1,
                           .cable = &c->cable,
                           .contacts = 1,
                           .contact = &c->contact};
    return &c->scene;
}

void disk_case_settings(haw_context *context, const disk_case *c, haw_run_settings *settings)
{
    haw_stepper_settings *stepper = &settings->stepper;
    assert_int_equal(haw_run_settings_init(context, settings), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, c->solver, &settings->solver), HAW_OK);
    assert_int_equal(haw_stepper_set(context, stepper, "end", c->end), HAW_OK);
    if (c->step > 0) {
        assert_int_equal(haw_stepper_set(context, stepper, "step", c->step), HAW_OK);
    }
    assert_int_equal(haw_stepper_set(context, stepper, "theta", c->theta), HAW_OK);
    assert_int_equal(haw_stepper_set(context, stepper, "gyro_iterations", c->gyro_iterations),
                     HAW_OK);
    assert_int_equal(haw_options_set_real(context, settings->solver.ops->row.options,
                                          settings->solver.options, "tolerance", c->tolerance),
                     HAW_OK);
}

haw_status scene_run(haw_context *context, const haw_scene *scene, const haw_run_settings *settings,
                     const haw_observer *observer, haw_summary *summary)
{
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    haw_status status = haw_model_build(context, scene, &model);
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, settings, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_run(simulation, observer, summary);
    }
    if (status != HAW_OK) {
        print_message("%s: %s\n", haw_status_text(status), haw_context_message(context));
    }
    haw_simulation_free(simulation);
    haw_model_free(model);
    return status;
}
