/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear and angular momentum, and the sign conventions of model.h. */
#include "support/rig.h"

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
            assert_near(0.01 * (u[2] - 40), p[2], 1e-11, 0);
        }
        assert_true(r.simulation->pair[0].impulse[0] < -10);
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
        sum[2] += 1e-3 * f->pair[0].moment;
        normal += 1e-3 * f->pair[0].normal_sum;
        for (int k = 0; k < f->state->rows; k += 2) {
            points += 1e-3 * f->point_force[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_near(sum[k], r.simulation->pair[0].impulse[k], 1e-12, 1e-11);
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
    *penetration = r.simulation->certificate.penetration_max;
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
        if (haw_elements[i]->mass_constant) {
            assert_near(drift[0], 0, 1e-11, 0);
            assert_near(drift[1], 0, 1e-11, 0);
        }
    }
}

static void angular_momentum_is_conserved_with_the_arm_of_the_distance(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        double exact[3], paper[3], depth;
        free_drift(haw_elements[i]->name, HAW_ARM_DISTANCE, exact, &depth);
        free_drift(haw_elements[i]->name, HAW_ARM_RADIUS, paper, &depth);
        print_message("%s: %.2g, with the radius %.2g N m s at %.2g m\n", haw_elements[i]->name,
                      exact[2], paper[2], depth);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_disk_changes_its_momentum_by_impulse_and_weight),
        cmocka_unit_test(the_forces_of_the_frames_add_up_to_the_impulse),
        cmocka_unit_test(linear_momentum_is_conserved),
        cmocka_unit_test(angular_momentum_is_conserved_with_the_arm_of_the_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
