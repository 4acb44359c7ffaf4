/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria of springs, unstrained strings and pressed contacts against closed forms. */
#include "stepper/implicit.h"
#include "support/log.h"
#include "support/rig.h"

static void rig_static(rig *r)
{
    rig_open(r);
    assert_int_equal(haw_stepper_settings_init(r->context, "static", &r->settings.stepper), HAW_OK);
}

/* A body under gravity and a side force on a spring to the ground at (0, 1). */
typedef struct hanging {
    haw_body_spec body;
    haw_spring_spec spring;
    haw_force_spec force;
    haw_scene scene;
} hanging;

static const haw_scene *hanging_init(hanging *h)
{
    h->body = haw_body_spec_default();
    h->spring = haw_spring_spec_default();
    h->force = haw_force_spec_default();
    h->body.name = "mass";
    h->body.mass = 3;
    h->body.inertia = 1;
    h->body.position[0] = 0.3;
    h->body.position[1] = 0.4;
    h->spring.between[0].on = "mass";
    h->spring.between[1].at[1] = 1;
    h->spring.stiffness = 200;
    h->spring.length = 0.5;
    h->force.on = "mass";
    h->force.force[0].constant = 12;
    h->scene = (haw_scene){.gravity = {0, -10},
                           .start = HAW_START_GIVEN,
                           .bodies = 1,
                           .body = &h->body,
                           .springs = 1,
                           .spring = &h->spring,
                           .forces = 1,
                           .force = &h->force};
    return &h->scene;
}

/* The spring points along the resultant (12, -30) N and is |f| / k longer than at rest. */
static void a_body_hangs_along_the_resultant_of_its_loads(void **state)
{
    (void)state;
    const double force = hypot(12, 30), length = 0.5 + force / 200;
    for (int steps = 1; steps <= 7; steps += 3) {
        rig r;
        hanging h;
        rig_static(&r);
        haw_scene scene = *hanging_init(&h);
        scene.load_steps = steps;
        rig_build(&r, &scene);
        rig_step(&r);
        assert_near(r.state->q[0], 12 / force * length, 1e-9, 0);
        assert_near(r.state->q[1], 1 - 30 / force * length, 1e-9, 0);
        assert_near(r.state->q[2], 0, 0, 0);
        assert_near(r.simulation->model.gravity[1], -10, 0, 0);
        rig_close(&r);
    }
}

static void what_nothing_keeps_in_place_has_no_equilibrium(void **state)
{
    (void)state;
    rig r;
    hanging h;
    rig_static(&r);
    haw_scene scene = *hanging_init(&h);
    h.body.torque.constant = 1;
    scene.springs = 0;
    rig_build(&r, &scene);
    assert_int_equal(haw_simulation_step(r.simulation), HAW_ERR_UNCONVERGED);
    assert_non_null(strstr(haw_context_message(r.context), "no equilibrium"));
    assert_int_equal(r.simulation->certificate.unconverged_steps, 1);
    rig_close(&r);
}

/* Half the opening angle of an unstrained string of EA and length 1 under a force at its middle:
 * 2 EA (1 / cos a - 1) sin a = F. */
static double string_angle(double stiffness, double force)
{
    double low = 0, high = 1.5;
    for (int i = 0; i < 200; i++) {
        const double a = 0.5 * (low + high);
        const bool is_below = 2 * stiffness * (1 / cos(a) - 1) * sin(a) < force;
        low = is_below ? a : low;
        high = is_below ? high : a;
    }
    return low;
}

/* No lateral stiffness at all where the string starts; two straight halves are exact. */
static void an_unstrained_string_carries_a_force_across_it(void **state)
{
    (void)state;
    static const double force[3] = {1e-3, 10, 3e3};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_static(&r);
        haw_cable_spec cable = haw_cable_spec_default();
        haw_force_spec load = haw_force_spec_default();
        cable.name = "string";
        cable.element = "chain";
        cable.elements = 10;
        cable.from[0] = cable.from[1] = cable.to[1] = 0;
        cable.to[0] = 1;
        cable.stiffness = 2e3;
        cable.density = 0.01;
        cable.tension = NAN;
        cable.length = 1;
        load.on = "string";
        load.point = 0.5;
        load.force[1].constant = -force[i];
        const haw_scene scene = {
            .start = HAW_START_GIVEN, .cables = 1, .cable = &cable, .forces = 1, .force = &load};
        rig_build(&r, &scene);
        rig_step(&r);
        const double angle = string_angle(2e3, force[i]);
        assert_near(r.state->q[10], 0.5, 1e-10, 0);
        assert_near(r.state->q[11], -0.5 * tan(angle), 1e-8, 1e-8);
        assert_near(r.simulation->support[1], 0.5 * force[i], 0, 1e-8);
        assert_near(r.simulation->support[0], -2e3 * (1 / cos(angle) - 1) * cos(angle), 0, 1e-7);
        rig_close(&r);
    }
}

/* A disk of 2 kg pressed onto a plane by its weight: the contact spring gives by m g / k. */
static void open_pressed(rig *r, haw_body_spec body[2], haw_contact_spec *contact, haw_scene *scene)
{
    for (int i = 0; i < 2; i++) {
        body[i] = haw_body_spec_default();
    }
    body[0].name = "ground";
    body[0].shape = "plane";
    body[0].motion = HAW_MOTION_FIXED;
    body[1].name = "disk";
    body[1].shape = "circle";
    body[1].shape_options[0] = 0.2;
    body[1].mass = 2;
    body[1].position[1] = 0.25;
    *contact = haw_contact_spec_default();
    contact->between[0] = "disk";
    contact->between[1] = "ground";
    contact->law = "penalty";
    contact->normal_stiffness = 1e4;
    contact->friction = 0;
    *scene = (haw_scene){.gravity = {0, -10},
                         .start = HAW_START_GIVEN,
                         .bodies = 2,
                         .body = body,
                         .contacts = 1,
                         .contact = contact};
    (void)r;
}

static void a_disk_sinks_into_its_contact_spring_by_its_weight(void **state)
{
    (void)state;
    rig r;
    haw_body_spec body[2];
    haw_contact_spec contact;
    haw_scene scene;
    rig_static(&r);
    open_pressed(&r, body, &contact, &scene);
    rig_build(&r, &scene);
    rig_step(&r);
    assert_near(r.state->q[4], 0.2 - 20 / 1e4, 1e-10, 0);
    assert_int_equal(r.simulation->contacts->count, 1);
    assert_near(r.simulation->contacts->force[0], 20, 1e-6, 0);
    assert_near(r.simulation->support[1], 20, 1e-6, 0);
    rig_close(&r);
}

/* Without friction a body falls as it does with it, not only onto springs. */
static void a_disk_falls_onto_a_smooth_plane(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        haw_body_spec body[2];
        haw_contact_spec contact;
        haw_scene scene;
        rig_static(&r);
        open_pressed(&r, body, &contact, &scene);
        contact.law = "hard";
        contact.normal_stiffness = (double)NAN;
        body[1].position[1] = i == 0 ? 0.25 : 2000;
        rig_build(&r, &scene);
        rig_step(&r);
        assert_near(r.state->q[4], 0.2, 1e-9, 0);
        assert_near(r.simulation->contacts->force[0], 20, 1e-6, 0);
        rig_close(&r);
    }
}

/* What will fly has no equilibrium yet: it waits where it was put, with its velocity. */
static void a_static_start_leaves_loose_bodies_alone(void **state)
{
    (void)state;
    static heard told;
    rig r;
    haw_body_spec body[2];
    haw_contact_spec contact;
    haw_scene scene;
    rig_open(&r);
    assert_int_equal(haw_stepper_settings_init(r.context, "generalized-alpha", &r.settings.stepper),
                     HAW_OK);
    open_pressed(&r, body, &contact, &scene);
    body[1].velocity[0] = 3;
    scene.start = HAW_START_STATIC;
    haw_context_set_log(r.context, hear, &told);
    rig_build(&r, &scene);
    assert_non_null(strstr(told.text, "leaves 'disk' where it is drawn"));
    assert_near(r.state->q[4], 0.25, 0, 0);
    assert_near(r.state->u[3], 3, 0, 0);
    assert_int_equal(r.simulation->certificate.newton_iterations, 0);
    rig_close(&r);
}

/* Dynamics from an equilibrium with contact: nothing moves. */
static void a_run_from_an_equilibrium_stays_there(void **state)
{
    (void)state;
    rig r;
    haw_body_spec body[2];
    haw_contact_spec contact;
    haw_scene scene;
    rig_open(&r);
    assert_int_equal(haw_stepper_settings_init(r.context, "generalized-alpha", &r.settings.stepper),
                     HAW_OK);
    open_pressed(&r, body, &contact, &scene);
    body[1].position[1] = 0.2 - 20 / 1e4;
    rig_build(&r, &scene);
    rig_steps(&r, 200);
    assert_near(r.state->q[4], 0.2 - 20 / 1e4, 1e-13, 0);
    assert_near(r.state->u[4], 0, 1e-11, 0);
    assert_near(r.simulation->ledger.impact_loss, 0, 1e-13, 0);
    rig_close(&r);
}

TEST_FILE(test_equilibrium)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_hangs_along_the_resultant_of_its_loads),
        cmocka_unit_test(what_nothing_keeps_in_place_has_no_equilibrium),
        cmocka_unit_test(an_unstrained_string_carries_a_force_across_it),
        cmocka_unit_test(a_disk_sinks_into_its_contact_spring_by_its_weight),
        cmocka_unit_test(a_disk_falls_onto_a_smooth_plane),
        cmocka_unit_test(a_static_start_leaves_loose_bodies_alone),
        cmocka_unit_test(a_run_from_an_equilibrium_stays_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
