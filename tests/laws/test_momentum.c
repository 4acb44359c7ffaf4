/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear and angular momentum, and the sign conventions of model.h. */
#include "contact/contact.h"
#include "element/element.h"
#include "model/model.h"
#include "observe/observation.h"
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/table.h"

/* m dv = impulse of the contact + weight t, J d omega = moment of the impulse, at every frame. */
static void the_disk_changes_its_momentum_by_impulse_and_weight(void **state)
{
    (void)state;
    static const double theta[2] = {0, 0.55};
    for (int k = 0; k < 2; k++) {
        rig r;
        disk_case c;
        disk_case_init(&c);
        c.theta = theta[k];
        rig_disk(&r, &c);
        for (int i = 1; i <= 250; i++) {
            rig_steps(&r, 100);
            const haw_frame *f = haw_simulation_frame(r.simulation);
            const double *u = f->state->u, *p = f->pair[0].impulse;
            assert_near(2 * (u[0] - 3), p[0], 1e-11, 0);
            assert_near(2 * u[1], p[1] - 2 * 9.81 * f->t, 1e-11, 0);
            assert_near(0.01 * (u[2] - 40), p[5], 1e-11, 0);
        }
        assert_true(r.simulation->observation->pair[0].impulse[0] < -10);
        rig_close(&r);
    }
}

/* The mean forces of the frames add up to the impulse, and so do the forces of the points. */
static void the_forces_of_the_frames_add_up_to_the_impulse(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    double sum[3] = {0, 0, 0}, normal = 0, points = 0;
    for (int i = 1; i <= 150; i++) {
        rig_steps(&r, 100);
        const haw_frame *f = haw_simulation_frame(r.simulation);
        sum[0] += 1e-3 * f->pair[0].force[0];
        sum[1] += 1e-3 * f->pair[0].force[1];
        sum[2] += 1e-3 * f->pair[0].moment[2];
        normal += 1e-3 * f->pair[0].normal_sum;
        for (int k = 0; k < f->state->rows; k += 2) {
            points += 1e-3 * f->point_force[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_near(sum[k], r.simulation->observation->pair[0].impulse[k == 2 ? 5 : k], 1e-12,
                    1e-11);
    }
    assert_near(points, normal, 0, 1e-11);
    assert_true(normal > 10);
    rig_close(&r);
}

/* A disk hits a loose cable with free ends; no gravity: nothing acts from outside. */
static void open_free(rig *r, disk_case *c, const char *element, int arm)
{
    disk_case_init(c);
    c->element = element;
    c->elements = 20;
    c->cable.tension = 0;
    c->cable.to[0] = 0.3;
    c->cable.ends[0].kind = c->cable.ends[1].kind = HAW_END_FREE;
    c->contact.arm = arm;
    c->body.position[0] = -0.02;
    rig_disk_settings(r, c);
    haw_scene scene = *disk_case_scene(c);
    scene.gravity[1] = 0;
    rig_build(r, &scene);
}

/* Largest change of the momenta over the run [N s, N s, N m s]. */
static void free_drift(const char *element, int arm, double drift[3], double *penetration)
{
    rig r;
    disk_case c;
    double start[3], now[3];
    open_free(&r, &c, element, arm);
    rig_momentum(&r, start);
    drift[0] = drift[1] = drift[2] = 0;
    for (int i = 0; i < 5000; i++) {
        rig_step(&r);
        rig_momentum(&r, now);
        for (int k = 0; k < 3; k++) {
            drift[k] = fmax(drift[k], fabs(now[k] - start[k]));
        }
    }
    *penetration = r.simulation->certificate.penetration_points_max;
    assert_true(fabs(r.state->u[2] - 40) > 0.1); /* friction did act */
    rig_close(&r);
}

static void linear_momentum_is_conserved(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        double drift[3], depth;
        free_drift(haw_elements[i]->name, HAW_ARM_RADIUS, drift, &depth);
        print_message("%s: %.2g, %.2g N s\n", haw_elements[i]->name, drift[0], drift[1]);
        if (element_at(i)->mass_constant) {
            assert_near(drift[0], 0, 1e-11, 0);
            assert_near(drift[1], 0, 1e-11, 0);
        } else { /* M(q) of the mid point: exact for h -> 0 only */
            assert_near(hypot(drift[0], drift[1]), 0, 1e-4, 0);
        }
    }
}

/* The contact acts on both bodies at the same point; with the paper's arm R they differ by g. */
static void angular_momentum_is_conserved_with_the_arm_of_the_distance(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        double exact[3], tilting[3], paper[3], depth;
        free_drift(haw_elements[i]->name, HAW_ARM_DISTANCE, exact, &depth);
        free_drift(haw_elements[i]->name, HAW_ARM_TILT, tilting, &depth);
        free_drift(haw_elements[i]->name, HAW_ARM_RADIUS, paper, &depth);
        print_message("%s: %.2g, with the radius %.2g N m s at %.2g m\n", haw_elements[i]->name,
                      exact[2], paper[2], depth);
        if (element_at(i)->mass_constant) {
            assert_near(exact[2], 0, 1e-11, 0);
            assert_near(tilting[2], 0, 1e-11, 0);
            assert_true(paper[2] > 1e-9);
            assert_true(paper[2] < depth * 0.1); /* tangential impulse below 0.1 N s */
        } else {
            assert_near(exact[2], 0, 1e-4, 0);
        }
    }
}

/* 2 m/s without spin: 2/3 of it stays, the disk turns clockwise, omega = -v / R. */
static void a_disk_that_rolls_right_turns_clockwise(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    rig_time(&r, 1e-3, 0.6, 0);
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    body[0].name = "ground";
    body[0].shape = "plane";
    body[0].motion = HAW_MOTION_FIXED;
    body[1].name = "disk";
    body[1].shape = "circle";
    body[1].shape_options[0] = 0.1;
    body[1].mass = 2;
    body[1].position[1] = 0.1;
    body[1].velocity[0] = 2;
    haw_contact_spec contact = haw_contact_spec_default();
    contact.between[0] = "disk";
    contact.between[1] = "ground";
    contact.friction = 0.2;
    const haw_scene scene = {
        .gravity = {0, -9.81}, .bodies = 2, .body = body, .contacts = 1, .contact = &contact};
    rig_build(&r, &scene);
    rig_steps(&r, 600);
    assert_near(r.state->u[3], 4.0 / 3, 0, 1e-12);
    assert_near(r.state->u[5], -4.0 / 3 / 0.1, 0, 1e-12);
    assert_true(r.state->q[5] < 0);
    rig_close(&r);
}

/* Disk left of the cable: n = (1, 0), t = (0, -1), gamma_N = -vx, gamma_T = vy + R omega. */
static void slip_and_approach_have_the_signs_of_the_conventions(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    double gamma[2 * 64];
    double *q = r.simulation->state->q, *u = r.simulation->state->u;
    haw_contacts *contacts = r.simulation->contacts;
    q[0] = -0.1;
    q[1] = q[3 + 4 * 10 + 1]; /* at the height of a node */
    u[0] = 1.25;
    u[1] = 0.5;
    u[2] = 7;
    contacts->margin = 1e-9;
    assert_int_equal(haw_contacts_detect(contacts, q, u, 0), HAW_OK);
    assert_int_equal(contacts->count, 1);
    assert_near(contacts->item[0].normal[0], 1, 1e-15, 0);
    assert_near(contacts->item[0].normal[1], 0, 1e-15, 0);
    haw_contacts_velocity(contacts, u, gamma);
    assert_near(gamma[0], -1.25, 1e-15, 0);
    assert_near(gamma[1], 0.5 + 0.1 * 7, 1e-15, 0);
    rig_close(&r);
}

/* The spinning disk left of the cable is thrown back, pushed down and braked; the cable is taut. */
static void a_spinning_disk_is_pushed_down_and_braked(void **state)
{
    (void)state;
    rig r;
    disk_case c;
    disk_case_init(&c);
    rig_disk(&r, &c);
    rig_steps(&r, 2500);
    const haw_frame *f = haw_simulation_frame(r.simulation);
    assert_true(f->pair[0].force[0] < 0 && f->pair[0].force[1] < 0 && f->pair[0].moment[2] < 0);
    assert_true(f->pair[0].normal_sum > 0 && f->pair[0].tangential_sum < 0);
    assert_near(f->pair[0].tangential_sum, -0.3 * f->pair[0].normal_sum, 0, 1e-9);
    assert_true(haw_cable_tension_mean(&r.simulation->model.cable[0], r.state->q) > 400);
    rig_close(&r);
}

TEST_FILE(test_momentum)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_disk_changes_its_momentum_by_impulse_and_weight),
        cmocka_unit_test(the_forces_of_the_frames_add_up_to_the_impulse),
        cmocka_unit_test(linear_momentum_is_conserved),
        cmocka_unit_test(angular_momentum_is_conserved_with_the_arm_of_the_distance),
        cmocka_unit_test(a_disk_that_rolls_right_turns_clockwise),
        cmocka_unit_test(slip_and_approach_have_the_signs_of_the_conventions),
        cmocka_unit_test(a_spinning_disk_is_pushed_down_and_braked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
