/* SPDX-License-Identifier: BSD-3-Clause */
/* The published switching of bristles within steps of generalized-alpha. */
#include "stepper/simulation.h"
#include "support/rig.h"

static void open_run(rig *r, int most)
{
    rig_open(r);
    assert_int_equal(
        haw_stepper_settings_init(r->context, "generalized-alpha", &r->settings.stepper), HAW_OK);
    rig_set(r, "step", 1e-4);
    rig_set(r, "end", 1);
    rig_set(r, "max_switching", most);
}

/* A disk that is set down with a slip of 1 m/s: its bristle starts to slip within the first step,
 * which the published switching only sees afterwards. */
static void switching_that_does_not_settle_ends_the_run(void **state)
{
    (void)state;
    rig r;
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_contact_spec contact = haw_contact_spec_default();
    body[0].name = "ground";
    body[0].shape = "plane";
    body[0].motion = HAW_MOTION_FIXED;
    body[1].name = "disk";
    body[1].shape = "circle";
    body[1].shape_options[0] = 0.1;
    body[1].mass = 2;
    body[1].position[1] = 0.1 - 2 * 9.81 / 1e5;
    body[1].velocity[0] = 1;
    contact.between[0] = "disk";
    contact.between[1] = "ground";
    contact.law = "penalty";
    contact.friction = 0.3;
    contact.normal_stiffness = 1e5;
    contact.tangential_stiffness = 1e6;
    contact.switching = HAW_SWITCHING_POST_NEWTON;
    const haw_scene scene = {
        .gravity = {0, -9.81}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
    for (int most = 1; most <= 5; most += 4) {
        open_run(&r, most);
        rig_build(&r, &scene);
        const haw_status status = haw_simulation_step(r.simulation);
        assert_int_equal(status, most == 1 ? HAW_ERR_UNCONVERGED : HAW_OK);
        assert_int_equal(r.simulation->certificate.unconverged_steps, most == 1);
        assert_true(most != 1 || strstr(haw_context_message(r.context), "still switch") != NULL);
        rig_close(&r);
    }
}

TEST_FILE(test_switching)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switching_that_does_not_settle_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
