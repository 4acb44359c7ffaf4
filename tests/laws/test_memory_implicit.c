/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation of implicit steps, equilibria and compliant contact: reported, freed, none in steps.
 */
#include "stepper/simulation.h"
#include "support/failing_run.h"

enum { STEPS = 4 };

/* A cable with bending over a fixed disk, prestressed, with a force on it; static start. */
typedef struct wrap {
    const char *law, *stepper;
    double step;
    haw_body_spec body;
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_force_spec force;
    haw_scene scene;
} wrap;

static const haw_scene *wrap_scene(wrap *w)
{
    static const haw_path_segment path[3] = {
        {.to = {-0.1, 0}},
        {.is_arc = true, .center = {0, 0}, .radius = 0.1, .angle_deg = -90},
        {.to = {0.5, 0.1}},
    };
    w->body = haw_body_spec_default();
    w->body.name = "disk";
    w->body.shape = "circle";
    w->body.shape_options[0] = 0.1;
    w->body.motion = HAW_MOTION_FIXED;
    w->cable = haw_cable_spec_default();
    w->cable.name = "cable";
    w->cable.element = "ancf";
    w->cable.elements = 24;
    w->cable.from[0] = -0.1;
    w->cable.from[1] = -0.5;
    w->cable.segments = 3;
    w->cable.path = path;
    w->cable.stiffness = 4e4;
    w->cable.bending_stiffness = 1e-3;
    w->cable.density = 0.1;
    w->cable.tension = 100;
    w->contact = haw_contact_spec_default();
    w->contact.between[0] = "cable";
    w->contact.between[1] = "disk";
    w->contact.points_per_element = 4;
    w->contact.law = w->law;
    w->contact.friction = 0.2;
    if (strcmp(w->law, "penalty") == 0) {
        w->contact.normal_stiffness = 1e6;
        w->contact.tangential_stiffness = 1e5;
        w->contact.tangential_damping = 1;
    }
    w->force = haw_force_spec_default();
    w->force.on = "cable";
    w->force.point = 0.9;
    w->force.force[1].constant = -1;
    w->scene = (haw_scene){.start = HAW_START_STATIC,
                           .bodies = 1,
                           .body = &w->body,
                           .cables = 1,
                           .cable = &w->cable,
                           .contacts = 1,
                           .contact = &w->contact,
                           .forces = 1,
                           .force = &w->force};
    return &w->scene;
}

static void wrap_settings(haw_context *context, const wrap *w, haw_run_settings *settings)
{
    assert_int_equal(haw_run_settings_init(context, settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(context, w->stepper, &settings->stepper), HAW_OK);
    assert_int_equal(haw_stepper_set(context, &settings->stepper, "step", w->step), HAW_OK);
}

static haw_status run_wrap(haw_context *context, void *user)
{
    wrap *w = user;
    haw_run_settings settings;
    wrap_settings(context, w, &settings);
    return failing_run(context, wrap_scene(w), &settings, STEPS);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    wrap cases[] = {{.law = "penalty", .stepper = "generalized-alpha", .step = 1e-4},
                    {.law = "penalty", .stepper = "moreau", .step = 5e-6},
                    {.law = "hard", .stepper = "moreau", .step = 5e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("%s, %s: %ld allocations\n", cases[i].stepper, cases[i].law,
                      failing_loop(run_wrap, &cases[i]));
    }
}

static void implicit_steps_allocate_nothing_after_the_third(void **state)
{
    (void)state;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    wrap w = {.law = "penalty", .stepper = "generalized-alpha", .step = 1e-4};
    rig r;
    memset(&r, 0, sizeof r);
    assert_int_equal(haw_context_create(&allocator, &r.context), HAW_OK);
    wrap_settings(r.context, &w, &r.settings);
    rig_build(&r, wrap_scene(&w));
    rig_steps(&r, 3);
    const long calls = count.calls;
    rig_steps(&r, 500);
    assert_int_equal(count.calls, calls);
    assert_true(r.simulation->certificate.newton_iterations > 500);
    rig_close(&r);
    assert_int_equal(count.live, 0);
}

TEST_FILE(test_memory_implicit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(implicit_steps_allocate_nothing_after_the_third),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
