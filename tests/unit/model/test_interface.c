/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program in C uses: setters by key, names and places, samples of a centreline, sizes. */
#include "support/arena_fixture.h"
#include "support/near.h"

#include <hawser/hawser.h>

#include <string.h>

static void says(haw_status status, const char *words)
{
    assert_int_equal(status, HAW_ERR_INPUT);
    if (strstr(haw_context_message(context), words) == NULL) {
        fail_msg("'%s' lacks '%s'", haw_context_message(context), words);
    }
}

static void options_are_set_by_key_from_numbers_and_texts(void **state)
{
    (void)state;
    haw_body_spec body = haw_body_spec_default();
    haw_cable_spec cable = haw_cable_spec_default();
    haw_contact_spec contact = haw_contact_spec_default();
    assert_int_equal(haw_body_set(context, &body, "mass", 2), HAW_OK);
    assert_int_equal(haw_body_set_text(context, &body, "inertia", "auto"), HAW_OK);
    assert_int_equal(haw_body_set_text(context, &body, "position", "[1, -2.5, 3e-1]"), HAW_OK);
    assert_int_equal(haw_body_set_text(context, &body, "joint", "revolute"), HAW_OK);
    assert_true(body.mass == 2 && isnan(body.inertia) && body.joint == HAW_JOINT_REVOLUTE);
    assert_true(body.position[0] == 1 && body.position[1] == -2.5 && body.position[2] == 0.3);
    assert_int_equal(haw_cable_set(context, &cable, "damping.strain", 0.5), HAW_OK);
    assert_int_equal(haw_cable_set_text(context, &cable, "closed", "true"), HAW_OK);
    assert_int_equal(haw_cable_set_text(context, &cable, "elements", "12"), HAW_OK);
    assert_true(cable.damping_strain == 0.5 && cable.closed && cable.elements == 12);
    assert_int_equal(haw_contact_set_text(context, &contact, "law", "penalty"), HAW_OK);
    assert_int_equal(haw_contact_set(context, &contact, "friction", 0.25), HAW_OK);
    assert_string_equal(contact.law, "penalty");
    assert_true(contact.friction == 0.25);
    says(haw_body_set(context, &body, "mas", 1), "did you mean 'mass'?");
    says(haw_body_set(context, &body, "mass", -1), "must be > 0");
    says(haw_body_set_text(context, &body, "position", "[1, 2"), "a list of numbers");
    says(haw_body_set_text(context, &body, "position", "[1, 2] x"), "a list of numbers");
    says(haw_body_set_text(context, &body, "position", "[1, 2, 3, 4]"), "a list of numbers");
    says(haw_cable_set_text(context, &cable, "elements", "many"), "a whole number");
    says(haw_contact_set_text(context, &contact, "per", "aera"), "did you mean 'area'?");
}

static void methods_are_set_by_key_from_texts(void **state)
{
    (void)state;
    haw_run_settings run;
    assert_int_equal(haw_run_settings_init(context, &run), HAW_OK);
    assert_int_equal(haw_stepper_set_text(context, &run.stepper, "step", "auto"), HAW_OK);
    assert_int_equal(haw_stepper_set_text(context, &run.stepper, "end", "2e-3"), HAW_OK);
    assert_int_equal(haw_solver_set_text(context, &run.solver, "tolerance", "1e-9"), HAW_OK);
    assert_int_equal(haw_solver_set(context, &run.solver, "max_iterations", 50), HAW_OK);
    haw_stepper_common stepper;
    haw_solver_common solver;
    memcpy(&stepper, run.stepper.options, sizeof stepper);
    memcpy(&solver, run.solver.options, sizeof solver);
    assert_true(isnan(stepper.step) && stepper.end == 2e-3);
    assert_true(solver.tolerance == 1e-9 && solver.max_iterations == 50);
    says(haw_stepper_set_text(context, &run.stepper, "stop", "1"), "did you mean 'step'?");
    says(haw_stepper_settings_init(context, "moreua", &run.stepper), "did you mean 'moreau'?");
}

static void shapes_keep_what_is_set_until_another_is_chosen(void **state)
{
    (void)state;
    haw_body_spec body = haw_body_spec_default();
    assert_int_equal(haw_body_set_shape(context, &body, "circle", "radius", 0.1), HAW_OK);
    assert_string_equal(body.shape, "circle");
    assert_true(body.shape_options[0] == 0.1);
    assert_int_equal(haw_body_set_shape_text(context, &body, "plane", "normal", "[1, 0]"), HAW_OK);
    assert_true(body.shape_options[0] == 1 && body.shape_options[1] == 0);
    assert_int_equal(haw_body_set_shape(context, &body, "cone", NULL, 0), HAW_OK);
    assert_string_equal(body.shape, "cone");
    says(haw_body_set_shape(context, &body, "circel", "radius", 1), "did you mean 'circle'?");
    says(haw_body_set_shape(context, &body, "circle", "radius", -1), "must be > 0");
    says(haw_body_set_shape(context, &body, "sphere", "raduis", 1), "did you mean 'radius'?");
}

/* A body and a straight cable of two elements from (0, 0) to (2, 0). */
static haw_model *build(haw_scene *scene, haw_body_spec *body, haw_cable_spec *cable)
{
    haw_model *model = NULL;
    *scene = haw_scene_default();
    *body = haw_body_spec_default();
    *cable = haw_cable_spec_default();
    body->name = "ball";
    body->mass = body->inertia = 1;
    cable->name = "rope";
    cable->elements = 2;
    cable->stiffness = 100;
    cable->density = 1;
    cable->tension = 10;
    assert_int_equal(haw_cable_set_text(context, cable, "from", "[0, 0]"), HAW_OK);
    assert_int_equal(haw_cable_set_text(context, cable, "to", "[2, 0]"), HAW_OK);
    scene->bodies = scene->cables = 1;
    scene->body = body;
    scene->cable = cable;
    assert_int_equal(haw_model_build(context, scene, &model), HAW_OK);
    return model;
}

static void parts_of_a_model_are_found_by_name_with_their_places(void **state)
{
    (void)state;
    haw_scene scene;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_model *model = build(&scene, &body, &cable);
    assert_int_equal(haw_model_find_body(model, "ball"), 0);
    assert_int_equal(haw_model_find_cable(model, "rope"), 0);
    assert_int_equal(haw_model_find_cable(model, "ball"), -1);
    assert_string_equal(haw_model_body_name(model, 0), "ball");
    assert_string_equal(haw_model_cable_name(model, 0), "rope");
    assert_null(haw_model_cable_name(model, 1));
    const haw_extent ball = haw_model_body_extent(model, 0);
    const haw_extent rope = haw_model_cable_extent(model, 0);
    assert_true(ball.first_q == 0 && ball.coordinates == 3 && ball.first_u == 0 && ball.dofs == 3);
    assert_true(rope.first_q == 3 && rope.first_u == 3 && rope.coordinates == rope.dofs);
    assert_int_equal(rope.first_u + rope.dofs, haw_model_dofs(model));
    assert_int_equal(haw_model_cable_extent(model, 1).dofs, 0);
    haw_model_free(model);
}

static void centrelines_are_sampled(void **state)
{
    (void)state;
    haw_scene scene;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_model *model = build(&scene, &body, &cable);
    haw_state *at = NULL;
    double label[64], position[64][3], tension[64];
    const haw_samples samples = {.label = label, .position = position[0], .tension = tension};
    const int count = haw_cable_sample_count(model, 0);
    assert_true(count > 2 && count <= 64);
    assert_int_equal(haw_state_create(context, model, &at), HAW_OK);
    assert_int_equal(haw_cable_sample(context, model, at, 0, &samples), HAW_OK);
    for (int k = 0; k < count; k++) {
        assert_near(position[k][0], 2.0 * k / (count - 1), 1e-12, 0);
        assert_true(position[k][1] == 0 && position[k][2] == 0);
        assert_near(label[k], position[k][0] / 1.1, 1e-12, 0);
        assert_near(tension[k], 10, 1e-9, 0);
    }
    assert_int_equal(haw_cable_sample(context, model, at, 1, &samples), HAW_ERR_ARG);
    haw_state_free(context, at);
    haw_model_free(model);
}

static void structs_of_another_size_are_refused(void **state)
{
    (void)state;
    haw_scene scene;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_model *model = build(&scene, &body, &cable);
    haw_run_settings run;
    haw_simulation *simulation = NULL;
    assert_int_equal(haw_run_settings_init(context, &run), HAW_OK);
    run.size -= 8;
    assert_int_equal(haw_simulation_create(context, model, &run, &simulation), HAW_ERR_ARG);
    assert_non_null(strstr(haw_context_message(context), "headers of this version"));
    haw_model_free(model);
    cable.size += 8;
    assert_int_equal(haw_model_build(context, &scene, &model), HAW_ERR_ARG);
    assert_null(model);
    cable.size = 0;
    scene.size -= 8;
    assert_int_equal(haw_model_build(context, &scene, &model), HAW_ERR_ARG);
    scene.size = 0;
    assert_int_equal(haw_model_build(context, &scene, &model), HAW_OK);
    haw_model_free(model);
}

TEST_FILE(test_interface)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_set_by_key_from_numbers_and_texts),
        cmocka_unit_test(methods_are_set_by_key_from_texts),
        cmocka_unit_test(shapes_keep_what_is_set_until_another_is_chosen),
        cmocka_unit_test(parts_of_a_model_are_found_by_name_with_their_places),
        cmocka_unit_test(centrelines_are_sampled),
        cmocka_unit_test(structs_of_another_size_are_refused),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
